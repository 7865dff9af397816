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
  return view;
}

} // namespace

TEST_CASE("a line tells phase, barrier, jobs, rollouts and best rewards") {
  progress_printer printer{progress_style::plain};
  const auto text =
      printer.line(expanding(2, 3), progress_printer::clock::now());
  CHECK_THAT(text, Contains("mcts: expanding 2/4, barrier 3/10"));
  CHECK_THAT(text, Contains("jobs 60/90 | rollouts 50, "));
  CHECK_THAT(text, Contains("best reward mean 0.500, max 0.750"));
  CHECK_THAT(text, !Contains("errors"));
}

TEST_CASE("broken environments are told as soon as there is one") {
  progress_printer printer{progress_style::plain};
  auto view = expanding(1, 0);
  view.environment_errors = 2;
  CHECK_THAT(printer.line(view, progress_printer::clock::now()),
             Contains("environment errors 2"));
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

TEST_CASE("the time left is what the iterations so far took") {
  progress_printer printer{progress_style::plain};
  const auto began = progress_printer::clock::now();
  // Unknown before the first iteration.
  CHECK_THAT(printer.line(expanding(0, 0), began), !Contains("left"));
  // Of iterations 0 to 4, two and a half took 100 s: 40 s each.
  CHECK_THAT(printer.line(expanding(2, 5), began + 100s),
             Contains("left about 1 min 40 s"));
  CHECK_THAT(printer.line(expanding(4, 5), began + 180s),
             Contains("left about 20 s"));
  CHECK_THAT(printer.line(expanding(4, 10), began + 200s),
             Contains("left about 0 s"));
}

TEST_CASE("another search starts its own estimate") {
  progress_printer printer{progress_style::plain};
  const auto began = progress_printer::clock::now();
  static_cast<void>(printer.line(expanding(0, 0), began));
  auto next = expanding(0, 0);
  next.search = "greedy";
  CHECK_THAT(printer.line(next, began + 1000s), !Contains("left"));
  next.iteration = 1;
  CHECK_THAT(printer.line(next, began + 1010s), Contains("left about 40 s"));
}

TEST_CASE("what people wait for comes before what may be cut off") {
  progress_printer printer{progress_style::terminal};
  const auto began = progress_printer::clock::now();
  static_cast<void>(printer.line(expanding(0, 0), began));
  const auto text = printer.line(expanding(2, 5), began + 100s);
  CHECK(text.find("left about") < 79);
  CHECK(text.find("left about") < text.find("jobs"));
}

TEST_CASE("JSON lines win over quiet, quiet over the terminal") {
  CHECK(choose_progress(true, true) == progress_style::json_lines);
  CHECK(choose_progress(true, false) == progress_style::json_lines);
  CHECK(choose_progress(false, true) == progress_style::none);
}
