#include "sweep/run_end.hpp"

#include "run/arms.hpp"
#include "store/run_status.hpp"

namespace brewery {

namespace {

std::optional<double> score_of(const run_summary& summary,
                               std::string_view arm) {
  for (const auto& one : summary.arms)
    if (one.record.name == arm && is_graded(one)) return one.success.value;
  return std::nullopt;
}

} // namespace

void forget_end(sweep_run& run) {
  run.cut.reset();
  run.score.reset();
  run.without_documents.reset();
}

void note_end(sweep_run& run, const result<run_summary>& summary,
              const config& options, const std::filesystem::path& directory) {
  if (summary) {
    run.state = sweep_run_state::finished;
    run.reason.clear();
    run.score = score_of(*summary, scored_arm(options));
    run.without_documents = score_of(*summary, "no KB");
    run.rollouts = summary->rollouts;
  } else if (summary.error().code != ec::cancelled) {
    run.state = sweep_run_state::failed;
    run.reason = summary.error().message;
  }
  note_status(run, directory);
}

void note_status(sweep_run& run, const std::filesystem::path& directory) {
  const auto status = read_run_status(directory / run.run);
  if (!status) return;
  run.rollouts = std::max(run.rollouts, status->rollouts);
  run.cost_usd = status->cost_usd;
}

} // namespace brewery
