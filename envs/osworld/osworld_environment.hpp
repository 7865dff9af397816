#pragma once
/// One rollout of one OSWorld task on a leased desktop: sets it up, runs the
/// agent's actions, shows the screen, and grades. Whatever breaks the desktop
/// gives no score; the lease gives it back dirty, and it is reset or replaced.

#include "envs/environment.hpp"
#include "envs/osworld/actions/action.hpp"
#include "envs/osworld/desktops/desktop_pool.hpp"
#include "envs/osworld/grading/evaluate.hpp"
#include "envs/osworld/grading/sidecar.hpp"
#include "envs/osworld/setup/setup_engine.hpp"
#include "envs/osworld/tasks/task.hpp"

#include <filesystem>
#include <functional>
#include <mutex>

namespace brewery::osworld {

/// The pool of a benchmark, made when the first rollout needs it: a machine
/// that only plans or reads results has no desktops. Thread-safe.
class desktop_source {
public:
  using maker = std::function<result<std::shared_ptr<desktop_pool>>()>;
  explicit desktop_source(maker make) : make_(std::move(make)) {}

  /// Errors: those of making the pool, or of desktop_pool::take.
  result<desktop_pool::lease> take(desktop_pool::clock::time_point deadline);
  /// Stops the desktops that nobody has.
  void release();

private:
  maker make_;
  std::mutex mutex_;
  std::shared_ptr<desktop_pool> pool_; ///< null: not made yet
};

struct observation_kind {
  bool screenshot = true; ///< its hash is in the result's text
  bool tree = true;
  bool terminal = false; ///< the focused terminal's text
};

/// How all rollouts of a benchmark are played.
struct play_rules {
  action_space actions = action_space::pyautogui;
  observation_kind observation;
  std::uint32_t steps = 15;
  std::size_t tree_bytes = 30'000;
  std::chrono::milliseconds action_pause{500};
  std::chrono::milliseconds wait{2'000};
  std::chrono::milliseconds start_pause{2'000};
  std::chrono::milliseconds grade_pause{1'000};
  std::chrono::seconds take_timeout{1'800};
  guest_limits limits;
  guest_facts facts;
  bool tell_password = true;         ///< the official images' is no secret
  std::filesystem::path screenshots; ///< empty: none is kept
  std::shared_ptr<desktop_source> desktops;
  std::shared_ptr<const file_cache> files;
  std::optional<official_evaluators> official;
  /// Waits; a test passes one that does not.
  std::function<void(std::chrono::milliseconds)> pause;
};

class osworld_environment final : public environment {
public:
  /// Error ec::environment: no desktop, or it could not be set up.
  static result<std::unique_ptr<environment>>
  start(std::shared_ptr<const play_rules> rules, const desktop_task& task);

  const std::vector<tool_spec>& tools() const override {
    return action_tools(rules_->actions);
  }
  std::string briefing() const override;
  tool_result call(std::string_view name, const json& arguments) override;
  result<turn_outcome> take_turn(const turn& move) override;
  result<screen> look() override;
  result<grade_report> grade() override;

private:
  osworld_environment(std::shared_ptr<const play_rules> rules,
                      const desktop_task& task, desktop_pool::lease desktop);

  result<void> set_up();
  tool_result act(const desktop_action& action);
  tool_result observe(std::string before, bool failed);
  result<grade_report> evaluate();
  [[nodiscard]] setup_scene scene();
  tool_result broke(const error& what);
  void keep_screenshot(const std::string& png) const;

  std::shared_ptr<const play_rules> rules_;
  const desktop_task& task_; ///< owned by the benchmark, which outlives it
  desktop_pool::lease desktop_;
  guest_client guest_;
  std::map<std::string, std::string> saved_;
  std::optional<screen> seen_; ///< since the last action
  last_action last_ = last_action::none;
  std::uint32_t steps_ = 0;
  bool over_ = false;
  std::optional<error> broken_; ///< if set, there is no grade
};

/// "screenshot HASH WIDTHxHEIGHT", the first line of a result's text.
std::string screenshot_line(const screen& shown);

} // namespace brewery::osworld
