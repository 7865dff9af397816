#pragma once
/// What `brewery cluster` needs of an engine that people have: the command
/// lines of the engine's own programs, and what their answers mean. No engine
/// here runs anything, so all of it is tested by tables; engine_runner runs
/// the commands. The engines themselves have no state and live forever.

#include "cli/cluster_up/worker_array.hpp"

namespace brewery {

using worker_ids = std::vector<std::uint32_t>; ///< ascending

struct engine_command {
  std::vector<std::string> words; ///< program and arguments
  std::string input;              ///< for its standard input
  std::string where = {};         ///< for messages: "on host a"; may be empty
};

/// A worker that the engine runs, or will.
struct engine_worker {
  std::uint32_t id = 0;
  bool running = false; ///< else it waits for its turn
};

class worker_engine {
public:
  virtual ~worker_engine() = default;

  /// Asks what there is. None if there can be nothing.
  [[nodiscard]] virtual std::vector<engine_command>
  list(const worker_array& array) const = 0;
  /// Their answer, in one text. Error ec::malformed.
  [[nodiscard]] virtual result<std::vector<engine_worker>>
  listed(const worker_array& array, const std::string& answer) const = 0;

  [[nodiscard]] virtual std::vector<engine_command>
  start(const worker_array& array, const worker_ids& ids) const = 0;
  /// The handles in the answer to one command of `start`.
  [[nodiscard]] virtual result<std::map<std::uint32_t, std::string>>
  started(const worker_ids& ids, const std::string& answer) const = 0;

  /// With SIGTERM, so that workers hand back what they do not finish within
  /// their --grace.
  [[nodiscard]] virtual std::vector<engine_command>
  stop(const worker_array& array, const worker_ids& ids) const = 0;
};

inline const std::vector<std::string> engine_names{"slurm", "ray", "k8s",
                                                   "ssh"};
/// One of engine_names.
const worker_engine& engine_of(const std::string& name);

const worker_engine& slurm_engine();
const worker_engine& ray_engine();
const worker_engine& k8s_engine();
const worker_engine& ssh_engine();

/// Lines of two words, "3 running": the first is an id. Lines of other forms
/// are passed over: programs print notes of their own.
std::map<std::uint32_t, std::string> id_lines(const std::string& text);

/// Workers by such lines: `running` or another state.
std::vector<engine_worker> workers_of_lines(const std::string& text);

/// {0, 1, 2, 5} as "0-2,5".
std::string id_ranges(const worker_ids& ids);

} // namespace brewery
