#pragma once
/// What is known about jobs, without an actor: results that exist, jobs under
/// way and who waits for them, decisions on record. Owned by the ledger actor.
/// A waiter is whatever the owner wants to answer (a response promise there, a
/// number in tests). PURE.
///
/// A result counts once it is journalled: `journalled` releases it. A job that
/// two ask for is done once; equal ids mean equal work.

#include "messages/job_msgs.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace brewery {

/// The part of a result that searches need; trajectories and answers stay in
/// the log.
inline job_result without_trajectory(job_result answer) {
  for (auto& rollout : answer.rollout) {
    rollout.steps.clear();
    rollout.retrievals.clear();
    rollout.answers.clear();
  }
  return answer;
}

/// Loaded from the log before a run goes on.
struct memo_content {
  /// In the log, with the number of their event: many, and each may be large.
  std::map<job_id, std::uint64_t> logged;
  /// At hand: verdicts on jobs that were given up, and what no log keeps.
  std::map<job_id, job_result> results;         ///< without trajectories
  std::map<std::string, std::string> decisions; ///< kind/key -> payload
};

template <class Waiter>
class job_memo {
public:
  explicit job_memo(memo_content known = {}) : known_(std::move(known)) {}

  enum class submission {
    answered, ///< known: `result_of` has it
    logged,   ///< known: `event_of` says where
    joined,   ///< already under way; the waiter was added
    fresh,    ///< to be done now; the waiter was added
  };

  submission submit(const job_id& id, Waiter waiter) {
    if (known_.results.contains(id)) return submission::answered;
    if (known_.logged.contains(id)) return submission::logged;
    const auto [it, fresh] = waiting_.try_emplace(id);
    it->second.push_back(std::move(waiter));
    return fresh ? submission::fresh : submission::joined;
  }

  [[nodiscard]] bool knows(const job_id& id) const {
    return known_.results.contains(id) || known_.logged.contains(id);
  }

  [[nodiscard]] std::uint64_t event_of(const job_id& id) const {
    return known_.logged.at(id);
  }

  const job_result& result_of(const job_id& id) const {
    return known_.results.at(id);
  }

  /// The result is on disk, as event `seq`, or with 0 in no log: it counts from
  /// now on. Returns who waits for it.
  std::vector<Waiter> journalled(const job_result& answer, std::uint64_t seq) {
    if (seq > 0)
      known_.logged.emplace(answer.id, seq);
    else
      known_.results.emplace(answer.id, without_trajectory(answer));
    return take(answer.id);
  }

  /// The job could not be done or journalled. Returns who is to be told.
  std::vector<Waiter> failed(const job_id& id) { return take(id); }

  /// Nothing under way can be done any more. Returns everyone who waits.
  std::vector<Waiter> all_failed() {
    std::vector<Waiter> waiters;
    for (auto& [id, waiting] : waiting_)
      for (auto& waiter : waiting)
        waiters.push_back(std::move(waiter));
    waiting_.clear();
    return waiters;
  }

  [[nodiscard]] std::size_t under_way() const { return waiting_.size(); }

  enum class decision { fresh, same, different };

  /// Whether this decision is new, was made before, or contradicts the log.
  decision decide(const std::string& key, const std::string& payload) {
    const auto [it, added] = known_.decisions.try_emplace(key, payload);
    if (added) return decision::fresh;
    return it->second == payload ? decision::same : decision::different;
  }

private:
  std::vector<Waiter> take(const job_id& id) {
    const auto it = waiting_.find(id);
    if (it == waiting_.end()) return {};
    auto waiters = std::move(it->second);
    waiting_.erase(it);
    return waiters;
  }

  memo_content known_;
  std::map<job_id, std::vector<Waiter>> waiting_;
};

} // namespace brewery
