#pragma once
/// What is known about the jobs of a run: existing results, jobs under way with
/// their waiters, and recorded decisions. Owned by the ledger's core, which
/// chooses the type of a waiter. PURE.
///
/// A result counts once it is journalled; `journalled` then releases it. A job
/// that is requested twice is done once, because equal ids mean equal work.

#include "messages/job_msgs.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace brewery {

/// The part of a result that runs need. Trajectories and answers stay in
/// the log.
inline job_result without_trajectory(job_result answer) {
  if (auto* rollout = std::get_if<rollout_result>(&answer.output)) {
    rollout->steps.clear();
    rollout->retrievals.clear();
    rollout->answers.clear();
  }
  return answer;
}

/// What is loaded from the log before a run resumes.
struct memo_content {
  /// Results in the log, by the number of their event. They are not loaded:
  /// they are many, and each may be large.
  std::map<job_id, std::uint64_t> logged;
  /// Results in memory: verdicts on jobs that were given up, and results of
  /// runs without a log.
  std::map<job_id, job_result> results;         ///< without trajectories
  std::map<std::string, std::string> decisions; ///< kind/key -> payload
};

template <class Waiter>
class job_memo {
public:
  explicit job_memo(memo_content known = {}) : known_(std::move(known)) {}

  enum class submission {
    answered, ///< known: `result_of` returns it
    logged,   ///< known: `event_of` returns its event
    joined,   ///< already under way; the waiter was added
    fresh,    ///< to be run now; the waiter was added
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

  [[nodiscard]] std::optional<std::uint64_t>
  event_if_logged(const job_id& id) const {
    const auto found = known_.logged.find(id);
    if (found == known_.logged.end()) return std::nullopt;
    return found->second;
  }

  const job_result& result_of(const job_id& id) const {
    return known_.results.at(id);
  }

  /// The result is on disk as event `seq`, or `seq` is 0 if there is no log. It
  /// counts from now on. Returns its waiters.
  std::vector<Waiter> journalled(const job_result& answer, std::uint64_t seq) {
    if (seq > 0)
      known_.logged.emplace(answer.id, seq);
    else
      known_.results.emplace(answer.id, without_trajectory(answer));
    return take(answer.id);
  }

  /// The job could not be done or journalled. Returns its waiters.
  std::vector<Waiter> failed(const job_id& id) { return take(id); }

  /// Nothing under way can be finished any more. Returns all waiters.
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

  /// Whether this decision is new, equals a recorded one, or contradicts the
  /// log.
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
  std::unordered_map<job_id, std::vector<Waiter>> waiting_;
};

} // namespace brewery
