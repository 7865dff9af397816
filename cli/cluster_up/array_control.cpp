#include "cli/cluster_up/array_control.hpp"

#include "cli/cluster_up/engine_runner.hpp"

namespace brewery {

result<std::vector<engine_worker>> list_workers(const worker_array& array) {
  const auto& engine = engine_of(array.engine);
  const auto commands = engine.list(array);
  if (commands.empty()) return std::vector<engine_worker>{};
  std::string answer;
  for (const auto& command : commands) {
    const auto said = run_engine(command);
    if (!said) return said.error();
    answer += *said;
  }
  return engine.listed(array, answer);
}

result<void> apply(const array_change& change, worker_array& array,
                   worker_array_store& store) {
  const auto& engine = engine_of(array.engine);
  if (!change.stop.empty()) {
    for (const auto& command : engine.stop(array, change.stop))
      if (const auto said = run_engine(command); !said) return said.error();
    for (const auto id : change.stop)
      array.handles.erase(id);
    if (auto ok = store.save(array); !ok) return ok.error();
  }
  if (change.start.empty()) return {};
  for (const auto& command : engine.start(array, change.start)) {
    const auto said = run_engine(command);
    if (!said) return said.error();
    const auto handles = engine.started(change.start, *said);
    if (!handles) return handles.error();
    for (const auto& [id, handle] : *handles)
      array.handles[id] = handle;
    if (auto ok = store.save(array); !ok) return ok.error();
  }
  return {};
}

} // namespace brewery
