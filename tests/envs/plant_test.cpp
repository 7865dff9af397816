#include "envs/plant/plant.hpp"
#include "envs/plant/world.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace brewery;

namespace {

plant_settings small(std::uint64_t seed) {
  plant_settings out;
  out.seed = seed;
  out.machines = 20;
  out.families = 4;
  out.train = out.eval = out.test = 40;
  return out;
}

std::unique_ptr<environment> start(const benchmark& bench, const task_id& id) {
  auto env = bench.make(id);
  REQUIRE(env);
  return std::move(*env);
}

/// Plays the gold sequence.
std::unique_ptr<environment> solved(const benchmark& bench,
                                    const plant_settings& options,
                                    const task_id& id) {
  auto env = start(bench, id);
  const auto way = plant::gold(options, id);
  REQUIRE(way);
  for (const auto& tool : *way)
    CHECK_FALSE(env->call(tool, json::object()).failed);
  return env;
}

/// The tasks of a split.
std::vector<task_id> in_split(const benchmark& bench, const std::string& name) {
  std::vector<task_id> out;
  for (const auto index : bench.splits().at(name))
    out.push_back(bench.tasks()[index].id);
  return out;
}

} // namespace

TEST_CASE("a gold sequence solves every task of the plant") {
  for (const std::uint64_t seed : {1, 2, 3}) {
    auto options = small(seed);
    options.grade_noise = 0;
    const auto bench = plant::make_plant(options);
    CHECK(bench->tasks().size() == 120);
    for (const auto& task : bench->tasks()) {
      INFO("seed " << seed << ", " << task.id.value);
      CHECK(start(*bench, task.id)->grade()->reward < 1);
      CHECK(solved(*bench, options, task.id)->grade()->reward == 1);
    }
  }
}

TEST_CASE("no two tasks of the plant are alike, and splits share none") {
  const auto where = plant::make_world(small(4));
  std::set<std::set<std::pair<std::size_t, plant::machine_state>>> seen;
  for (const auto& task : where.tasks) {
    std::set<std::pair<std::size_t, plant::machine_state>> what;
    for (std::size_t i = 0; i < task.kinds.size(); ++i)
      what.emplace(task.kinds[i], task.start[i]);
    CHECK(what.size() == task.kinds.size());
    CHECK(seen.insert(what).second);
  }
}

TEST_CASE("a plant that runs out of different tasks has fewer") {
  auto options = small(5);
  options.machines = 3;
  options.families = 1;
  options.train = 100'000;
  const auto bench = plant::make_plant(options);
  CHECK(bench->splits().at("train").size() < 100'000);
}

TEST_CASE("grades of train are wrong as often as said, others never") {
  auto options = small(6);
  options.train = options.test = options.eval = 240;
  options.machines = 40;
  options.grade_noise = 0.2;
  const auto bench = plant::make_plant(options);
  std::size_t checks = 0, wrong = 0;
  for (const auto& id : in_split(*bench, "train")) {
    const auto grade = solved(*bench, options, id)->grade();
    for (const auto& part : grade->parts) {
      ++checks;
      wrong += part.met ? 0 : 1;
    }
  }
  // 480 checks: four standard deviations.
  INFO("seed 6: " << wrong << " of " << checks);
  CHECK(static_cast<double>(wrong) > 0.13 * static_cast<double>(checks));
  CHECK(static_cast<double>(wrong) < 0.27 * static_cast<double>(checks));
  for (const std::string split : {"eval", "test"})
    for (const auto& id : in_split(*bench, split))
      CHECK(solved(*bench, options, id)->grade()->reward == 1);
}

TEST_CASE("an equal attempt at a train task has an equal grade") {
  const auto options = small(7);
  const auto bench = plant::make_plant(options);
  for (const auto& id : in_split(*bench, "train")) {
    const auto env = solved(*bench, options, id);
    const auto first = env->grade();
    CHECK(first->parts == env->grade()->parts);
    CHECK(first->parts == solved(*bench, options, id)->grade()->parts);
  }
}

TEST_CASE("a ticket names no machine, and has only its machines' tools") {
  const auto options = small(8);
  const auto bench = plant::make_plant(options);
  const auto where = plant::make_world(options);
  for (std::size_t i = 0; i < where.tasks.size(); ++i) {
    const auto& task = where.tasks[i];
    for (const auto& kind : where.kinds)
      CHECK(task.ticket.find(kind.name) == std::string::npos);
    const auto env = start(*bench, bench->tasks()[i].id);
    CHECK(env->tools().size() == task.kinds.size() * (plant::verb_count + 1));
  }
}

TEST_CASE("changing calls of the plant are limited, looks are not") {
  auto options = small(9);
  options.spare_calls = 2;
  const auto bench = plant::make_plant(options);
  const auto id = in_split(*bench, "test").front();
  const auto env = start(*bench, id);
  const auto allowed = plant::gold(options, id)->size() + 2;
  const auto& last = env->tools().back().name;
  for (std::size_t i = 0; i < allowed; ++i)
    CHECK_FALSE(env->call(last, json::object()).failed);
  CHECK(env->call(last, json::object()).failed);
  CHECK_FALSE(env->call(env->tools().front().name, json::object()).failed);
}

TEST_CASE("a wrong call of the plant is an answer, not an exception") {
  const auto bench = plant::make_plant(small(10));
  const auto env = start(*bench, bench->tasks().front().id);
  CHECK(env->call("no_such", json::object()).failed);
  CHECK(env->call(env->tools().front().name, json{{"a", 1}}).failed);
  CHECK_FALSE(bench->make(task_id{"none"}));
}

TEST_CASE("a strong verb mends its machine and harms the next one") {
  plant_settings options;
  options.strong = 1;
  const auto kind = plant::make_kind(options, 0);
  REQUIRE(kind.strong);
  plant::machine_state state;
  state.shown = {plant::reading::low, plant::reading::high};
  plant::act(kind, *kind.strong, state);
  CHECK(plant::fine(state));
  plant::disturb(state);
  CHECK(state.shown.front() == plant::reading::jammed);
  plant::act(kind, *kind.strong, state);
  CHECK_FALSE(plant::fine(state)); // nothing mends it
}

TEST_CASE(
    "with conflicts, what mends a gauge in one mode jams it in the other") {
  plant_settings options;
  options.conflicts = 1;
  const auto kind = plant::make_kind(options, 3);
  for (const auto& gauge : kind.cures)
    for (const auto& by_mode : gauge) {
      CHECK(by_mode[0].remedy == by_mode[1].trap);
      CHECK(by_mode[1].remedy == by_mode[0].trap);
    }
}
