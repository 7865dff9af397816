#include "cli/progress_printer.hpp"

#include "base/utf8.hpp"
#include "cli/json_line.hpp"
#include "cli/terminal.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

namespace brewery {

namespace {

using seconds = std::chrono::duration<double>;

/// Without a terminal, a line this often is enough to show progress.
constexpr seconds plain_interval{5.0};
constexpr seconds json_interval{1.0};

double mean_reward(const std::vector<double>& values) {
  return values.empty() ? 0
                        : std::accumulate(values.begin(), values.end(), 0.0)
                              / static_cast<double>(values.size());
}

std::string rate_text(double per_second) {
  return per_second < 0.95 ? fmt::format("{:.0f}/min", 60 * per_second)
                           : fmt::format("{:.0f}/s", per_second);
}

/// Where the run stands: "mcts 2/4", "no KB: evaluating on test".
std::string place_text(const progress_view& view) {
  return view.phase == "expanding"
             ? fmt::format("{} {}/{}", view.search, view.iteration,
                           view.iterations)
             : fmt::format("{}: {}", view.search, view.phase);
}

/// Where the searches stand that are ahead: "greedy 3/4, iterative 3/4". Empty:
/// there is none.
std::string ahead_text(const progress_view& view) {
  std::string out;
  for (const auto& one : view.searches)
    if (one.is_under_way() && one.search != view.search)
      out += fmt::format("{}{} {}/{}", out.empty() ? "" : ", ", one.search,
                         one.iteration, one.iterations);
  return out;
}

constexpr std::size_t bar_width = 10; ///< between its brackets

struct line_part {
  std::string text;
  std::optional<style> how{};
};

/// What the line of a terminal shows, the most important first.
std::vector<line_part> parts_of(const progress_view& view,
                                std::optional<double> left, double rate) {
  std::vector<line_part> out;
  out.push_back({"left " + (left ? duration_text(*left) : std::string{"?"}),
                 style::bold});
  if (!view.best_rewards.empty())
    out.push_back({fmt::format("reward {:.3f}", mean_reward(view.best_rewards)),
                   style::green});
  if (!view.spent.empty()) out.push_back({view.spent, style::yellow});
  if (view.environment_errors > 0)
    out.push_back(
        {fmt::format("errors {}", view.environment_errors), style::red});
  if (view.rollouts_given_up > 0)
    out.push_back(
        {fmt::format("given up {}", view.rollouts_given_up), style::red});
  if (view.reuse_wrong > 0)
    out.push_back(
        {fmt::format("reused wrongly {}", view.reuse_wrong), style::red});
  out.push_back({rate_text(rate)});
  if (view.phase == "expanding")
    out.push_back(
        {fmt::format("barrier {}/{}", view.trees_reported, view.trees)});
  if (auto ahead = ahead_text(view); !ahead.empty())
    out.push_back({"beside " + ahead});
  if (view.reports_late > 0)
    out.push_back({fmt::format("late {}", view.reports_late), style::yellow});
  out.push_back({fmt::format("rollouts {}", view.rollouts_run)});
  if (view.rollouts_reused > 0)
    out.push_back({fmt::format("reused {}", view.rollouts_reused)});
  out.push_back(
      {fmt::format("jobs {}/{}", view.jobs_answered, view.jobs_submitted)});
  if (!view.models.empty()) out.push_back({view.models});
  return out;
}

void print_json(const nlohmann::ordered_json& value) {
  std::fputs(json_line(value).c_str(), stdout);
  std::fflush(stdout);
}

} // namespace

progress_style choose_progress(bool as_json_lines, bool quiet) {
  if (as_json_lines) return progress_style::json_lines;
  if (quiet) return progress_style::none;
  return rewrites_lines(stderr) ? progress_style::terminal
                                : progress_style::plain;
}

progress_printer::progress_printer(progress_style style) : style_(style) {}

void progress_printer::observe(const progress_view& view,
                               clock::time_point now) {
  left_.observe(view, seconds(now - began_).count());
}

std::string progress_printer::line(const progress_view& view,
                                   clock::time_point now) {
  observe(view, now);
  std::string out = fmt::format("{}: {}", view.search, view.phase);
  if (view.phase == "expanding")
    out += fmt::format(" {}/{}, barrier {}/{}", view.iteration, view.iterations,
                       view.trees_reported, view.trees);
  if (const auto ahead = ahead_text(view); !ahead.empty())
    out += " | beside " + ahead;
  if (const auto left = left_.seconds())
    out += " | left about " + duration_text(*left);
  if (!view.best_rewards.empty())
    out += fmt::format(
        " | best reward mean {:.3f}, max {:.3f}",
        mean_reward(view.best_rewards),
        *std::max_element(view.best_rewards.begin(), view.best_rewards.end()));
  out += fmt::format(" | rollouts {}, {} | jobs {}/{}", view.rollouts_run,
                     rate_text(left_.rate()), view.jobs_answered,
                     view.jobs_submitted);
  if (!view.models.empty()) out += " | " + view.models;
  if (view.reports_late > 0)
    out += fmt::format(" | late reports {}", view.reports_late);
  if (view.environment_errors > 0)
    out += fmt::format(" | environment errors {}", view.environment_errors);
  if (view.rollouts_given_up > 0)
    out += fmt::format(" | given up {}", view.rollouts_given_up);
  if (view.rollouts_reused > 0)
    out += fmt::format(" | reused {}", view.rollouts_reused);
  if (view.reuse_wrong > 0)
    out += fmt::format(" | REUSED WRONGLY {}", view.reuse_wrong);
  return out;
}

std::string progress_printer::bar_line(const progress_view& view,
                                       clock::time_point now, std::size_t width,
                                       bool colour) {
  observe(view, now);
  const auto left = left_.seconds();
  const double spent = seconds(now - began_).count();
  const auto share = left ? spent / std::max(1e-9, spent + *left) : 0;
  const auto place = place_text(view);
  auto used = bar_width + 3 + count_characters(place);
  if (used > width) return std::string{first_characters(place, width)};
  auto out = fmt::format(
      "[{}] {}", styled(bar_text(share, bar_width), style::cyan, colour),
      place);
  for (const auto& one : parts_of(view, left, left_.rate())) {
    used += 3 + count_characters(one.text);
    if (used > width) break;
    out += " | ";
    out += one.how ? styled(one.text, *one.how, colour) : one.text;
  }
  return out;
}

void progress_printer::show(const progress_view& view, clock::time_point now) {
  if (style_ == progress_style::none || view.search.empty()) return;
  const bool news =
      view.phase != last_phase_ || view.iteration != last_iteration_;
  const auto since = seconds(now - last_shown_);
  if (style_ == progress_style::terminal) {
    // A wrapped line cannot be rewritten.
    const auto shown =
        bar_line(view, now, columns(stderr) - 1, colours(stderr));
    std::fprintf(stderr, "\r\033[K%s", shown.c_str());
    std::fflush(stderr);
    dirty_ = true;
  } else if (style_ == progress_style::plain) {
    const auto text = line(view, now);
    if (!news && since < plain_interval) return;
    std::fprintf(stderr, "%s\n", text.c_str());
  } else {
    observe(view, now);
    if (!news && since < json_interval) return;
    print_json(as_json(view));
  }
  last_shown_ = now;
  last_phase_ = view.phase;
  last_iteration_ = view.iteration;
}

nlohmann::ordered_json
progress_printer::as_json(const progress_view& view) const {
  nlohmann::ordered_json said{{"event", "progress"},
                              {"search", view.search},
                              {"phase", view.phase},
                              {"iteration", view.iteration},
                              {"iterations", view.iterations},
                              {"trees", view.trees},
                              {"trees_reported", view.trees_reported},
                              {"jobs_answered", view.jobs_answered},
                              {"jobs_submitted", view.jobs_submitted},
                              {"rollouts_run", view.rollouts_run},
                              {"rollouts_per_second", left_.rate()},
                              {"best_reward_mean", nullptr},
                              {"environment_errors", view.environment_errors},
                              {"rollouts_given_up", view.rollouts_given_up}};
  if (!view.best_rewards.empty())
    said["best_reward_mean"] = mean_reward(view.best_rewards);
  if (view.searches.size() > 1)
    said["searches"] = brewery::as_json(view.searches);
  if (view.rollouts_reused + view.reuse_audited > 0)
    said["reuse"] = {{"reused", view.rollouts_reused},
                     {"checked", view.reuse_audited},
                     {"wrong", view.reuse_wrong}};
  if (view.reports_late > 0) said["late_reports"] = view.reports_late;
  if (const auto left = left_.seconds()) said["seconds_left"] = *left;
  return said;
}

void progress_printer::finish() {
  if (dirty_) std::fprintf(stderr, "\r\033[K");
  dirty_ = false;
}

} // namespace brewery
