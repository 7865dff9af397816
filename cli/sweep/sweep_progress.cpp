#include "cli/sweep/sweep_progress.hpp"

#include "base/terminal_text.hpp"
#include "base/text.hpp"
#include "cli/json_line.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

using span = std::chrono::duration<double>;

constexpr span plain_pause{5.0};
constexpr span json_pause{1.0};

/// The count of all rollouts is some seconds old, that of shared ones is not.
std::uint64_t shared_of(const sweep_view& view) {
  return std::min(view.shared, view.rollouts);
}

nlohmann::ordered_json progress_json(const sweep_view& view,
                                     const std::optional<double>& left) {
  nlohmann::ordered_json out{{"event", "progress"},
                             {"runs", view.runs},
                             {"finished", view.finished},
                             {"failed", view.failed},
                             {"interrupted", view.interrupted},
                             {"cancelled", view.cancelled},
                             {"cut", view.cut},
                             {"running", view.running},
                             {"rollouts", view.rollouts},
                             {"rollouts_shared", shared_of(view)},
                             {"cost_usd", view.cost_usd}};
  if (left) out["seconds_left"] = *left;
  return out;
}

} // namespace

std::string sweep_progress::line(const sweep_view& view,
                                 clock::time_point now) {
  left_.observe(view, span(now.time_since_epoch()).count());
  auto out = fmt::format("{} of {} finished, {} at once, {}", view.finished,
                         counted(view.runs, "run"), view.running.size(),
                         counted(view.rollouts, "rollout"));
  if (const auto shared = shared_of(view); shared > 0)
    out += fmt::format(" ({} shared)", shared);
  for (const auto& [count, ended] :
       {std::pair{view.cut, "cut"}, std::pair{view.interrupted, "interrupted"},
        std::pair{view.cancelled, "cancelled"},
        std::pair{view.failed, "failed"}})
    if (count > 0) out += fmt::format(", {} {}", count, ended);
  if (view.cost_usd > 0) out += fmt::format(", ${:.2f}", view.cost_usd);
  const auto rest = left_.seconds();
  return out + ", left " + (rest ? brewery::duration_text(*rest) : "?");
}

void sweep_progress::show(const sweep_view& view, clock::time_point now) {
  if (style_ == progress_style::none) return;
  const auto text = line(view, now);
  const auto since = span(now - last_shown_);
  const bool news = view.ended() != last_ended_;
  if (style_ == progress_style::terminal) {
    std::fprintf(
        stderr, "\r\033[K%s",
        std::string{first_characters(text, columns(stderr) - 1)}.c_str());
    std::fflush(stderr);
    dirty_ = true;
  } else if (style_ == progress_style::plain) {
    if (!news && since < plain_pause) return;
    std::fprintf(stderr, "%s\n", text.c_str());
  } else {
    if (!news && since < json_pause) return;
    std::fputs(json_line(progress_json(view, left_.seconds())).c_str(), stdout);
    std::fflush(stdout);
  }
  last_shown_ = now;
  last_ended_ = view.ended();
}

void sweep_progress::finish() {
  if (dirty_) std::fputs("\n", stderr);
  dirty_ = false;
}

} // namespace brewery
