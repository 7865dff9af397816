#include "run/evaluation/left_out.hpp"

#include "messages/job_msgs.hpp"
#include "messages/reused_from.hpp"
#include "messages/wire/codec.hpp"
#include "run/evaluation/contribution.hpp"
#include "store/event_log.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <set>

namespace brewery {

namespace {

using shown_documents = std::set<doc_hash>;

/// The results of a log by their job.
class logged_results {
public:
  static result<logged_results> open(const run_directory& run) {
    auto log = event_log::open_for_reading(run.path());
    if (!log) return log.error();
    logged_results out;
    out.log_ = std::move(*log);
    const auto visit = [&](const event_row& row) -> result<void> {
      if (row.kind == job_result::type_name) out.events_[row.key] = row.seq;
      return {};
    };
    if (auto ok = out.log_->for_each(visit, job_result::type_name); !ok)
      return ok.error();
    return out;
  }

  /// What the attempt was shown; one that was not played, what the attempt was
  /// shown that stands for it. Nothing of an attempt without a result.
  result<shown_documents> shown_in(const job_id& id) const {
    const auto found = events_.find(id.value);
    if (found == events_.end()) return shown_documents{};
    const auto row = log_->read(found->second);
    if (!row) return row.error();
    const auto answer = wire::decode<job_result>(row->payload);
    if (!answer)
      return error{answer.error().code,
                   fmt::format("event {} of the log: {}", row->seq,
                               answer.error().message)};
    const auto* made = std::get_if<rollout_result>(&answer->output);
    if (!made) return shown_documents{};
    if (const auto played = with_trajectory(id, made->reused_from);
        played != id)
      return shown_in(played);
    shown_documents out;
    for (const auto& record : made->retrievals)
      out.insert(record.documents.begin(), record.documents.end());
    return out;
  }

private:
  std::unique_ptr<event_log> log_;
  std::map<std::string, std::uint64_t> events_; ///< job -> event
};

evaluation_arm arm_without(const evaluation_arm& whole, const doc_ref& left_out,
                           std::vector<learner_task> tasks) {
  evaluation_arm out{left_out_name(left_out.concept_ref),
                     whole.settings,
                     {},
                     std::move(tasks)};
  for (const auto& one : whole.knowledge)
    if (one.concept_ref != left_out.concept_ref) out.knowledge.push_back(one);
  return out;
}

} // namespace

result<std::vector<evaluation_arm>>
left_out_arms(const run_directory& run, const evaluation_arm& whole,
              const std::vector<learner_task>& tasks, std::uint32_t trials) {
  const auto results = logged_results::open(run);
  if (!results) return results.error();
  std::map<doc_hash, std::vector<learner_task>> readers;
  for (const auto& task : tasks) {
    shown_documents shown;
    for (std::uint32_t i = 0; i < trials; ++i) {
      const auto job =
          make_rollout_job(whole.settings, task.id, i, whole.knowledge, false);
      auto some = results->shown_in(job.id);
      if (!some) return some.error();
      shown.merge(*some);
    }
    for (const auto& hash : shown)
      readers[hash].push_back(task);
  }
  std::vector<evaluation_arm> out;
  for (const auto& one : whole.knowledge)
    if (const auto found = readers.find(one.hash); found != readers.end())
      out.push_back(arm_without(whole, one, found->second));
  return out;
}

} // namespace brewery
