#pragma once
/// What `brewery runs` shows of a run: its state and its rewards. Read from the
/// event log, even while a process writes it.

#include "base/result.hpp"
#include "store/run_directory.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace brewery {

enum class run_state : std::uint8_t {
  running,     ///< a process holds its lock
  interrupted, ///< no process does, and there is no report: resume it
  finished,    ///< it has a report
  unreadable,  ///< `problem` gives the reason
};

std::string_view to_string(run_state state);

/// The mean reward of an arm.
struct arm_overview {
  std::string name; ///< "no KB", "mcts", ...
  std::string split;
  std::size_t tasks = 0;
  double reward = 0;
};

struct run_overview {
  std::string id;
  run_state state = run_state::interrupted;
  std::uint32_t iteration = 0;  ///< of the last closed barrier
  std::uint32_t iterations = 0; ///< M of its configuration
  std::size_t concepts = 0;
  std::uint64_t events = 0; ///< rows of the log
  double reward = 0;        ///< mean over concepts of the best document's R
  std::uint64_t late_reports = 0; ///< with a quorum: over all searches
  std::vector<arm_overview> arms; ///< evaluations, in order
  std::string problem;            ///< one line; empty if all was readable
};

run_overview overview_of(const run_directory& run);

} // namespace brewery
