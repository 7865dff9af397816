#include "cli/progress_printer.hpp"

#include "cli/json_line.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unistd.h>

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

void print_json(const nlohmann::ordered_json& value) {
  std::fputs(json_line(value).c_str(), stdout);
  std::fflush(stdout);
}

} // namespace

progress_style choose_progress(bool as_json_lines, bool quiet) {
  if (as_json_lines) return progress_style::json_lines;
  if (quiet) return progress_style::none;
  return ::isatty(STDERR_FILENO) != 0 ? progress_style::terminal
                                      : progress_style::plain;
}

progress_printer::progress_printer(progress_style style) : style_(style) {}

double progress_printer::seconds_left(const progress_view& view,
                                      clock::time_point now) {
  if (view.search != search_) {
    search_ = view.search;
    search_began_ = now;
  }
  if (view.iteration == 0 || view.iterations == 0) return -1;
  const double spent = seconds(now - search_began_).count();
  const double tree_share =
      view.trees == 0 ? 0
                      : static_cast<double>(view.trees_reported) / view.trees;
  const double done = view.iteration + tree_share;
  return spent / std::max(done, 0.5)
         * std::max(0.0, view.iterations + 1 - done);
}

std::string progress_printer::line(const progress_view& view,
                                   clock::time_point now) {
  const double left = seconds_left(view, now);
  const double spent = std::max(1e-3, seconds(now - began_).count());
  std::string out = fmt::format("{}: {}", view.search, view.phase);
  if (view.phase == "expanding")
    out += fmt::format(" {}/{}, barrier {}/{}", view.iteration, view.iterations,
                       view.trees_reported, view.trees);
  // The time left comes first, where a narrow terminal still shows it.
  if (left >= 0) out += " | left about " + duration_text(left);
  out += fmt::format(" | jobs {}/{} | rollouts {}, {:.0f}/s",
                     view.jobs_answered, view.jobs_submitted, view.rollouts_run,
                     static_cast<double>(view.rollouts_run) / spent);
  if (!view.best_rewards.empty())
    out += fmt::format(
        " | best reward mean {:.3f}, max {:.3f}",
        mean_reward(view.best_rewards),
        *std::max_element(view.best_rewards.begin(), view.best_rewards.end()));
  if (!view.models.empty()) out += " | " + view.models;
  if (view.reports_late > 0)
    out += fmt::format(" | late reports {}", view.reports_late);
  if (view.environment_errors > 0)
    out += fmt::format(" | environment errors {}", view.environment_errors);
  return out;
}

void progress_printer::show(const progress_view& view, clock::time_point now) {
  if (style_ == progress_style::none || view.search.empty()) return;
  const bool news =
      view.phase != last_phase_ || view.iteration != last_iteration_;
  const auto text = line(view, now);
  const auto since = seconds(now - last_shown_);
  if (style_ == progress_style::terminal) {
    // A wrapped line cannot be rewritten.
    const auto shown = text.substr(0, columns(stderr) - 1);
    std::fprintf(stderr, "\r\033[K%s", shown.c_str());
    std::fflush(stderr);
    dirty_ = true;
  } else if (style_ == progress_style::plain) {
    if (!news && since < plain_interval) return;
    std::fprintf(stderr, "%s\n", text.c_str());
  } else {
    if (!news && since < json_interval) return;
    nlohmann::ordered_json said{
        {"event", "progress"},
        {"search", view.search},
        {"phase", view.phase},
        {"iteration", view.iteration},
        {"iterations", view.iterations},
        {"trees", view.trees},
        {"trees_reported", view.trees_reported},
        {"jobs_answered", view.jobs_answered},
        {"jobs_submitted", view.jobs_submitted},
        {"rollouts_run", view.rollouts_run},
        {"best_reward_mean", mean_reward(view.best_rewards)},
        {"environment_errors", view.environment_errors}};
    if (view.reports_late > 0) said["late_reports"] = view.reports_late;
    print_json(said);
  }
  last_shown_ = now;
  last_phase_ = view.phase;
  last_iteration_ = view.iteration;
}

void progress_printer::finish() {
  if (dirty_) std::fprintf(stderr, "\r\033[K");
  dirty_ = false;
}

} // namespace brewery
