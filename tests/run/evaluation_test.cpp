/// The arms of an evaluation, on an executor in this process.

#include "run/run_executor.hpp"
#include "run/setup/job_runner_factory.hpp"
#include "run/setup/problem.hpp"
#include "tests/fixtures/stub_work.hpp"

#include <catch2/catch.hpp>

#include <thread>

using namespace brewery;

namespace {

constexpr std::uint32_t trials = 2;

std::unique_ptr<cluster_runtime>
start_runtime(std::shared_ptr<const job_runner> runner) {
  cluster_runtime_inputs inputs;
  inputs.metrics = std::make_shared<process_metrics>();
  inputs.blobs = std::make_shared<blob_registry>();
  inputs.cluster.max_failures = 1;
  inputs.runners = [runner](const auto&) { return runner; };
  inputs.threads = 2;
  auto on = cluster_runtime::start(std::move(inputs));
  REQUIRE(on);
  return std::move(*on);
}

run_executor_inputs inputs_without_log() {
  return {{"eval"}, {}, {}, {}, nullptr, {}, false};
}

evaluation_arm named_arm(const std::string& name, brew_settings settings) {
  settings.method = name; // so that its jobs are its own
  return {name, std::move(settings), {}};
}

struct small_toy {
  config options;
  std::shared_ptr<const job_runner> runner;
  std::vector<learner_task> tasks;
  brew_settings settings;

  small_toy() {
    options.environment.kind = "toy";
    options.environment.max_test_tasks = 3;
    const auto what = load_problem(options);
    REQUIRE(what);
    const auto shop = make_job_runner(options, what->source,
                                      std::make_shared<document_store>(),
                                      std::make_shared<process_metrics>(), {});
    REQUIRE(shop);
    runner = shop->runner;
    tasks = what->test;
    const auto how = evaluation_settings(options, *what, {shop->fingerprint});
    REQUIRE(how);
    settings = *how;
  }

  std::vector<evaluation_record>
  measure(const std::vector<evaluation_arm>& arms) const {
    const auto on = start_runtime(runner);
    run_executor machine{*on, inputs_without_log()};
    machine.board().update([&](progress_view& view) {
      view.evaluations_left = arms.size() * tasks.size() * trials;
    });
    std::vector<evaluation_record> out;
    REQUIRE(machine.evaluate(arms, "test", tasks, trials,
                             [&](evaluation_record one) {
                               out.push_back(std::move(one));
                               return result<void>{};
                             }));
    CHECK(machine.board().view().evaluations_left == 0);
    return out;
  }
};

} // namespace

TEST_CASE("all arms of an evaluation are submitted at once") {
  const auto on = start_runtime(nullptr); // nobody works
  run_executor machine{*on, inputs_without_log()};
  const auto tasks = test::stub_tasks("t", 3);
  const std::vector<evaluation_arm> arms{named_arm("a", test::stub_settings()),
                                         named_arm("b", test::stub_settings())};
  result<void> done;
  std::size_t measured = 0;
  std::thread asking{[&] {
    done = machine.evaluate(arms, "test", tasks, trials,
                            [&](const evaluation_record&) {
                              ++measured;
                              return result<void>{};
                            });
  }};
  const auto submitted = [&] { return machine.board().view().jobs_submitted; };
  const auto all = arms.size() * tasks.size() * trials;
  for (int i = 0; i < 4'000 && submitted() < all; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  CHECK(submitted() == all);
  CHECK(machine.board().view().search == "2 arms");
  machine.stop();
  asking.join();
  REQUIRE_FALSE(done);
  CHECK(done.error().code == ec::cancelled);
  CHECK(measured == 0);
}

TEST_CASE("arms that are played together get what each gets alone") {
  const small_toy toy;
  const std::vector<evaluation_arm> arms{named_arm("", toy.settings),
                                         named_arm("step-back", toy.settings)};
  const auto together = toy.measure(arms);
  REQUIRE(together.size() == arms.size());
  for (std::size_t i = 0; i < arms.size(); ++i) {
    INFO(arms[i].name);
    CHECK(together[i].name == arms[i].name);
    CHECK(together[i].tasks.size() == toy.tasks.size());
    CHECK(together[i] == toy.measure({arms[i]}).front());
  }
}

TEST_CASE("an arm that cannot be kept ends the evaluation") {
  const small_toy toy;
  const auto on = start_runtime(toy.runner);
  run_executor machine{*on, inputs_without_log()};
  std::size_t measured = 0;
  const auto done = machine.evaluate(
      {named_arm("", toy.settings), named_arm("step-back", toy.settings)},
      "test", toy.tasks, trials, [&](const evaluation_record&) -> result<void> {
        ++measured;
        return error{ec::disk_full, "no space"};
      });
  REQUIRE_FALSE(done);
  CHECK(done.error().code == ec::disk_full);
  CHECK(measured == 1);
}
