#pragma once
/// The agent without a language model on a desktop. It reads the accessibility
/// tree and acts by its elements. It follows the rules of the retrieved
/// documents, and otherwise explores; it knows no application and no task.
///
/// One attempt:
///   1. Retrieve documents with the task's instruction.
///   2. A rule whose application is in front and whose words the task has: make
///      its moves; it says how the attempt ends, too.
///   3. Otherwise a random move, mostly on the element whose name is most like
///      the task: press it, type a text that the task quotes, or press a key.
///      On an empty screen it opens a terminal, and in one it runs commands of
///      every Unix on the texts that the task quotes.
///      Now and then, stop or give up: without documents nobody says when a
///      task is done, or cannot be done.
///   4. After agent.explore_writes moves of this kind, say that it is done.

#include "roles/options.hpp"
#include "roles/procedural/rule_reading.hpp"
#include "roles/roles.hpp"

namespace brewery::desktop {

class procedural_desktop_agent final : public agent {
public:
  explicit procedural_desktop_agent(const agent_options& options)
      : options_(options) {}

  std::string fingerprint() const override;
  result<trajectory> attempt(const task_info& task, environment& env,
                             retrieval_session& retrieval,
                             std::uint64_t draw_key,
                             job_context& context) const override;

private:
  agent_options options_;
  guidance_cache rules_; ///< for all rollouts
};

/// Members of a step's recorded arguments, for the reflector: the move as
/// documents write it, and the screen's first line before it.
inline constexpr const char* move_member = "does";
inline constexpr const char* place_member = "on";
/// The reading call that the conditions of these documents name.
inline constexpr const char* screen_call = "screen()";

} // namespace brewery::desktop
