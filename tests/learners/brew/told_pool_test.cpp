/// Pools that integrations name: what travels, what snapshots have.

#include "base/compression.hpp"
#include "learners/brew/protocol6_parts.hpp"
#include "learners/brew/told_pool.hpp"
#include "messages/kb_msgs.hpp"
#include "messages/wire/codec.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

insight made(const std::string& name) {
  insight out;
  out.topic = "fan";
  out.sentence = "It hums: " + name + ".";
  out.id = identity(out);
  return out;
}

void learn(told_pool& pool, const std::string& rollout,
           const std::vector<std::string>& words) {
  for (const auto& name : words)
    pool.change().add(made(name), {{rollout}, {"t"}, 1, 0});
}

/// As a worker gets the insights of a job.
told_insights sent(const told_insights& told) {
  integrate_job work;
  work.insights = told;
  auto got = wire::decode<integrate_job>(wire::encode(work));
  REQUIRE(got);
  return got->insights;
}

job_id id_of(const told_insights& told) {
  integrate_job work;
  work.insights = told;
  return identity(work, "");
}

} // namespace

TEST_CASE("the list that a pool is named for is made from its parts") {
  const auto documents = std::make_shared<document_store>();
  told_pool pool;
  learn(pool, "r1", {"a", "b"});
  const auto first = pool.tell({}, {}, documents);
  learn(pool, "r2", {"b", "c"});
  const auto second = pool.tell({{made("a").id, made("b").id}}, 0, documents);
  const auto expected =
      for_integration(pool->list({{made("a").id, made("b").id}}, 0));
  CHECK(expected.size() == 2);
  for (const auto& told : {first, second}) {
    const auto named = sent(told);
    REQUIRE(named.is_named_only());
    const auto list = list_of(*named.reference(), *documents);
    REQUIRE(list);
    CHECK(*list == told.items());
  }
  CHECK(second.items() == expected);
  // A worker that knows the first part fetches one more.
  const auto& parts = second.reference()->parts;
  REQUIRE(parts.size() == 2);
  CHECK(parts.front() == first.reference()->parts.front());
}

TEST_CASE("a list that is read after its pool has changed is as it was told") {
  const auto documents = std::make_shared<document_store>();
  told_pool pool;
  learn(pool, "r1", {"a"});
  const auto told = pool.tell({}, {}, documents);
  learn(pool, "r2", {"a", "b"});
  REQUIRE(told.size() == 1);
  CHECK(told.front().count == 1);
}

TEST_CASE("integrations of equal pools have equal ids, whatever the packing") {
  const auto documents = std::make_shared<document_store>();
  told_pool pool, restored;
  learn(pool, "r1", {"a"});
  const auto first = id_of(pool.tell({}, {}, documents));
  learn(pool, "r2", {"b"});
  for (const auto& part : pool.take_parts(*documents))
    REQUIRE(restored.absorb(part, *documents));
  CHECK(pool.take_parts(*documents).empty());
  CHECK(restored.take_parts(*documents).empty());
  const auto second = id_of(pool.tell({}, {}, documents));
  CHECK(second != first);
  CHECK(id_of(restored.tell({}, {}, documents)) == second);
  CHECK(id_of(sent(pool.tell({}, {}, documents))) == second);
  CHECK(id_of(pool.tell({}, 1, documents)) != second);
  CHECK(id_of(pool.tell({{made("a").id, made("b").id}}, {}, documents))
        != second);
}

TEST_CASE("parts of protocol 6 make the same list") {
  const auto documents = std::make_shared<document_store>();
  told_pool pool;
  auto one = made("a"), other = made("b");
  one.fact = {"effect", "on", {"Fan: off"}, {"Fan: on"}, {"press"},
              {},       {},   "hums",       true};
  one.steps = {3, 5};
  one.id = identity(one);
  for (const auto& item : {one, other})
    pool.change().add(item, {{"r1"}, {"t"}, 1, 0});
  const auto told = pool.tell({}, {}, documents);
  // As a coordinator of protocol 6 made them: lists by number.
  protocol6_growth old{{{{"r1"}, {"t"}, 1, 0}},
                       {{"Fan: off"}, {"Fan: on"}, {"press"}, {}},
                       {},
                       {0, 0, 1, 0}};
  for (const auto& item : {one, other})
    old.insights.push_back(
        {item.id.value, item.topic, item.sentence, item.fact.kind,
         item.fact.observation, item.fact.check, item.fact.met,
         item.id == one.id ? std::vector<std::uint32_t>{0, 1, 2, 3, 3}
                           : std::vector<std::uint32_t>{3, 3, 3, 3, 3},
         item.steps});
  const auto list_from = [&] {
    pool_reference reference;
    reference.parts = {documents->add(compress(wire::encode(old)))->hash};
    return list_of(reference, *documents);
  };
  const auto list = list_from();
  REQUIRE(list);
  CHECK(*list == told.items());
  old.insights[0].lists[4] = 4;
  CHECK(list_from().error().code == ec::corrupt);
  old.insights[0].lists.pop_back();
  CHECK(list_from().error().code == ec::corrupt);
}

TEST_CASE("parts that lack or contradict each other make no list") {
  const auto documents = std::make_shared<document_store>();
  told_pool pool;
  learn(pool, "r1", {"a"});
  auto reference = *pool.tell({}, {}, documents).reference();
  CHECK(list_of(reference, document_store{}).error().code == ec::not_found);
  reference.parts.push_back(reference.parts.front());
  CHECK(list_of(reference, *documents).error().code == ec::corrupt);
  reference.parts = {documents->add("no part")->hash};
  CHECK(list_of(reference, *documents).error().code == ec::malformed);
  CHECK_FALSE(pool.absorb("no part", *documents));
}
