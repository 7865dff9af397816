#include "cluster/sharing/share_core.hpp"

#include "cluster/job_spec.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace brewery {

namespace {

/// Where an environment broke, another attempt may get through, and a retry is
/// to be one.
bool is_shareable(const packed_result& outcome) {
  const auto* rollout = std::get_if<rollout_result>(&outcome.brief.output);
  return is_result(outcome)
         && (!rollout
             || rollout->outcome != rollout_outcome::environment_error);
}

} // namespace

share_step share_core::ask(const run_id& run, job work, asker_id asker) {
  share_step out;
  const auto id = work.id;
  if (const auto done = on_the_way_.find(id); done != on_the_way_.end()) {
    out.shared = 1;
    out.answers.push_back({asker, done->second});
    return out;
  }
  const auto [open, first] = open_.try_emplace(id);
  open->second.waiting.push_back({run, asker});
  if (!first) return out;
  open->second.work = std::move(work);
  if (const auto known = logged_.find(id); known != logged_.end())
    out.read.push_back({id, known->second});
  else
    out.play.push_back({run, open->second.work});
  return out;
}

share_step share_core::played(const job_id& job,
                              result<packed_result> outcome) {
  const auto open = open_.find(job);
  BREWERY_ASSERT(open != open_.end());
  if (outcome && is_shareable(*outcome))
    return answer_all(job, kept_once(std::move(*outcome)), true);
  const auto asker = open->second.waiting.front().asker;
  open->second.waiting.pop_front();
  auto out = play_next(job);
  out.answers.push_back({asker, std::move(outcome)});
  return out;
}

share_step share_core::was_read(const job_id& job,
                                result<packed_result> outcome) {
  BREWERY_ASSERT(open_.contains(job));
  if (outcome && is_shareable(*outcome))
    return answer_all(job, kept_once(std::move(*outcome)), false);
  logged_.erase(job);
  return play_next(job);
}

packed_result share_core::kept_once(packed_result outcome) {
  outcome.brief = insights_.shared(std::move(outcome.brief));
  return outcome;
}

share_step share_core::play_next(const job_id& job) {
  share_step out;
  const auto open = open_.find(job);
  if (open->second.waiting.empty())
    open_.erase(open);
  else
    out.play.push_back({open->second.waiting.front().run, open->second.work});
  return out;
}

share_step share_core::answer_all(const job_id& job, packed_result outcome,
                                  bool played) {
  share_step out;
  const auto open = open_.extract(job);
  for (const auto& one : open.mapped().waiting)
    out.answers.push_back({one.asker, outcome});
  out.shared = out.answers.size() - (played ? 1 : 0);
  if (!logged_.contains(job)) on_the_way_.emplace(job, std::move(outcome));
  return out;
}

share_step share_core::stopped(const run_id& run) {
  share_step out;
  for (auto& [id, job] : open_) {
    auto& waiting = job.waiting;
    const auto behind = std::stable_partition(
        std::next(waiting.begin()), waiting.end(),
        [&](const waiting_run& one) { return one.run != run; });
    for (auto it = behind; it != waiting.end(); ++it)
      out.answers.push_back(
          {it->asker, error{ec::cancelled, "the run was told to stop"}});
    waiting.erase(behind, waiting.end());
  }
  return out;
}

void share_core::journalled(const job_id& job, shared_place place) {
  logged_.try_emplace(job, std::move(place));
  on_the_way_.erase(job);
}

} // namespace brewery
