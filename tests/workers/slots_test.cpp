/// A worker's threads, with an environment that hangs until the test lets go.

#include "messages/wire/codec.hpp"
#include "tests/fixtures/toy_search.hpp"
#include "workers/slots.hpp"

#include <catch2/catch.hpp>

#include <future>

using namespace brewery;
using namespace brewery::test;
using namespace std::chrono_literals;

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
    return [this](const slot_outcome& outcome) {
      const std::lock_guard lock{mutex};
      done.push_back(outcome.job.value);
      changed.notify_all();
    };
  }
  bool wait_for(std::size_t count) {
    std::unique_lock lock{mutex};
    return changed.wait_for(lock, patience,
                            [&] { return done.size() >= count; });
  }
  job hanging() const {
    return make_job(
        make_rollout_job(settings_for(*tasks), {"train-000"}, 0, {}, false));
  }
  slot_task task(const job& work) const { return {the_run, work, runner}; }
  /// Returns once the thread is in it; let_go ends it.
  job begin_hanging(slots& on) {
    auto stuck = hanging();
    on.begin(task(stuck));
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
  one.begin(b.task(quick("a")));
  CHECK(one.progress().size() == 2);
  one.cancel(the_run, stuck.id);
  REQUIRE(b.wait_for(1));
  one.begin(b.task(quick("b")));
  REQUIRE(b.wait_for(2));
  b.let_go.set_value();
  one.begin(b.task(quick("c")));
  REQUIRE(b.wait_for(3));
  CHECK(b.done == std::vector<std::string>{"a", "b", "c"});
  CHECK(one.progress().empty());
}

TEST_CASE("a job that is cancelled before it began does not run") {
  slots_bench b;
  slots one{1, b.listener()};
  const auto stuck = b.begin_hanging(one);
  one.begin(b.task(quick("never")));
  one.begin(b.task(quick("a")));
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
  CHECK(b.done.empty());
}
