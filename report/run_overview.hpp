#pragma once
/// What `brewery runs` shows of a run: its state and its rewards. Read from the
/// event log, even while a process writes it.

#include "base/statistics.hpp"
#include "store/run_directory.hpp"
#include "store/run_status.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace brewery {

/// The mean reward of an arm, over the tasks with a graded attempt.
struct arm_overview {
  std::string name; ///< "no KB", "mcts", ...
  std::string split;
  std::size_t tasks = 0;
  std::optional<double> reward; ///< empty if no attempt was graded
  unscored_attempts unscored{};
};

struct run_overview {
  std::string id;
  std::string group; ///< of a coordinator's run; empty: none
  run_state state = run_state::interrupted;
  std::string reason;          ///< why it failed or stopped; may be empty
  std::int64_t started_ms = 0; ///< milliseconds since 1970
  double seconds = 0;          ///< over all sessions
  std::uint64_t seed = 0;
  double cost_usd = 0;          ///< of language models
  std::optional<double> score;  ///< success of the published documents
  double unscored_share = 0;    ///< attempts that `score` does not count
  std::uint32_t iteration = 0;  ///< of the last closed barrier, hindmost search
  std::uint32_t iterations = 0; ///< M of its configuration
  /// False: its configuration cannot be read. `iterations`, `seed` and `score`
  /// say nothing then.
  bool has_options = true;
  // Of a learner that keeps a memory, both are as in report/memory_rounds.hpp.
  std::size_t concepts = 0;
  std::uint64_t events = 0; ///< rows of the log
  /// Mean over all concepts of the best version's R, published or empty, in the
  /// search whose documents are published; empty before its first barrier, and
  /// of a learner that scores no documents.
  std::optional<double> reward;
  std::uint64_t late_reports = 0; ///< with a quorum: over all searches
  std::vector<arm_overview> arms; ///< evaluations, in order
  std::string problem;            ///< one line; empty if all was readable
};

/// `now` tells how long a run that is running has taken.
run_overview overview_of(const run_directory& run,
                         std::chrono::system_clock::time_point now);

/// A kill leaves the cost that was stored last; the recording has every call.
bool was_killed(const run_directory& run, const run_overview& about);

} // namespace brewery
