#pragma once
/// What an attempt of the learner MUSE (arXiv:2510.08002) brings besides its
/// trajectory: what became of its sub-tasks, and what it wants remembered.

#include "base/fields.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// One sub-task of a plan, after its last try.
struct sub_task_record {
  std::string description; ///< one line
  std::string goal;        ///< one line: how to see that it is done
  std::uint32_t tries = 0;
  std::uint32_t actions = 0; ///< tool calls of all tries
  std::uint32_t probes = 0;  ///< of the verifier, not in the trajectory
  bool met = false;          ///< the verifier's last verdict
  std::string report;        ///< why not, or what showed it; one line
  BREWERY_FIELDS(sub_task_record, description, goal, tries, actions, probes,
                 met, report)
};

/// The values of `memory_operation::store`.
namespace memory_stores {
inline constexpr std::string_view strategic = "strategic";
inline constexpr std::string_view procedural = "procedural";
inline constexpr std::string_view tool = "tool";
} // namespace memory_stores

/// Adds an entry to a memory, or replaces the one of the same name.
struct memory_operation {
  std::string store; ///< one of `memory_stores`
  /// Of a procedure its application, else the dilemma or the tool.
  std::string name;
  std::string operation;                  ///< of a procedure; else empty
  std::vector<std::string> preconditions; ///< of a procedure
  /// The steps of a procedure; one text of a strategy or a tool.
  std::vector<std::string> texts;
  std::vector<std::string> notes; ///< of a procedure
  BREWERY_FIELDS(memory_operation, store, name, operation, preconditions, texts,
                 notes)
};

/// What a look, a call of a reading tool as text, reported.
struct look_lines {
  std::string look;
  std::vector<std::string> lines;
  BREWERY_FIELDS(look_lines, look, lines)
};

/// What a rollout of this learner brings besides its trajectory.
struct muse_attempt {
  std::uint32_t checkpoints = 0; ///< met
  std::uint32_t calls = 0;       ///< tool calls in the trajectory
  std::vector<sub_task_record> sub_tasks;
  std::vector<memory_operation> memory;
  std::vector<look_lines> first; ///< what looks showed before any change
  BREWERY_FIELDS(muse_attempt, checkpoints, calls, sub_tasks, memory, first)
};

} // namespace brewery
