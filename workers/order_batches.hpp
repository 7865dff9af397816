#pragma once
/// Orders on their way to workers. What one step orders for a worker goes
/// together. An acknowledgement waits for another order and goes before it: a
/// worker that gets jobs all the time is woken once for both. One that hears of
/// it later keeps a result longer, and nothing else. PURE.

#include "cluster/worker_orders.hpp"

#include <unordered_map>
#include <utility>
#include <vector>

namespace brewery {

class order_batches {
public:
  /// How long an acknowledgement may wait.
  static constexpr std::chrono::milliseconds hold_for{20};

  using batch = std::pair<worker_id, std::vector<worker_order>>;

  void add(worker_id worker, worker_order order) {
    auto& mine = waiting_[worker];
    const bool is_due = !std::holds_alternative<result_settled>(order);
    mine.orders.push_back(std::move(order));
    if (is_due && !std::exchange(mine.is_due, true)) due_.push_back(worker);
  }

  /// The orders for workers that have more than acknowledgements.
  std::vector<batch> take_due() {
    std::vector<batch> out;
    for (const auto worker : std::exchange(due_, {}))
      if (auto mine = waiting_.extract(worker); !mine.empty())
        out.emplace_back(worker, std::move(mine.mapped().orders));
    return out;
  }

  std::vector<batch> take_all() {
    auto out = take_due();
    for (auto& [worker, mine] : std::exchange(waiting_, {}))
      out.emplace_back(worker, std::move(mine.orders));
    return out;
  }

  /// A worker that has left gets no more.
  void forget(worker_id worker) { waiting_.erase(worker); }
  [[nodiscard]] bool is_due() const { return !due_.empty(); }
  [[nodiscard]] bool empty() const { return waiting_.empty(); }

private:
  struct pending {
    std::vector<worker_order> orders;
    bool is_due = false;
  };
  std::unordered_map<worker_id, pending> waiting_;
  std::vector<worker_id> due_; ///< some may have left
};

} // namespace brewery
