#include "run/setup/problem.hpp"
#include "run/setup/run_checks.hpp"
#include "sweep/sweep_folder.hpp"
#include "sweep/sweep_runner.hpp"
#include "sweep/sweep_workers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

bool is_run_of(const sweep_plan& plan, const std::string& run) {
  return std::ranges::any_of(plan.points, [&](const auto& point) {
    return std::ranges::any_of(plan.seeds, [&](std::uint64_t seed) {
      return sweep_run_id(point.name, seed) == run;
    });
  });
}

/// `known`: the memories of earlier points, each of which is started once.
result<void> can_learn(const config& options,
                       std::vector<memory_port_options>& known) {
  if (auto ok = check_learners(options); !ok) return ok;
  if (!asks_memory(options)
      || std::ranges::find(known, options.memory_port) != known.end())
    return {};
  known.push_back(options.memory_port);
  return check_memory(options);
}

} // namespace

result<void> can_sweep(const sweep_plan& plan, const sweep_state& before,
                       const std::filesystem::path& directory) {
  if (auto ok = extended(plan, before); !ok) return ok.error();
  if (plan.points.front().options.run.workers > 0)
    if (auto ok = options_of_workers(plan); !ok) return ok.error();
  std::vector<memory_port_options> memories;
  for (const auto& point : plan.points) {
    const auto refuse = [&](const error& why) {
      return error{why.code,
                   fmt::format("point {}: {}", point.name, why.message)};
    };
    const auto options = options_of_run(point, plan.seeds.front(), directory);
    const auto what = load_problem(options);
    if (!what) return refuse(what.error());
    if (auto ok = can_begin(options, {}); !ok) return refuse(ok.error());
    const auto has_begun = [&](std::uint64_t seed) {
      std::error_code ignored;
      return std::filesystem::exists(directory / sweep_run_id(point.name, seed),
                                     ignored);
    };
    if (!has_begun(plan.seeds.front()))
      if (auto ok = can_learn(options, memories); !ok)
        return refuse(ok.error());
    for (const auto seed : plan.seeds) {
      const auto own = options_of_run(point, seed, directory);
      if (auto ok = can_go_on_in(directory, sweep_run_id(point.name, seed), own,
                                 "--out");
          !ok)
        return ok;
      if (!has_begun(seed)) {
        if (auto ok = check_memory_port(own, *what->source); !ok) return ok;
        if (auto ok = check_starts(*what); !ok) return ok;
      }
      // One of the sweep's own runs will be there when its turn comes.
      if (has_begun(seed)
          || std::ranges::any_of(
              own.economy.reuse_from,
              [&](const std::string& run) { return is_run_of(plan, run); }))
        continue;
      if (auto ok = can_reuse(own, *what, {}); !ok)
        return error{ok.error().code,
                     fmt::format("run {}: {}", sweep_run_id(point.name, seed),
                                 ok.error().message)};
    }
  }
  return {};
}

} // namespace brewery
