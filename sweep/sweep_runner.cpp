#include "sweep/sweep_runner.hpp"

#include "base/file.hpp"
#include "run/interrupt.hpp"
#include "store/directory_lock.hpp"
#include "sweep/sweep_machine.hpp"

#include <fmt/format.h>

#include <chrono>

namespace brewery {

namespace {

using steady = std::chrono::steady_clock;

/// Why the sweep must not go on; empty: it may.
std::string over_budget(const sweep_budget& limit, const sweep_view& now,
                        steady::duration since) {
  const auto hours =
      std::chrono::duration<double, std::ratio<3600>>(since).count();
  if (limit.max_cost_usd > 0 && now.cost_usd >= limit.max_cost_usd)
    return fmt::format("budget.max_cost_usd = {}: ${:.2f} are spent",
                       limit.max_cost_usd, now.cost_usd);
  if (limit.max_hours > 0 && hours >= limit.max_hours)
    return fmt::format("budget.max_hours = {} have passed", limit.max_hours);
  return {};
}

/// Until all is played, or a signal or a limit stops it.
result<void> play_to_end(sweep_machine& machine, const sweep_budget& budget,
                         const sweep_observer& observer) {
  std::string limit;
  {
    const auto began = steady::now();
    const interrupt_watch watch{[&] {
                                  observer.on_interrupt();
                                  machine.stop();
                                },
                                [&] {
                                  machine.tick();
                                  const auto now = machine.view();
                                  observer.on_progress(now);
                                  if (!limit.empty()) return;
                                  limit = over_budget(budget, now,
                                                      steady::now() - began);
                                  if (!limit.empty()) machine.stop();
                                }};
    machine.play();
    if (watch.interrupted()) return error{ec::cancelled, "stopped"};
  }
  if (const auto broken = machine.broken()) return *broken;
  if (!limit.empty()) return error{ec::over_budget, limit};
  return {};
}

} // namespace

result<sweep_outcome> play_sweep(const sweep_plan& plan,
                                 const std::filesystem::path& directory,
                                 const sweep_observer& observer) {
  const auto lock = directory_lock::take(directory);
  if (!lock) return lock.error();
  auto before = read_sweep_state(directory);
  if (!before && before.error().code != ec::not_found) return before.error();
  auto state = extended(plan, before ? *before : sweep_state{});
  if (!state) return state.error();
  if (auto ok = write_sweep_state(directory, *state); !ok) return ok.error();
  sweep_machine machine{plan, directory, std::move(*state)};
  if (auto ok = machine.start(); !ok) return ok.error();
  if (auto ok = play_to_end(machine, plan.budget, observer); !ok)
    return ok.error();
  return sweep_outcome{machine.state(), machine.view().shared};
}

} // namespace brewery
