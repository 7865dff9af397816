#include "report/sweep/rollout_tally.hpp"

#include "coordinator/recorded.hpp"
#include "messages/job_msgs.hpp"
#include "messages/wire/codec.hpp"
#include "search/barrier.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

class tally_reader {
public:
  tally_reader(const std::string& strategy, const std::set<task_id>& sealed)
      : gathers_(gather_key(strategy, 0)), sealed_(sealed) {
    gathers_.resize(gathers_.rfind(' ') + 1);
  }

  result<void> add(const event_row& row) {
    if (row.kind == gather_record::type_name && row.key.starts_with(gathers_)) {
      const auto closed = wire::decode<gather_record>(row.payload);
      if (!closed) return closed.error();
      add(*closed);
    } else if (row.kind == job_result::type_name) {
      const auto answer = wire::decode<job_result>(row.payload);
      if (!answer) return answer.error();
      if (const auto* one = std::get_if<rollout_result>(&answer->output))
        add(*one);
    }
    return {};
  }

  rollout_tally taken() { return std::move(out_); }

private:
  void add(const gather_record& closed) {
    // A step that was decided again replaces what was.
    while (!out_.curve.empty()
           && out_.curve.back().iteration >= closed.iteration)
      out_.curve.pop_back();
    if (closed.iteration == 0) versions_ = {};
    versions_.fold(closed);
    barrier_figures now{.iteration = closed.iteration,
                        .rollouts = out_.rollouts,
                        .train = {},
                        .eval = 0,
                        .reward = versions_.mean_reward()};
    const auto trees = static_cast<double>(versions_.best().size());
    for (const auto& [concept_ref, best] : versions_.best())
      now.eval += best.correctness / trees;
    double success = 0;
    std::size_t trained = 0;
    for (const auto& report : closed.reports)
      if (closed.iteration > 0 && report.note.empty()) {
        success += report.train_success;
        ++trained;
      }
    if (trained > 0) now.train = success / static_cast<double>(trained);
    out_.curve.push_back(now);
  }

  void add(const rollout_result& one) {
    ++out_.rollouts;
    out_.reused += one.reused_from.empty() ? 0 : 1;
    if (!sealed_.contains(one.task)) return;
    auto& read = read_[one.id];
    for (const auto& record : one.retrievals)
      read.insert(record.documents.begin(), record.documents.end());
    if (const auto played = read_.find({one.reused_from});
        !one.reused_from.empty() && played != read_.end())
      read = played->second;
    if (one.outcome == rollout_outcome::graded && !read.empty())
      out_.attempts.push_back({one.task, one.grade.reward, read});
  }

  std::string gathers_; ///< what the keys of its barriers begin with
  const std::set<task_id>& sealed_;
  gathered_versions versions_;
  std::map<job_id, std::set<doc_hash>> read_; ///< in attempts at sealed tasks
  rollout_tally out_;
};

} // namespace

result<rollout_tally> tally_of(const event_log& log,
                               const std::string& strategy,
                               const std::set<task_id>& sealed) {
  tally_reader reader{strategy, sealed};
  const auto visit = [&](const event_row& row) -> result<void> {
    if (auto ok = reader.add(row); !ok)
      return error{ok.error().code, fmt::format("event {} of the log: {}",
                                                row.seq, ok.error().message)};
    return {};
  };
  if (auto ok = log.for_each(visit); !ok) return ok.error();
  return reader.taken();
}

} // namespace brewery
