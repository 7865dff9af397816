#include "base/rng.hpp"
#include "workers/task_queue.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>

using namespace brewery;

namespace {

job work(int n) {
  return {{std::to_string(n)}, {}, {}, {}};
}

} // namespace

TEST_CASE("jobs are given out first come, first served, while one is idle") {
  task_queue<int> queue{2};
  for (int n = 0; n < 4; ++n)
    queue.add(work(n), n);
  CHECK(queue.queued() == 4);
  const auto first = queue.next();
  const auto second = queue.next();
  REQUIRE(first);
  REQUIRE(second);
  CHECK(first->waiter == 0);
  CHECK(second->waiter == 1);
  CHECK(second->work == work(1));
  CHECK(first->worker != second->worker);
  CHECK(queue.idle() == 0);
  CHECK_FALSE(queue.next());
  queue.release(first->worker);
  const auto third = queue.next();
  REQUIRE(third);
  CHECK(third->waiter == 2);
  CHECK(third->worker == first->worker);
  CHECK(queue.queued() == 1);
}

TEST_CASE("without workers or jobs nothing is given out") {
  task_queue<int> none{0};
  none.add(work(1), 1);
  CHECK_FALSE(none.next());
  task_queue<int> idle{3};
  CHECK_FALSE(idle.next());
  CHECK(idle.idle() == 3);
}

TEST_CASE("what is queued can be taken back, what runs cannot") {
  task_queue<int> queue{1};
  for (int n = 0; n < 3; ++n)
    queue.add(work(n), n);
  const auto running = queue.next();
  REQUIRE(running);
  CHECK(queue.drop_queued() == std::vector<int>{1, 2});
  CHECK(queue.drop_queued().empty());
  queue.release(running->worker);
  CHECK_FALSE(queue.next());
  CHECK(queue.idle() == 1);
}

TEST_CASE("every job runs once, never two on a worker, none waits beside one") {
  const auto seed = GENERATE(range(1, 31));
  INFO("seed " << seed);
  rng draw{rng_key(static_cast<std::uint64_t>(seed), "queue")};
  const auto workers = 1 + draw.below(4);
  task_queue<int> queue{workers};
  std::map<std::size_t, int> running;
  int added = 0, last_started = -1;
  std::set<int> finished;
  while (finished.size() < 40) {
    if (added < 40 && draw.below(2) == 0) {
      queue.add(work(added), added);
      ++added;
    } else if (!running.empty()) {
      auto it = running.begin();
      std::advance(it, draw.below(running.size()));
      CHECK(finished.insert(it->second).second);
      queue.release(it->first);
      running.erase(it);
    }
    while (const auto next = queue.next()) {
      CHECK(next->waiter == ++last_started);
      CHECK(running.emplace(next->worker, next->waiter).second);
    }
    REQUIRE(running.size() <= workers);
    REQUIRE((queue.queued() == 0 || queue.idle() == 0));
    REQUIRE(queue.idle() + running.size() == workers);
  }
}
