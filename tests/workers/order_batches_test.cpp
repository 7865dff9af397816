#include "workers/order_batches.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace brewery;

namespace {

constexpr worker_id worker_1{1}, worker_2{2};

lease_key attempt_key(std::uint64_t attempt) {
  return {{"r"}, {"j"}, attempt, 1};
}
worker_order ack_of(std::uint64_t attempt) {
  return result_settled{attempt_key(attempt), result_verdict::counted};
}
worker_order lease_of_attempt(std::uint64_t attempt) {
  return lease_order{attempt_key(attempt), nullptr, ""};
}

/// The attempts for each worker, acknowledgements with a minus.
std::map<std::uint64_t, std::vector<int>>
attempts_in(const std::vector<order_batches::batch>& batches) {
  std::map<std::uint64_t, std::vector<int>> out;
  for (const auto& [worker, orders] : batches)
    for (const auto& order : orders) {
      if (const auto* settled = std::get_if<result_settled>(&order))
        out[worker.value].push_back(-static_cast<int>(settled->key.attempt));
      if (const auto* given = std::get_if<lease_order>(&order))
        out[worker.value].push_back(static_cast<int>(given->key.attempt));
    }
  return out;
}

using attempts = std::map<std::uint64_t, std::vector<int>>;

} // namespace

TEST_CASE("orders of one step go to each worker together, in order") {
  order_batches b;
  b.add(worker_1, lease_of_attempt(1));
  b.add(worker_2, lease_of_attempt(2));
  b.add(worker_1, lease_of_attempt(3));
  const auto due = b.take_due();
  CHECK(due.size() == 2);
  CHECK(attempts_in(due) == attempts{{1, {1, 3}}, {2, {2}}});
  CHECK(b.empty());
}

TEST_CASE("acknowledgements wait for the next order of their worker") {
  order_batches b;
  b.add(worker_1, ack_of(1));
  b.add(worker_2, ack_of(2));
  b.add(worker_1, ack_of(3));
  CHECK(b.take_due().empty());
  CHECK_FALSE(b.empty());
  b.add(worker_1, lease_of_attempt(4));
  CHECK(attempts_in(b.take_due()) == attempts{{1, {-1, -3, 4}}});
  CHECK(attempts_in(b.take_all()) == attempts{{2, {-2}}});
  CHECK(b.empty());
  CHECK(b.take_all().empty());
}

TEST_CASE("all other orders are due at once") {
  order_batches b;
  b.add(worker_1, lease_ended{attempt_key(1)});
  b.add(worker_2, drain_worker{"why"});
  CHECK(b.take_due().size() == 2);
}

TEST_CASE("a worker that has left gets nothing more") {
  order_batches b;
  b.add(worker_1, lease_of_attempt(1));
  b.add(worker_2, ack_of(2));
  b.forget(worker_1);
  b.forget(worker_2);
  CHECK(b.take_all().empty());
  CHECK(b.empty());
}
