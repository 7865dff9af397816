#include "sweep/sweep_runner.hpp"

#include "base/file.hpp"
#include "run/interrupt.hpp"
#include "store/directory_lock.hpp"
#include "sweep/sweep_machine.hpp"

#include <chrono>

namespace brewery {

namespace {

using steady = std::chrono::steady_clock;

/// Until all is played, or a signal or a limit stops it.
result<void> play_to_end(sweep_machine& machine, const group_limit& budget,
                         const sweep_observer& observer) {
  std::optional<error> over;
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
                                  if (over) return;
                                  over = why_over(budget, now.cost_usd,
                                                  steady::now() - began);
                                  if (over) machine.stop();
                                }};
    machine.play();
    if (watch.interrupted()) return error{ec::cancelled, "stopped"};
  }
  if (const auto broken = machine.broken()) return *broken;
  // The limit may have been reached as the last run ended.
  if (over && machine.has_open_runs()) return *over;
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
