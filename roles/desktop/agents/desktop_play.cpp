#include "roles/desktop/agents/desktop_play.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::desktop {

namespace {

constexpr std::size_t caption_bytes = 500;
constexpr std::size_t answer_bytes = 1'000;

/// A row of a linearised tree has its columns apart by tabs. The change says
/// in a few lines what hundreds of rows say.
bool is_tree_row(std::string_view line) {
  return std::ranges::count(line, '\t') >= 3;
}

std::string without_tree(std::string_view content) {
  std::string out;
  for (const auto line : split(content, '\n'))
    if (!is_tree_row(line) && !trim(line).empty())
      out += std::string{line} + "\n";
  return excerpt(out, answer_bytes);
}

} // namespace

result<const screen*> desktop_play::look() {
  if (!screen_) {
    auto seen = env_.look();
    if (!seen) return seen.error();
    screen_ = std::move(*seen);
    size_ = {screen_->width_px, screen_->height_px};
    // A tree that cannot be read is like one that was not taken: the guest's
    // applications write it, and a screenshot does without.
    auto read = screen_->accessibility.empty()
                    ? result<accessible_tree>{accessible_tree{}}
                    : read_accessible_tree(screen_->accessibility);
    tree_ = read ? std::move(*read) : accessible_tree{};
  }
  return &*screen_;
}

std::string desktop_play::tree_text() const {
  return tree_listing(tree_);
}

grid desktop_play::size() const {
  return size_;
}

result<void> desktop_play::act(const action& wanted, std::string_view caption,
                               const json& told) {
  if (auto seen = look(); !seen) return seen.error();
  const auto before = tree_;
  auto outcome = env_.take_turn({{}, {to_call(wanted)}});
  if (!outcome) return outcome.error();
  ++made_;
  screen_.reset();
  over_ = outcome->over || wanted.what == action::kind::done
          || wanted.what == action::kind::fail;
  for (auto& step : outcome->events)
    if (auto ok = record(std::move(step), caption, told, before); !ok)
      return ok;
  return {};
}

result<void> desktop_play::record(trajectory_step step,
                                  std::string_view caption, const json& told,
                                  const accessible_tree& before) {
  if (step.requestor == "assistant" && step.tool != words_tool) {
    step.reason = single_line(collapse_spaces(caption), caption_bytes);
    if (!told.empty()) {
      auto arguments = json::parse(step.arguments, nullptr, false);
      if (!arguments.is_object()) arguments = json::object();
      arguments.update(told);
      step.arguments = arguments.dump();
    }
    if (!over_) {
      if (auto seen = look(); !seen) return seen.error();
      step.observation = observation_of(step, before);
    }
  }
  steps_.push_back(std::move(step));
  return {};
}

std::string desktop_play::observation_of(const trajectory_step& step,
                                         const accessible_tree& before) {
  auto out = without_tree(step.observation);
  if (before.nodes.empty() || tree_.nodes.empty()) return out;
  return out + tree_change(before, tree_);
}

trajectory desktop_play::take_unfinished() {
  return take(fmt::format("the agent was not done after {} (agent.max_calls)",
                          counted(made_, "step")));
}

} // namespace brewery::desktop
