#pragma once
/// One attempt on a desktop: what the screen shows, and the steps that were
/// made. Each step is recorded with a caption (why the agent acted) and with
/// what changed on the screen. Owned by one rollout.

#include "roles/desktop/formats/desktop_action.hpp"
#include "roles/desktop/formats/smart_resize.hpp"
#include "roles/desktop/tree/tree_change.hpp"
#include "roles/roles.hpp"

#include <optional>

namespace brewery::desktop {

class desktop_play {
public:
  desktop_play(environment& env, std::uint32_t max_steps)
      : env_(env), max_steps_(max_steps) {}

  /// The screen now; looked at once between two actions. Errors are the
  /// environment's.
  result<const screen*> look();
  /// Its accessibility tree; empty if none was taken or it cannot be read.
  /// Only after `look`.
  [[nodiscard]] const accessible_tree& tree() const { return tree_; }
  /// The same as text for a model; empty if there is none.
  [[nodiscard]] std::string tree_text() const;
  [[nodiscard]] grid size() const;

  /// Does it and records it. `caption` is cut to one line of 500 bytes. `told`:
  /// members that the recorded arguments have beside those of the call.
  result<void> act(const action& wanted, std::string_view caption,
                   const json& told = json::object());

  [[nodiscard]] bool over() const { return over_; }
  [[nodiscard]] std::uint32_t made() const { return made_; }
  [[nodiscard]] std::uint32_t left() const {
    return over_ || made_ >= max_steps_ ? 0 : max_steps_ - made_;
  }

  /// Whether the next step is the last one that agent or environment allows.
  /// Only after `look`.
  [[nodiscard]] bool is_last_step() const {
    return left() == 1 || screen_.value().steps_left == 1;
  }

  /// The attempt as it stands. `why`: it was cut short; empty: it was not.
  trajectory take(std::string why = {}) {
    return {std::move(steps_), std::move(why)};
  }
  /// Cut short because the agent's model gave no reply of use.
  trajectory take_given_up(std::string why, const job_context& context) {
    auto out = take(std::move(why));
    out.broke_off = context.said_nothing;
    return out;
  }
  /// Cut short because no step is left.
  trajectory take_unfinished();

private:
  result<void> record(trajectory_step step, std::string_view caption,
                      const json& told, const accessible_tree& before);
  /// What a step shows its readers of the environment's answer.
  std::string observation_of(const trajectory_step& step,
                             const accessible_tree& before);

  environment& env_;
  std::uint32_t max_steps_;
  std::optional<screen> screen_; ///< empty: it may have changed
  grid size_;
  accessible_tree tree_;
  std::vector<trajectory_step> steps_;
  std::uint32_t made_ = 0;
  bool over_ = false;
};

} // namespace brewery::desktop
