/// Searches that cannot go on, or go on without something.

#include "tests/fixtures/toy_search.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::test;

namespace {

std::shared_ptr<const benchmark> small_toy() {
  return make_toy_benchmark({.train = 10, .eval = 6, .test = 1});
}

error failure_of(inline_search& search) {
  search.run();
  CHECK(search.phases().phase() == search_phase::failed);
  REQUIRE(search.failure());
  CHECK(search.failure()->message.find('\n') == std::string::npos);
  return *search.failure();
}

bool is_eval(const task_id& task) {
  return task.value.starts_with("eval-");
}
bool is_train(const task_id& task) {
  return task.value.starts_with("train-");
}

} // namespace

TEST_CASE("a search that finds no concept ends with one line saying so") {
  const auto source = std::make_shared<silent_benchmark>();
  inline_search search{source, settings_for(*source)};
  const auto said = failure_of(search);
  CHECK(said.code == ec::exhausted);
  CHECK(said.message.find("no concept was found: 1 initial rollout gave")
        != std::string::npos);
}

TEST_CASE("an empty eval or train split is an error before any rollout") {
  const auto source = small_toy();
  auto settings = settings_for(*source);
  settings.eval.clear();
  inline_search no_eval{source, settings};
  const auto said = failure_of(no_eval);
  CHECK(said.code == ec::invalid_config);
  CHECK(said.message.find("held-out") != std::string::npos);
  CHECK(no_eval.jobs_run() == 0);

  settings = settings_for(*source);
  settings.train.clear();
  inline_search no_train{source, settings};
  CHECK(failure_of(no_train).message.find("training task")
        != std::string::npos);
  CHECK(no_train.jobs_run() == 0);
}

TEST_CASE("a concept without relevant eval task keeps its first document") {
  const auto source = small_toy();
  auto settings = settings_for(*source);
  settings.eval_choice.min_per_concept = 0;
  settings.eval_choice.similarity = 1.0; // nothing is that near
  inline_search search{source, settings};
  search.run();
  REQUIRE_FALSE(search.failure());
  REQUIRE_FALSE(search.trees().empty());
  REQUIRE(search.gathers().size() == 3);
  for (const auto& gathered : search.gathers())
    for (const auto& report : gathered.reports) {
      CHECK(report.note
            == "no held-out task is relevant: the first document stays");
      CHECK(report.best.id == node_id{0});
      CHECK(report.best.evaluated == 0);
    }
  CHECK(search.gathers().front().current == search.phases().current());
}

TEST_CASE("an environment that breaks everywhere ends the search with why") {
  const auto source = std::make_shared<breaking_benchmark>(
      small_toy(), [](const task_id&) { return true; });
  inline_search search{source, settings_for(*source)};
  const auto said = failure_of(search);
  CHECK(said.code == ec::environment);
  CHECK(said.message.find("broke in all 10 initial rollouts")
        != std::string::npos);
  CHECK(said.message.find("the device of train-000 does not switch on")
        != std::string::npos);
}

TEST_CASE("a broken initial rollout is no score of 0") {
  const auto inner = small_toy();
  const auto breaks = [](const task_id& task) {
    return is_train(task) && task.value.back() % 2 == 1;
  };
  inline_search search{std::make_shared<breaking_benchmark>(inner, breaks),
                       settings_for(*inner)};
  search.run();
  REQUIRE_FALSE(search.failure());
  auto whole = tasks_of(*inner, "train");
  std::erase_if(whole, [&](const auto& task) { return breaks(task.id); });
  REQUIRE(whole.size() == 5);
  inline_search other{inner, settings_for(*inner)};
  CHECK(search.phases().initial_success() == other.score(whole, 1, {}));
  for (const auto& record : search.phases().concepts())
    for (const auto& task : record.train_tasks)
      CHECK_FALSE(breaks(task));
}

TEST_CASE("a broken evaluation is left out of the reward") {
  const auto inner = small_toy();
  const task_id broken{"eval-002"};
  inline_search search{
      std::make_shared<breaking_benchmark>(
          inner, [&](const task_id& task) { return task == broken; }),
      settings_for(*inner)};
  search.run();
  REQUIRE_FALSE(search.failure());
  inline_search whole{inner, settings_for(*inner)};
  whole.run();
  std::size_t without = 0;
  for (const auto& [id, tree] : search.trees()) {
    const auto& eval = tree.about().eval_tasks;
    const bool has = std::find(eval.begin(), eval.end(), broken) != eval.end();
    without += has ? 1 : 0;
    for (const auto& item : tree.nodes().nodes())
      for (const auto& measured : item.evaluations)
        CHECK(measured.evaluated == eval.size() - (has ? 1 : 0));
    // The root is scored on the same hybrid in both: the broken task counts
    // neither as a miss nor as a hit.
    const auto& root = tree.nodes().at(tree::root()).evaluations;
    const auto& other =
        whole.trees().at(id).nodes().at(tree::root()).evaluations;
    REQUIRE(root.size() == 1);
    REQUIRE(other.size() == 1);
    if (!has) continue;
    const double n = static_cast<double>(eval.size());
    const double rest = root.front().correctness * (n - 1);
    const double all = other.front().correctness * n;
    const double missing = all - rest;
    CHECK((std::abs(missing) < 1e-9 || std::abs(missing - 1) < 1e-9));
  }
  CHECK(without > 0);
}

TEST_CASE("when every evaluation breaks the first documents stay") {
  const auto inner = small_toy();
  inline_search search{std::make_shared<breaking_benchmark>(inner, is_eval),
                       settings_for(*inner)};
  search.run();
  REQUIRE_FALSE(search.failure());
  REQUIRE(search.gathers().size() == 3);
  for (const auto& report : search.gathers().back().reports) {
    CHECK(report.best.id == node_id{0});
    CHECK(report.best.evaluated == 0);
  }
  CHECK(search.gathers().front().current == search.phases().current());
}
