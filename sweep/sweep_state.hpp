#pragma once
/// `sweep.json` in the directory of a sweep: its points, their runs, and what
/// these came to. Written atomically. The logs of the runs are the truth; this
/// file says which runs belong together.
///
///   {"version": 1, "points": [{"name": "3x3", "options": {"search.max_width":
///    "3"}, "runs": [{"seed": 1, "run": "3x3-s1", "state": "finished", ...}]}]}
///
/// A run that was cut has "cut": {"rung": 1, "after": 2, "score": 0.41}.

#include "sweep/sweep_file.hpp"

#include <optional>

namespace brewery {

enum class sweep_run_state : std::uint8_t {
  waiting, ///< it has not begun
  begun,   ///< it has a folder; it runs, or was stopped or killed
  finished,
  failed, ///< it ended with an error, which is the reason
  cut,    ///< by halving: it is held, and goes on only if that is undone
};

std::string_view to_string(sweep_run_state state);

/// Where halving took a point out.
struct sweep_cut {
  std::size_t rung = 0;    ///< from 1
  std::uint32_t after = 0; ///< the iteration
  double score = 0;        ///< of the point there: see sweep/halving.hpp
  bool operator==(const sweep_cut&) const = default;
};

struct sweep_run {
  std::uint64_t seed = 0;
  std::string run; ///< its folder in the sweep's
  sweep_run_state state = sweep_run_state::waiting;
  std::string reason{};          ///< why it failed, or "cancelled"; one line
  std::optional<double> score{}; ///< of its `scored_arm`, on the sealed tasks
  std::optional<double> without_documents{}; ///< no documents, the same tasks
  std::uint64_t rollouts = 0;                ///< of its log
  double cost_usd = 0;
  std::optional<sweep_cut> cut{}; ///< in the state `cut`
  bool operator==(const sweep_run&) const = default;
};

struct sweep_point_state {
  std::string name;
  std::vector<std::pair<std::string, std::string>> options; ///< key, TOML
  std::vector<sweep_run> runs; ///< in the order of the seeds
  bool operator==(const sweep_point_state&) const = default;
};

struct sweep_state {
  std::vector<sweep_point_state> points;
  bool operator==(const sweep_state&) const = default;
};

std::filesystem::path sweep_state_file(const std::filesystem::path& sweep);

/// Error ec::not_found: the directory has no sweep. ec::corrupt,
/// ec::version_mismatch: it cannot be read.
result<sweep_state> read_sweep_state(const std::filesystem::path& sweep);

result<void> write_sweep_state(const std::filesystem::path& sweep,
                               const sweep_state& state);

/// The state of a planned sweep, with what `before` knows of its runs. Points
/// and seeds that only `before` has are kept, after those of the plan: a sweep
/// never forgets a run that was paid for. Error ec::invalid_argument: a point
/// of that name has other options.
result<sweep_state> extended(const sweep_plan& plan, const sweep_state& before);

} // namespace brewery
