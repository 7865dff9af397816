/// A worker's threads, with an environment that hangs until the test lets go.

#include "messages/wire/codec.hpp"
#include "tests/fixtures/toy_search.hpp"
#include "workers/slots.hpp"

#include <catch2/catch.hpp>

#include <future>

using namespace brewery;
using namespace brewery::test;
using namespace std::chrono_literals;
using std::chrono::milliseconds;

namespace {

constexpr std::chrono::seconds patience{20};
const run_id the_run{"s"};

struct slots_bench {
  std::promise<void> let_go;
  std::promise<void> reached;
  std::shared_ptr<const benchmark> tasks = make_toy_benchmark({});
  std::shared_ptr<const job_runner> runner;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> done;
  std::size_t told = 0;
  slots* on = nullptr; ///< whose outcomes are taken

  slots_bench() {
    auto hung = std::make_shared<breaking_benchmark>(
        tasks, [this, gate = let_go.get_future().share()](const task_id&) {
          reached.set_value();
          gate.wait();
          return false;
        });
    runner = std::make_shared<job_runner>(hung, procedural_roles({}, {}),
                                          std::make_shared<document_store>(),
                                          retrieval_options{});
  }

  auto listener() {
    return [this] {
      const std::lock_guard lock{mutex};
      ++told;
      changed.notify_all();
    };
  }
  /// Plays the owner, which looks again after a moment where `start` says so.
  bool wait_for(std::size_t count) {
    const auto end = std::chrono::steady_clock::now() + patience;
    for (;;) {
      const auto seen = tellings();
      for (const auto& outcome : on->take())
        done.push_back(outcome.job.value);
      if (done.size() >= count) return true;
      const auto look_within = on->start();
      std::unique_lock lock{mutex};
      const bool came = changed.wait_for(lock, look_within.value_or(patience),
                                         [&] { return told > seen; });
      if (std::chrono::steady_clock::now() > end || !(came || look_within))
        return false;
    }
  }
  std::size_t tellings() {
    const std::lock_guard lock{mutex};
    return told;
  }
  job hanging() const {
    return make_job(
        make_rollout_job(settings_for(*tasks), {"train-000"}, 0, {}, false));
  }
  slot_task task(const job& work) const { return {the_run, work, runner}; }
  /// Returns once the thread is in it; let_go ends it.
  job begin_hanging(slots& in) {
    on = &in;
    auto stuck = hanging();
    in.add(task(stuck));
    in.start();
    reached.get_future().wait();
    return stuck;
  }
};

job quick(const std::string& id) {
  embed_job work;
  work.id = {id};
  return make_job(std::move(work));
}

} // namespace

TEST_CASE("a cancelled job that hangs costs a thread, not a slot") {
  slots_bench b;
  slots one{1, b.listener()};
  const auto stuck = b.begin_hanging(one);
  one.add(b.task(quick("a")));
  CHECK(one.progress().size() == 2);
  one.cancel(the_run, stuck.id);
  REQUIRE(b.wait_for(1));
  one.add(b.task(quick("b")));
  REQUIRE(b.wait_for(2));
  b.let_go.set_value();
  one.add(b.task(quick("c")));
  REQUIRE(b.wait_for(3));
  CHECK(b.done == std::vector<std::string>{"a", "b", "c"});
  CHECK(one.progress().empty());
}

TEST_CASE("a job that is cancelled before it began does not run") {
  slots_bench b;
  slots one{1, b.listener()};
  const auto stuck = b.begin_hanging(one);
  one.add(b.task(quick("never")));
  one.add(b.task(quick("a")));
  one.start();
  one.cancel(the_run, {"never"});
  b.let_go.set_value();
  REQUIRE(b.wait_for(2));
  CHECK(b.done == std::vector<std::string>{stuck.id.value, "a"});
}

TEST_CASE("slots end though a job does not, and say nothing afterwards") {
  slots_bench b;
  {
    slots one{1, b.listener()};
    b.begin_hanging(one);
  }
  b.let_go.set_value();
  std::this_thread::yield();
  CHECK(b.told == 0);
}

TEST_CASE("each job of a batch gets a thread of its own") {
  slots_bench b;
  slots two{2, b.listener()};
  const auto stuck = b.begin_hanging(two);
  two.add(b.task(quick("a")));
  two.add(b.task(quick("b")));
  REQUIRE(b.wait_for(2));
  CHECK(b.done == std::vector<std::string>{"a", "b"});
  b.let_go.set_value();
  REQUIRE(b.wait_for(3));
}

TEST_CASE("after a short job a batch is told of once") {
  slots_bench b;
  slots one{1, b.listener(), 1h}; // every job is short
  b.on = &one;
  one.add(b.task(quick("first")));
  REQUIRE(b.wait_for(1));
  b.begin_hanging(one); // so that the batch is there before its thread is
  const auto before = b.tellings();
  const std::vector<std::string> ids = {"a", "b", "c", "d", "e", "f"};
  for (const auto& id : ids)
    one.add(b.task(quick(id)));
  CHECK(one.start());
  b.let_go.set_value();
  while (b.tellings() == before)
    std::this_thread::yield();
  CHECK(one.take().size() == 1 + ids.size());
  CHECK(b.tellings() == before + 1);
}

TEST_CASE("a long job among short ones holds up no other") {
  slots_bench b;
  slots two{2, b.listener(), 1h};
  b.on = &two;
  two.add(b.task(quick("first")));
  REQUIRE(b.wait_for(1));
  const auto stuck = b.hanging();
  two.add(b.task(stuck)); // one thread comes, for all of them
  two.add(b.task(quick("a")));
  two.add(b.task(quick("b")));
  REQUIRE(b.wait_for(3));
  CHECK(b.done == std::vector<std::string>{"first", "a", "b"});
  b.let_go.set_value();
  REQUIRE(b.wait_for(4));
  CHECK(b.done.back() == stuck.id.value);
}

TEST_CASE("results wait to be told until a slot could soon be idle") {
  slots_bench b;
  slots one{1, b.listener(), 0us}; // no job is short
  b.on = &one;
  b.begin_hanging(one);
  const auto before = b.tellings();
  for (const auto* id : {"a", "b", "c", "d", "e", "f"})
    one.add(b.task(quick(id)));
  CHECK(one.start() == slots::hold_for);
  b.let_go.set_value();
  while (b.tellings() == before)
    std::this_thread::yield();
  CHECK(one.take().size() >= 6); // all but the last, which it goes on with
}

TEST_CASE("every result is told of where no job waits for a slot") {
  slots_bench b;
  slots two{2, b.listener(), 0us};
  b.on = &two;
  for (const auto* id : {"a", "b", "c"}) {
    two.add(b.task(quick(id)));
    const auto before = b.tellings();
    two.start();
    while (b.tellings() == before)
      std::this_thread::yield();
    CHECK(two.take().size() == 1);
  }
  CHECK_FALSE(two.start());
}

TEST_CASE("a job's time on its slot is known, without what it waited") {
  slots_bench b;
  slots one{1, b.listener()};
  b.begin_hanging(one);
  one.add(b.task(quick("a")));
  one.start();
  using clock = std::chrono::steady_clock;
  const auto began = clock::now();
  while (clock::now() - began < 2ms)
    std::this_thread::yield();
  const auto let_go_at = clock::now();
  b.let_go.set_value();
  std::vector<slot_outcome> ended;
  while (ended.size() < 2)
    std::ranges::move(one.take(), std::back_inserter(ended));
  CHECK(ended[0].played >= 2ms);
  CHECK(ended[1].played > 0us);
  CHECK(ended[1].played <= clock::now() - let_go_at);
}
