#include "cli/sweep/sweep_progress.hpp"

#include "base/terminal_text.hpp"
#include "base/text.hpp"
#include "cli/json_line.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

using span = std::chrono::duration<double>;

constexpr span plain_pause{5.0};
constexpr span json_pause{1.0};

std::size_t ended_runs(const sweep_view& view) {
  return view.finished + view.failed + view.cut;
}

nlohmann::ordered_json progress_json(const sweep_view& view,
                                     const std::optional<double>& left) {
  nlohmann::ordered_json out{
      {"event", "progress"},       {"runs", view.runs},
      {"finished", view.finished}, {"failed", view.failed},
      {"cut", view.cut},           {"running", view.running},
      {"rollouts", view.rollouts}, {"rollouts_shared", view.shared},
      {"cost_usd", view.cost_usd}};
  if (left) out["seconds_left"] = *left;
  return out;
}

} // namespace

std::optional<double> sweep_progress::left(const sweep_view& view,
                                           clock::time_point now) const {
  const auto ended = ended_runs(view);
  if (ended <= finished_before_ || !began_) return std::nullopt;
  const auto each = span(now - *began_).count()
                    / static_cast<double>(ended - finished_before_);
  return each * static_cast<double>(view.runs - std::min(view.runs, ended));
}

std::string sweep_progress::line(const sweep_view& view,
                                 clock::time_point now) {
  if (!began_) {
    began_ = now;
    finished_before_ = ended_runs(view);
  }
  auto out = fmt::format("{} of {} finished, {} at once, {}", view.finished,
                         counted(view.runs, "run"), view.running.size(),
                         counted(view.rollouts, "rollout"));
  if (view.shared > 0) out += fmt::format(" ({} shared)", view.shared);
  if (view.cut > 0) out += fmt::format(", {} cut", view.cut);
  if (view.failed > 0) out += fmt::format(", {} failed", view.failed);
  if (view.cost_usd > 0) out += fmt::format(", ${:.2f}", view.cost_usd);
  const auto rest = left(view, now);
  return out + ", left " + (rest ? brewery::duration_text(*rest) : "?");
}

void sweep_progress::show(const sweep_view& view, clock::time_point now) {
  if (style_ == progress_style::none) return;
  const auto text = line(view, now);
  const auto since = span(now - last_shown_);
  const bool news = ended_runs(view) != last_finished_;
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
    std::fputs(json_line(progress_json(view, left(view, now))).c_str(), stdout);
    std::fflush(stdout);
  }
  last_shown_ = now;
  last_finished_ = ended_runs(view);
}

void sweep_progress::finish() {
  if (dirty_) std::fputs("\n", stderr);
  dirty_ = false;
}

} // namespace brewery
