#include "sim/cluster_sim.hpp"

#include "sim/reference_run.hpp"
#include "sim/simulated_work.hpp"
#include "sim/world.hpp"

#include <mutex>

namespace brewery::simulated {

namespace {

constexpr std::uint64_t shapes = 4;

/// Of every four seeds of a shape, one has a quorum of one tree out of two.
bool has_quorum(std::uint64_t seed) {
  return seed / shapes % 4 == 3;
}

brew_settings settings_of(std::uint64_t seed) {
  const auto shape = seed % shapes;
  auto out = simulated_settings();
  out.seed = 100 + shape;
  if (has_quorum(seed)) out.learner.gather_quorum = 0.5;
  out.train = simulated_tasks("train", 4 + shape % 2);
  out.learner.iterations = 3;
  out.learner.tree.candidates = 2;
  out.eval_choice.max_per_concept = 2;
  return out;
}

/// Reports a violation if the search ended in another state than expected.
void compare(sim_report& report, const final_state& outcome,
             const final_state& expected) {
  if (outcome != expected)
    report.violation = "the search ended differently than without faults";
  report.late = count_late(outcome.gathers);
}

/// The outcome of this seed's shape without faults. Computed once.
const final_state& undisturbed(std::uint64_t shape) {
  static std::once_flag once[shapes];
  static std::optional<final_state> states[shapes];
  std::call_once(once[shape], [shape] {
    sim_options calm;
    calm.seed = shape;
    calm.faults = false;
    world quiet{calm, settings_of(shape)};
    const auto report = quiet.run();
    BREWERY_ASSERT(report.violation.empty());
    states[shape] = quiet.outcome();
  });
  return *states[shape];
}

} // namespace

sim_report simulate_cluster(const sim_options& options) {
  world one{options, settings_of(options.seed)};
  auto report = one.run();
  if (!report.violation.empty()) return report;
  // With a quorum, faults decide only which trees are late. A run without a
  // cluster in which the same trees are late must give the same outcome.
  if (has_quorum(options.seed))
    compare(report, *one.outcome(),
            reference_run(settings_of(options.seed), one.outcome()->gathers));
  else
    compare(report, *one.outcome(), undisturbed(options.seed % shapes));
  return report;
}

} // namespace brewery::simulated
