#include "sim/simulated_disk.hpp"

#include "cluster/ledger/memo_loader.hpp"
#include "sim/simulated_work.hpp"

namespace brewery::simulated {

void simulated_disk::append(log_row row, written done) {
  next_batch_.push_back({std::move(row), std::move(done)});
  if (!committing_) commit();
}

void simulated_disk::commit() {
  committing_ = true;
  batch_ = std::move(next_batch_);
  next_batch_.clear();
  const microseconds took{500 + static_cast<std::int64_t>(draw_.below(5'000))};
  port_.after(took, [this] { end_commit(); });
}

void simulated_disk::end_commit() {
  if (full_) {
    if (!std::exchange(stuck_, true)) on_stuck(true);
    return port_.after(microseconds{200'000}, [this] { end_commit(); });
  }
  if (std::exchange(stuck_, false)) on_stuck(false);
  const auto done = std::move(batch_);
  batch_.clear();
  committing_ = false;
  for (const auto& one : done)
    one.done(write(one.row));
  if (!next_batch_.empty() && !committing_) commit();
}

std::uint64_t simulated_disk::write(const log_row& row) {
  if (row.kind == job_result::type_name || row.kind == verdict_event) {
    if (!log_.results.insert(row.key).second)
      port_.violated("the log has two results of job " + row.key);
    check_grade(row);
  }
  log_.rows.push_back(row);
  return log_.rows.size();
}

/// If only graders grade, a rollout's grade must be on disk before the rollout.
void simulated_disk::check_grade(const log_row& row) {
  const auto answer = wire::decode<job_result>(row.payload);
  if (!answer) return port_.violated("a result in the log cannot be read");
  if (std::holds_alternative<grade_result>(answer->output)) ++log_.grades;
  const auto* rollout = std::get_if<rollout_result>(&answer->output);
  if (rollout && log_.grades_first
      && !log_.results.contains(
          grade_work(rollout->id, rollout->task).id.value))
    port_.violated("the log has rollout " + row.key + ", but not its grade");
}

void simulated_disk::lose_memory(bool batch_made_it) {
  if (!committing_ || !batch_made_it || full_) return;
  for (const auto& one : batch_)
    write(one.row);
}

} // namespace brewery::simulated
