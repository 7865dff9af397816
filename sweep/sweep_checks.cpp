#include "run/setup/problem.hpp"
#include "run/setup/run_checks.hpp"
#include "sweep/sweep_folder.hpp"
#include "sweep/sweep_runner.hpp"
#include "sweep/sweep_workers.hpp"

#include <fmt/format.h>

namespace brewery {

result<void> can_sweep(const sweep_plan& plan, const sweep_state& before,
                       const std::filesystem::path& directory) {
  if (auto ok = extended(plan, before); !ok) return ok.error();
  if (plan.points.front().options.run.workers > 0)
    if (auto ok = options_of_workers(plan); !ok) return ok.error();
  for (const auto& point : plan.points) {
    const auto refuse = [&](const error& why) {
      return error{why.code,
                   fmt::format("point {}: {}", point.name, why.message)};
    };
    const auto options = options_of_run(point, plan.seeds.front(), directory);
    if (const auto what = load_problem(options); !what)
      return refuse(what.error());
    if (auto ok = can_begin(options, {}); !ok) return refuse(ok.error());
    std::error_code ignored;
    if (!std::filesystem::exists(
            directory / sweep_run_id(point.name, plan.seeds.front()), ignored))
      if (auto ok = check_learners(options); !ok) return refuse(ok.error());
    for (const auto seed : plan.seeds)
      if (auto ok = can_go_on_in(directory, sweep_run_id(point.name, seed),
                                 options_of_run(point, seed, directory));
          !ok)
        return ok;
  }
  return {};
}

} // namespace brewery
