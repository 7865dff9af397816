#include "learners/brew/insight_pool.hpp"
#include "tests/fixtures/stub_work.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace brewery;
using namespace brewery::test;

TEST_CASE("equal insights of different rollouts are one with a count") {
  insight_pool pool;
  const auto item = stub_insight("fan", "it is off");
  pool.add(item, {{"r1"}, {"t1"}});
  pool.add(item, {{"r2"}, {"t2"}});
  pool.add(stub_insight("fan", "it is on"), {{"r1"}, {"t1"}});
  CHECK(pool.size() == 2);
  const auto all = pool.list();
  REQUIRE(all.size() == 2);
  const auto& counted = all[0].item->id == item.id ? all[0] : all[1];
  CHECK(*counted.item == item);
  CHECK(counted.count == 2);
  CHECK(counted.rollouts
        == std::vector<shared_value<job_id>>{job_id{"r1"}, job_id{"r2"}});
  CHECK(counted.tasks
        == std::vector<task_count>{{task_id{"t1"}, 1}, {task_id{"t2"}, 1}});
}

TEST_CASE("the same insight of the same rollout counts once") {
  insight_pool pool;
  const auto item = stub_insight("fan", "it is off");
  for (int i = 0; i < 3; ++i)
    pool.add(item, {{"r1"}, {"t1"}});
  CHECK(pool.list().front().count == 1);
}

TEST_CASE("all rollouts of an insight are named, in order") {
  insight_pool pool;
  const auto item = stub_insight("fan", "it is off");
  for (char c = 'z'; c >= 'a'; --c)
    pool.add(item, {{std::string{c}}, {"t1"}});
  const auto counted = pool.list().front();
  CHECK(counted.count == 26);
  REQUIRE(counted.rollouts.size() == 26);
  CHECK(*counted.rollouts.front() == job_id{"a"});
}

TEST_CASE("a list of some insights is that part of the list of all") {
  insight_pool pool;
  std::set<insight_id> some{{"of no insight here"}};
  for (int i = 0; i < 9; ++i) {
    const auto item = stub_insight("fan", std::to_string(i));
    for (int r = 0; r <= i % 3; ++r)
      pool.add(item, {{"r" + std::to_string(r)}, {"t1"}, double(r)});
    if (i % 2 == 0) some.insert(item.id);
  }
  std::vector<counted_insight> expected;
  for (const auto& counted : pool.list())
    if (some.contains(counted.item->id)) expected.push_back(counted);
  CHECK(expected.size() == 5);
  CHECK(pool.list_only(some) == expected);
  CHECK(pool.list_only({}).empty());
}

TEST_CASE("the order of arrival changes nothing") {
  std::vector<std::pair<insight, job_id>> events;
  for (int i = 0; i < 5; ++i)
    for (int r = 0; r < 7; ++r)
      if ((i * 7 + r) % 3 != 0)
        events.push_back({stub_insight("fan", std::to_string(i)),
                          {"r" + std::to_string(r)}});
  insight_pool first;
  for (const auto& [item, rollout] : events)
    first.add(item, {rollout, {"t" + rollout.value}});
  const auto expected = first.list();
  CHECK(std::is_sorted(
      expected.begin(), expected.end(),
      [](const auto& a, const auto& b) { return a.item->id < b.item->id; }));
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    rng{seed}.shuffle(events);
    insight_pool pool;
    for (const auto& [item, rollout] : events)
      pool.add(item, {rollout, {"t" + rollout.value}});
    CHECK(pool.list() == expected);
  }
}

TEST_CASE("a pool taken in adds what it holds and nothing twice") {
  const auto item = stub_insight("fan", "it is off");
  insight_pool pool, other;
  pool.add(item, {{"r1"}, {"t1"}});
  other.add(item, {{"r1"}, {"t1"}});
  for (char c = 'a'; c <= 'z'; ++c) // more than are named
    other.add(item, {{std::string{c}}, {"t2"}});
  other.add(stub_insight("fan", "it is on"), {{"r1"}, {"t1"}});
  pool.add(other);
  CHECK(pool.list() == other.list());
  const auto all = pool.list();
  const auto& counted = all[0].item->id == item.id ? all[0] : all[1];
  CHECK(counted.count == 27);
  CHECK(counted.tasks
        == std::vector<task_count>{{task_id{"t1"}, 1}, {task_id{"t2"}, 26}});
}

TEST_CASE("an insight has the outcome of the rollouts that made it") {
  insight_pool pool;
  const auto item = stub_insight("fan", "it is off");
  pool.add(item, {{"r1"}, {"t1"}, 1, 0});
  pool.add(item, {{"r2"}, {"t1"}, 0.5, 0});
  pool.add(item, {{"r3"}, {"t1"}, 0, 2});
  const auto counted = pool.list().front();
  CHECK(counted.count == 3);
  CHECK(counted.succeeded == 1);
  CHECK(counted.reward == 0.5);
}

TEST_CASE("an insight is fresh if no rollout made it before the parent") {
  insight_pool pool;
  const auto old = stub_insight("fan", "old"),
             late = stub_insight("fan", "new");
  pool.add(old, {{"r1"}, {"t1"}, 0, 3});
  pool.add(old, {{"r2"}, {"t1"}, 0, 1});
  pool.add(late, {{"r3"}, {"t1"}, 0, 2});
  const auto fresh = [&](std::optional<std::uint32_t> parent) {
    std::map<std::string, bool> out;
    for (const auto& counted : pool.list({}, parent))
      out[counted.item->sentence] = counted.fresh;
    return out;
  };
  using marks = std::map<std::string, bool>;
  CHECK(fresh({}) == marks{{"old", false}, {"new", false}});
  CHECK(fresh(0) == marks{{"old", true}, {"new", true}});
  CHECK(fresh(1) == marks{{"old", false}, {"new", true}});
  CHECK(fresh(2) == marks{{"old", false}, {"new", false}});
}

TEST_CASE("only facts go to an integrator with the names of their rollouts") {
  insight_pool pool;
  insight sentence;
  sentence.sentence = "Look first.";
  sentence.id = identity(sentence);
  for (const auto& item : {stub_insight("fan", "a fact"), sentence})
    pool.add(item, {{"r1"}, {"t1"}, 1, 0});
  for (const auto& counted : for_integration(pool.list())) {
    CHECK(counted.count == 1);
    CHECK(counted.succeeded == 1);
    CHECK(counted.rollouts.empty() == is_sentence(counted));
    CHECK(counted.tasks.empty() == is_sentence(counted));
  }
}
