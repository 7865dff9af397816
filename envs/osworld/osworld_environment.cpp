#include "envs/osworld/osworld_environment.hpp"

#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "envs/osworld/grading/native_names.hpp"
#include "envs/osworld/observation/linear_tree.hpp"

#include <fmt/format.h>

namespace brewery::osworld {

namespace {

error as_environment(error failed, const desktop_task& task) {
  return {ec::environment,
          fmt::format("task {}: {}", task.id.value, failed.message)};
}

/// The last line of what a program said about its failure.
std::string last_line(std::string_view text) {
  text = trim(text);
  const auto end = text.find_last_of('\n');
  if (end != std::string_view::npos) text = text.substr(end + 1);
  return printable(utf8_prefix(text, 300));
}

} // namespace

result<desktop_pool::lease>
desktop_source::take(desktop_pool::clock::time_point deadline) {
  std::shared_ptr<desktop_pool> pool;
  {
    const std::lock_guard guard{mutex_};
    if (!pool_) {
      auto made = make_();
      if (!made) return made.error();
      pool_ = std::move(*made);
    }
    pool = pool_;
  }
  return pool->take(deadline);
}

void desktop_source::release() {
  const std::lock_guard guard{mutex_};
  if (pool_) pool_->release();
}

std::string screenshot_line(const screen& shown) {
  return fmt::format("screenshot {} {}x{}", content_hash(shown.png),
                     shown.width_px, shown.height_px);
}

osworld_environment::osworld_environment(
    std::shared_ptr<const play_rules> rules, const desktop_task& task,
    desktop_pool::lease desktop)
    : rules_(std::move(rules)), task_(task), desktop_(std::move(desktop)),
      guest_(desktop_.address(), rules_->limits) {}

result<std::unique_ptr<environment>>
osworld_environment::start(std::shared_ptr<const play_rules> rules,
                           const desktop_task& task) {
  auto desktop =
      rules->desktops->take(desktop_pool::clock::now() + rules->take_timeout);
  if (!desktop) return as_environment(desktop.error(), task);
  std::unique_ptr<osworld_environment> made{
      new osworld_environment{rules, task, std::move(*desktop)}};
  if (auto ok = made->set_up(); !ok) return as_environment(ok.error(), task);
  return std::unique_ptr<environment>{std::move(made)};
}

setup_scene osworld_environment::scene() {
  return {guest_, *rules_->files, rules_->facts, saved_, rules_->pause};
}

result<void> osworld_environment::set_up() {
  const auto done = run_setup(task_.config, scene(), setup_mode::strict);
  if (!done) return done.error();
  rules_->pause(rules_->start_pause);
  return {};
}

tool_result osworld_environment::broke(const error& what) {
  broken_ = as_environment(what, task_);
  over_ = true;
  return {"Not run: the environment broke.", true};
}

std::string osworld_environment::briefing() const {
  const auto& facts = rules_->facts;
  auto out = fmt::format("You work on a desktop with a screen of {} x {} "
                         "pixels. Places are pixels from its top left corner.",
                         facts.width_px, facts.height_px);
  if (rules_->tell_password)
    out += fmt::format(" The password of the user, for sudo, is '{}'.",
                       facts.password.reveal());
  return out;
}

tool_result osworld_environment::call(std::string_view name,
                                      const json& arguments) {
  if (over_) return {"Not run: the attempt is over.", true};
  if (steps_ == rules_->steps)
    return {fmt::format("Not run: the {} steps of this task are used up.",
                        rules_->steps),
            true};
  const auto action = action_of(rules_->actions, name, arguments);
  ++steps_;
  seen_.reset();
  if (!action) return {action.error().message, true};
  return act(*action);
}

tool_result osworld_environment::act(const desktop_action& action) {
  last_ = last_action::other;
  switch (action.kind) {
  case action_kind::done:
    last_ = last_action::done;
    over_ = true;
    return {"The attempt is over; it is graded now.", false};
  case action_kind::fail:
    last_ = last_action::fail;
    over_ = true;
    return {"The attempt is given up; it is graded now.", false};
  case action_kind::wait:
    rules_->pause(rules_->wait);
    return observe("", false);
  case action_kind::code:
    break;
  }
  const auto done =
      guest_.execute({"python", "-c", runnable_code(action.code)}, false);
  if (!done) return broke(done.error());
  rules_->pause(rules_->action_pause);
  if (!done->refused.empty())
    return observe("The code did not run: " + done->refused, true);
  if (done->returncode != 0)
    return observe("The code failed: " + last_line(done->errors), true);
  return observe("", false);
}

/// The result's text: what went wrong, the screenshot's hash, the tree.
tool_result osworld_environment::observe(std::string before, bool failed) {
  const auto shown = look();
  if (!shown) return {"Not run: the environment broke.", true};
  std::vector<std::string> parts;
  if (!before.empty()) parts.push_back(std::move(before));
  if (rules_->observation.screenshot) parts.push_back(screenshot_line(*shown));
  if (rules_->observation.tree) {
    const auto elements = visible_elements(shown->accessibility);
    if (!elements)
      return broke({ec::environment,
                    "the accessibility tree: " + elements.error().message});
    parts.push_back(cut_table(tree_table(*elements), rules_->tree_bytes));
  }
  if (!shown->terminal.empty())
    parts.push_back("terminal:\n" + shown->terminal);
  return {join(parts, "\n"), failed};
}

result<screen> osworld_environment::look() {
  if (broken_) return *broken_;
  if (seen_) return *seen_;
  auto shown = guest_.screenshot();
  if (!shown) {
    broke(shown.error());
    return *broken_;
  }
  if (rules_->observation.tree) {
    auto tree = guest_.accessibility();
    if (!tree) {
      broke(tree.error());
      return *broken_;
    }
    shown->accessibility = std::move(*tree);
  }
  if (rules_->observation.terminal) {
    auto text = guest_.terminal();
    if (!text) {
      broke(text.error());
      return *broken_;
    }
    shown->terminal = text->value_or("");
  }
  if (!rules_->screenshots.empty()) keep_screenshot(shown->png);
  shown->steps_left = rules_->steps - steps_;
  seen_ = *shown;
  return shown;
}

/// By its hash, as the results name it. A full disk ends no rollout.
void osworld_environment::keep_screenshot(const std::string& png) const {
  const auto file = rules_->screenshots / (content_hash(png) + ".png");
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored)) return;
  if (make_directories(rules_->screenshots))
    static_cast<void>(write_file_atomically(file, png).has_value());
}

result<turn_outcome> osworld_environment::take_turn(const turn& move) {
  auto out = environment::take_turn(move);
  if (broken_) return *broken_;
  if (out && (over_ || steps_ == rules_->steps)) out->over = true;
  return out;
}

result<grade_report> osworld_environment::grade() {
  if (broken_) return *broken_;
  over_ = true;
  if (auto decided = decided_by_last_action(task_.graded, last_))
    return std::move(*decided);
  auto report = evaluate();
  if (!report) return as_environment(report.error(), task_);
  return report;
}

result<grade_report> osworld_environment::evaluate() {
  rules_->pause(rules_->grade_pause);
  const auto notes =
      run_setup(task_.graded.postconfig, scene(), setup_mode::lenient);
  if (!notes) return notes.error();
  if (not_native(task_.graded).empty())
    return evaluate_native(task_.graded, {guest_, *rules_->files, saved_});
  if (!rules_->official)
    return error{ec::environment, "its grade needs the official evaluators "
                                  "(environment.osworld.evaluators)"};
  return evaluate_officially(*rules_->official, task_, desktop_.address(),
                             saved_);
}

} // namespace brewery::osworld
