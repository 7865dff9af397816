#include "cli/cluster_up/cluster_up.hpp"

#include "base/text.hpp"
#include "cli/cluster_up/worker_options.hpp"
#include "cli/operator/operator_client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace brewery {

namespace {

error refusal(std::string why) {
  return error{ec::invalid_argument, std::move(why)};
}

result<void> check(const worker_array& array) {
  if (array.engine.empty())
    return refusal("there is no array " + array.name
                   + " yet; say where its workers are to run: --on "
                   + join(engine_names, ", "));
  if (array.engine == "ssh" && array.hosts.empty())
    return refusal("--on ssh needs the machines: --host a --host b");
  if (array.engine != "ssh" && !array.hosts.empty())
    return refusal("--host is for --on ssh only");
  return {};
}

void take(std::vector<std::string>& into,
          const std::vector<std::string>& from) {
  if (!from.empty()) into = from;
}

std::int64_t now_s() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// How many there should be, by what the coordinator says; `busy` is filled.
result<std::uint32_t> by_load(const cluster_up_arguments& arguments,
                              worker_array& array, std::uint32_t now,
                              std::set<std::uint32_t>& busy) {
  auto client = operator_client::open(arguments.connection);
  if (!client) return client.error();
  const auto status =
      client->ask_json("status", {}, operator_client::sending::repeat);
  if (!status) return status.error();
  const auto workers =
      client->ask_json("workers", {}, operator_client::sending::repeat);
  if (!workers) return workers.error();
  busy = ids_in_list(array, *workers, true);
  const auto& jobs = (*status)["jobs"];
  const auto slots = option_value(array.worker_words, "--slots");
  const auto connected = (*status)["workers"].get<std::uint32_t>();
  scaling_bounds bounds{arguments.workers, arguments.most, 1};
  if (!slots.empty())
    bounds.slots = static_cast<std::uint32_t>(std::stoul(slots));
  else if (array.engine == "k8s" && connected > 0)
    bounds.slots = (*status)["slots"].get<std::uint32_t>() / connected;
  bounds.slots = std::max(bounds.slots, 1U);
  return wanted_workers(
      {jobs["queued"].get<std::size_t>(), jobs["running"].get<std::size_t>()},
      bounds, now, now_s(), array.enough_since_s);
}

} // namespace

result<worker_array> array_of(const cluster_up_arguments& arguments,
                              const std::optional<worker_array>& stored) {
  auto out = stored.value_or(worker_array{});
  if (stored && !arguments.engine.empty() && arguments.engine != out.engine)
    return refusal(fmt::format("array {0} is on {1}; take it down first: "
                               "`brewery cluster down --name {0}`",
                               out.name, out.engine));
  out.name = arguments.name;
  if (!arguments.engine.empty()) out.engine = arguments.engine;
  take(out.hosts, arguments.hosts);
  take(out.engine_words, arguments.options);
  if (!arguments.program.empty()) out.program = arguments.program;
  if (!arguments.directory.empty()) out.directory = arguments.directory;
  std::error_code none;
  if (out.program.empty())
    out.program =
        std::filesystem::read_symlink("/proc/self/exe", none).string();
  if (out.directory.empty())
    out.directory = std::filesystem::current_path(none).string();
  if (!arguments.deployment.empty()) out.deployment = arguments.deployment;
  if (out.deployment.empty()) out.deployment = "brewery-worker";
  if (out.engine != "k8s") out.deployment.clear();
  if (auto ok = check(out); !ok) return ok.error();
  if (!stored || !arguments.worker_words.empty()) {
    auto words = worker_options(arguments.worker_words, out.engine,
                                arguments.connection);
    if (!words) return words.error();
    out.worker_words = std::move(*words);
  }
  return out;
}

result<up_pass> bring_up(const cluster_up_arguments& arguments,
                         bool must_exist) {
  auto store = worker_array_store::open(arguments.name);
  if (!store) return store.error();
  const auto stored = worker_array_store::read(arguments.name);
  if (!stored) return stored.error();
  if (must_exist && !*stored)
    return error{ec::cancelled, "array " + arguments.name + " was taken down"};
  auto array = array_of(arguments, *stored);
  if (!array) return array.error();
  const auto there = list_workers(*array);
  if (!there) return there.error();
  up_pass out{array->engine,
              arguments.workers,
              static_cast<std::uint32_t>(there->size()),
              {}};
  std::set<std::uint32_t> busy;
  if (arguments.most > 0) {
    const auto wanted = by_load(arguments, *array, out.were, busy);
    if (!wanted) return wanted.error();
    out.wanted = *wanted;
  }
  out.change = change_to(out.wanted, *there, busy);
  if (auto ok = apply(out.change, *array, *store); !ok) return ok.error();
  if (auto ok = store->save(*array); !ok) return ok.error();
  return out;
}

std::set<std::uint32_t> ids_in_list(const worker_array& array,
                                    const nlohmann::ordered_json& workers,
                                    bool only_busy) {
  std::set<std::string> names;
  for (const auto& worker : workers)
    if (!only_busy || worker["busy"].get<int>() > 0)
      names.insert(worker["name"].get<std::string>());
  std::set<std::uint32_t> out;
  for (const auto& [id, handle] : array.handles)
    if (names.count(worker_name(array, id)) != 0) out.insert(id);
  return out;
}

} // namespace brewery
