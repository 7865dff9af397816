#include "run/resume/seen_results.hpp"

#include "cluster/job_spec.hpp"

#include <utility>

namespace brewery {

void seen_results::given_up(failed_jobs before) {
  const std::lock_guard lock{mutex_};
  failed_ = std::move(before);
}

void seen_results::note(const job_result& answer) {
  const std::lock_guard lock{mutex_};
  if (auto found = notes_of(answer); found.empty())
    notes_.erase(answer.id);
  else if (notes_.insert_or_assign(answer.id, std::move(found)).second)
    noted_.push_back(answer.id);
  const auto* rollout = std::get_if<rollout_result>(&answer.output);
  if (rollout == nullptr) return;
  seen known{{rollout->task, {}}, rollout->duration_us};
  if (!rollout->insights.empty()) known.cited.grade = rollout->grade;
  if (const auto [it, added] =
          rollouts_.insert_or_assign(answer.id, std::move(known));
      added)
    seen_.push_back(&it->first);
  if (!rollout->reused_from.empty())
    reused_.insert_or_assign(answer.id, rollout->reused_from);
  untaught_.note(answer);
  if (auto why = why_broken(answer))
    failed_.insert_or_assign(answer.id, std::move(*why));
  else if (given_up_because(answer).empty())
    failed_.erase(answer.id);
}

void seen_results::note_reuse_check(const std::string& differs) {
  const std::lock_guard lock{mutex_};
  checks_.add_check(differs);
}

void seen_results::note_failure(const job_id& job, std::string why) {
  const std::lock_guard lock{mutex_};
  failed_.insert_or_assign(job, std::move(why));
}

void seen_results::note_no_concept() {
  const std::lock_guard lock{mutex_};
  failed_.insert(untaught_.all().begin(), untaught_.all().end());
}

void seen_results::restore(const run_growth& from) {
  const std::lock_guard lock{mutex_};
  const auto place = [](auto& list, std::size_t& count, auto value) {
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(count++), value);
  };
  for (const auto& one : from.rollouts) {
    const auto [it, added] =
        rollouts_.emplace(one.id, seen{{one.task, one.grade}, one.duration_us});
    if (!added) continue; // what came counts more
    place(seen_, restored_.rollouts, &it->first);
    if (!one.broken.empty()) failed_.emplace(one.id, one.broken);
    if (!one.reused_from.empty()) reused_.emplace(one.id, one.reused_from);
  }
  for (const auto& one : from.noted)
    if (notes_.emplace(one.id, one.notes).second)
      place(noted_, restored_.notes, one.id);
}

seen_results::told_until seen_results::restored() const {
  const std::lock_guard lock{mutex_};
  return restored_;
}

std::vector<run_growth> seen_results::growth(told_until& told) const {
  constexpr std::size_t jobs_in_part = 10'000;
  const std::lock_guard lock{mutex_};
  std::vector<run_growth> out;
  const auto part = [&]() -> run_growth& {
    if (out.empty()
        || out.back().rollouts.size() + out.back().noted.size() >= jobs_in_part)
      out.emplace_back();
    return out.back();
  };
  for (; told.rollouts < seen_.size(); ++told.rollouts) {
    const auto& job = *seen_[told.rollouts];
    const auto& known = rollouts_.at(job);
    seen_rollout one{job, known.cited.task, known.cited.grade, {},
                     {},  known.duration_us};
    if (const auto it = failed_.find(job); it != failed_.end())
      one.broken = it->second;
    if (const auto it = reused_.find(job); it != reused_.end())
      one.reused_from = it->second;
    part().rollouts.push_back(std::move(one));
  }
  for (; told.notes < noted_.size(); ++told.notes)
    if (const auto it = notes_.find(noted_[told.notes]); it != notes_.end())
      part().noted.push_back({it->first, it->second});
  return out;
}

cited_rollout seen_results::rollout(const job_id& id) const {
  const std::lock_guard lock{mutex_};
  const auto it = rollouts_.find(id);
  return it == rollouts_.end() ? cited_rollout{} : it->second.cited;
}

std::size_t seen_results::rollouts() const {
  const std::lock_guard lock{mutex_};
  return rollouts_.size();
}

played_work seen_results::played() const {
  const std::lock_guard lock{mutex_};
  played_work out;
  for (const auto& [id, one] : rollouts_)
    if (!reused_.contains(id)) out.add(one.duration_us);
  return out;
}

reuse_counts seen_results::reused() const {
  const std::lock_guard lock{mutex_};
  auto out = checks_;
  for (const auto& [id, from] : reused_)
    out.add_reused(from);
  return out;
}

std::vector<note_total> seen_results::notes() const {
  const std::lock_guard lock{mutex_};
  return total_of(notes_);
}

failed_jobs seen_results::failed() const {
  const std::lock_guard lock{mutex_};
  return failed_;
}

} // namespace brewery
