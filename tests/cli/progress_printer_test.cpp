#include "base/utf8.hpp"
#include "cli/progress_printer.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

progress_view expanding(std::uint32_t iteration, std::uint32_t reported) {
  progress_view view;
  view.search = "mcts";
  view.phase = "expanding";
  view.iteration = iteration;
  view.iterations = 4;
  view.trees = 10;
  view.trees_reported = reported;
  view.jobs_submitted = 90;
  view.jobs_answered = 60;
  view.rollouts_run = 50;
  view.best_rewards = {0.25, 0.75};
  view.searches = {view};
  return view;
}

/// Two more searches, which are ahead of or behind `view`.
void place_beside(progress_view& view, std::uint32_t greedy,
                  std::uint32_t iterative) {
  view.searches.resize(1);
  for (const auto& [name, iteration] :
       {std::pair{"greedy", greedy}, std::pair{"iterative", iterative}}) {
    auto& one = view.searches.emplace_back(view.searches.front());
    one.search = name;
    one.iteration = iteration;
  }
}

} // namespace

TEST_CASE("a line tells phase, barrier, jobs, rollouts and best rewards") {
  progress_printer printer{progress_style::plain};
  const auto text =
      printer.line(expanding(2, 3), progress_printer::clock::now());
  CHECK_THAT(text, Contains("mcts: expanding 2/4, barrier 3/10"));
  CHECK_THAT(text, Contains("rollouts 50, 0/min | jobs 60/90"));
  CHECK_THAT(text, Contains("best reward mean 0.500, max 0.750"));
  CHECK_THAT(text, !Contains("errors"));
}

TEST_CASE("searches side by side are told by the hindmost one") {
  progress_printer printer{progress_style::plain};
  auto view = expanding(2, 3);
  place_beside(view, 3, 4);
  const auto now = progress_printer::clock::now();
  CHECK_THAT(printer.line(view, now),
             Contains("mcts: expanding 2/4, barrier 3/10 | beside greedy 3/4, "
                      "iterative 4/4 |"));
  view.searches.back().phase = "finished";
  CHECK_THAT(printer.line(view, now), Contains("| beside greedy 3/4 |"));
  CHECK_THAT(printer.bar_line(view, now, 200, false),
             Contains(" mcts 2/4 |") && Contains("| beside greedy 3/4 |"));
}

TEST_CASE("broken environments are told as soon as there is one") {
  progress_printer printer{progress_style::plain};
  auto view = expanding(1, 0);
  view.environment_errors = 2;
  CHECK_THAT(printer.line(view, progress_printer::clock::now()),
             Contains("environment errors 2") && !Contains("given up"));
}

TEST_CASE("a rollout that was given up is not told as a broken environment") {
  progress_printer printer{progress_style::plain};
  auto view = expanding(1, 0);
  view.rollouts_given_up = 2;
  CHECK_THAT(printer.line(view, progress_printer::clock::now()),
             Contains("| given up 2") && !Contains("environment"));
}

TEST_CASE("late reports are told as soon as there is one") {
  progress_printer printer{progress_style::plain};
  auto view = expanding(1, 0);
  CHECK_THAT(printer.line(view, progress_printer::clock::now()),
             !Contains("late"));
  view.reports_late = 3;
  CHECK_THAT(printer.line(view, progress_printer::clock::now()),
             Contains(" | late reports 3"));
}

TEST_CASE("a plain line tells the time left and the rate") {
  progress_printer printer{progress_style::plain};
  const auto began = progress_printer::clock::now();
  auto view = expanding(1, 0);
  view.rollouts_run = 0;
  CHECK_THAT(printer.line(view, began), !Contains("left"));
  view = expanding(3, 0); // two of four iterations in 100 s
  CHECK_THAT(printer.line(view, began + 100s),
             Contains("left about 1 min 40 s") && Contains("50, 30/min"));
}

TEST_CASE("80 columns show bar, time left, reward, spend and rate") {
  progress_printer printer{progress_style::terminal};
  const auto began = progress_printer::clock::now();
  auto view = expanding(1, 0);
  view.search = "iterative";
  view.rollouts_run = 0;
  view.spent = "$12.42 of $50.00";
  search_view waiting;
  waiting.iterations = 4;
  view.searches = {view, waiting, waiting};
  static_cast<void>(printer.bar_line(view, began, 79, false));
  view.iteration = 2;
  view.rollouts_run = 50;
  view.searches.front() = view;
  const auto text = printer.bar_line(view, began + 3600s, 79, false);
  CHECK_THAT(text, Contains(" iterative 2/4 | left 11 h 00 min | reward 0.500 "
                            "| $12.42 of $50.00"));
  CHECK(text.starts_with("[▉         ] ")); // 1 of 12 hours
  CHECK(count_characters(text) <= 79);
  CHECK_THAT(printer.bar_line(view, began + 3600s, 200, false),
             Contains("1/min | barrier 0/10"));
  // However narrow, it never wraps.
  for (std::size_t width = 1; width < 79; ++width)
    CHECK(count_characters(printer.bar_line(view, began + 3600s, width, false))
          <= width);
}

TEST_CASE("colours are for terminals, and change no text") {
  progress_printer printer{progress_style::terminal};
  const auto now = progress_printer::clock::now();
  const auto plain = printer.bar_line(expanding(2, 5), now, 79, false);
  const auto coloured = printer.bar_line(expanding(2, 5), now, 79, true);
  CHECK_THAT(plain, !Contains("\x1b"));
  CHECK_THAT(coloured, Contains("\x1b[32mreward 0.500\x1b[0m"));
}

TEST_CASE("JSON lines win over quiet, quiet over the terminal") {
  CHECK(choose_progress(true, true) == progress_style::json_lines);
  CHECK(choose_progress(true, false) == progress_style::json_lines);
  CHECK(choose_progress(false, true) == progress_style::none);
}
