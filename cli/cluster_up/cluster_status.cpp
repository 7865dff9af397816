#include "cli/cluster_up/cluster_status.hpp"

#include "base/text.hpp"
#include "cli/cluster_up/cluster_up.hpp"
#include "cli/json_line.hpp"
#include "cli/operator/operator_client.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

/// The arrays that a command is about. Error ec::not_found.
result<std::vector<worker_array>> arrays(const std::string& name) {
  std::vector<worker_array> out;
  const auto known = worker_array_store::names();
  for (const auto& one : known) {
    if (!name.empty() && one != name) continue;
    auto array = worker_array_store::read(one);
    if (!array) return array.error();
    if (*array) out.push_back(std::move(**array));
  }
  if (out.empty() && !name.empty())
    return error{ec::not_found,
                 fmt::format("there is no array {}{}; `brewery cluster up` "
                             "makes one",
                             name, suggest_choice(name, known))};
  return out;
}

/// -1: the coordinator gave no answer.
int connected(const worker_array& array,
              const result<nlohmann::ordered_json>& workers) {
  if (!workers) return -1;
  if (array.engine != "k8s")
    return static_cast<int>(ids_in_list(array, *workers).size());
  return static_cast<int>(
      std::count_if(workers->begin(), workers->end(), [&](const auto& worker) {
        return worker["name"].template get<std::string>().rfind(
                   array.deployment + '-', 0)
               == 0;
      }));
}

/// What is wrong with the array, in one line; else "".
std::string trouble(const worker_array& array,
                    const std::vector<engine_worker>& there,
                    std::size_t running, int on_coordinator) {
  auto gone = array.handles;
  for (const auto& worker : there)
    gone.erase(worker.id);
  if (array.engine == "k8s") gone.clear();
  if (!gone.empty())
    return fmt::format("{}: {} ended without `cluster`; why is in {}/{}\n",
                       array.name, counted(gone.size(), "worker"),
                       array.directory, worker_log(array, gone.begin()->first));
  if (running > 0 && on_coordinator == 0)
    return fmt::format(
        "{}: none of its workers has reached this coordinator; "
        "why is in {}\n",
        array.name,
        array.engine == "k8s"
            ? "`kubectl logs deployment/" + array.deployment + '`'
            : array.directory + '/' + worker_log(array, there.front().id));
  return {};
}

} // namespace

int cluster_status_command(const cluster_status_arguments& arguments) {
  const auto all = arrays(arguments.name);
  if (!all) return report(all.error());
  if (all->empty() && !arguments.json)
    std::fputs("no array of workers; `brewery cluster up` makes one\n", stdout);
  if (all->empty()) return exit_ok;
  const auto workers = ask_coordinator(arguments.connection, "workers", {},
                                       operator_client::sending::repeat);
  int code = workers ? exit_ok : report(workers.error());
  std::vector<std::vector<std::string>> rows{
      {"array", "engine", "running", "waiting", "connected"}};
  std::string troubles;
  for (const auto& array : *all) {
    const auto there = list_workers(array);
    if (!there) {
      code = report(there.error());
      continue;
    }
    const auto running = static_cast<std::size_t>(
        std::count_if(there->begin(), there->end(),
                      [](const engine_worker& w) { return w.running; }));
    const auto waiting = there->size() - running;
    const int joined = connected(array, workers);
    troubles += trouble(array, *there, running, joined);
    rows.push_back({array.name, array.engine, std::to_string(running),
                    std::to_string(waiting),
                    joined < 0 ? "?" : std::to_string(joined)});
    nlohmann::ordered_json row{{"name", array.name},
                               {"engine", array.engine},
                               {"running", running},
                               {"waiting", waiting}};
    if (joined >= 0) row["connected"] = joined;
    if (arguments.json) std::fputs(json_line("cluster", row).c_str(), stdout);
  }
  if (!arguments.json && rows.size() > 1)
    std::fputs((fitted_table(rows) + troubles).c_str(), stdout);
  return code;
}

int cluster_down_command(const cluster_status_arguments& arguments) {
  const auto known = arrays(arguments.name);
  if (!known) return report(known.error());
  auto store = worker_array_store::open(arguments.name);
  if (!store) return report(store.error());
  // Again, under the lock: it may have changed.
  const auto stored = worker_array_store::read(arguments.name);
  if (!stored) return report(stored.error());
  auto array = stored->value_or(known->front());
  const auto there = list_workers(array);
  if (!there) return report(there.error());
  const auto change = change_to(0, *there);
  if (auto ok = apply(change, array, *store); !ok) return report(ok.error());
  if (auto ok = store->remove(array); !ok) return report(ok.error());
  std::fputs(arguments.json
                 ? json_line("cluster", {{"name", array.name},
                                         {"engine", array.engine},
                                         {"ended", change.stop.size()}})
                       .c_str()
                 : fmt::format("{} on {}: {} told to end\n", array.name,
                               array.engine,
                               counted(change.stop.size(), "worker"))
                       .c_str(),
             stdout);
  return exit_ok;
}

} // namespace brewery
