#include "messages/insight_store.hpp"
#include "messages/wire/codec.hpp"
#include "tests/fixtures/stub_work.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::test;

namespace {

insight fact(const std::string& text) {
  auto item = stub_insight("fan", text);
  item.fact.before = {"Fan: off"};
  item.fact.after = {"Fan: on"};
  item.id = identity(item);
  return item;
}

job_result rollout_with(std::vector<shared_value<insight>> insights) {
  rollout_result out;
  out.insights = std::move(insights);
  return make_result(std::move(out));
}

const auto& insights_of(const job_result& answer) {
  return std::get<rollout_result>(answer.output).insights;
}

} // namespace

TEST_CASE("equal insights of different results are one object") {
  insight_store store;
  const auto first = store.shared(rollout_with({fact("a"), fact("b")}));
  const auto second = store.shared(rollout_with({fact("b"), fact("c")}));
  CHECK(insights_of(first)[1].same(insights_of(second)[0]));
  CHECK(insights_of(second)
        == insights_of(rollout_with({fact("b"), fact("c")})));
  CHECK(store.insights() == 3);
  CHECK(store.lists() == 2);
  CHECK(insights_of(first)[0]->fact.after.held_by()
        == insights_of(second)[1]->fact.after.held_by());
  CHECK(insights_of(first)[0]->fact.after.held_by() >= 3);
}

TEST_CASE("texts of different insights are one, made here or arrived") {
  insight_store store;
  auto first = fact("a"), second = fact("a"), third = fact("a");
  second.steps = {7};
  third.fact.met = true;
  const auto here = store.shared(rollout_with({first}));
  const auto sent =
      wire::decode<job_result>(wire::encode(rollout_with({second, third})));
  REQUIRE(sent);
  const auto arrived = store.shared(*sent);
  CHECK(store.insights() == 3);
  const auto ours = texts_in(*insights_of(here)[0]);
  for (const auto& item : insights_of(arrived)) {
    const auto theirs = texts_in(*item);
    for (std::size_t i = 0; i < ours.size(); ++i)
      CHECK(
          (ours[i]->empty() ? theirs[i]->empty() : ours[i]->same(*theirs[i])));
  }
}

TEST_CASE("an insight that arrives is one object with an equal one made here") {
  insight_store store;
  const auto as_sent = [](const job_result& made) {
    const auto got = wire::decode<job_result>(wire::encode(made));
    REQUIRE(got);
    CHECK(insights_of(*got).packed());
    return *got;
  };
  auto stepped = fact("a");
  stepped.steps = {1, 300};
  auto lie = fact("b");
  lie.sentence = "x";
  const auto made = rollout_with({fact("a"), fact("b"), stepped, lie});
  const auto here = store.shared(made);
  CHECK(store.insights() == 4);
  const auto arrived = store.shared(as_sent(made));
  CHECK(store.insights() == 4);
  CHECK(store.lists() == 2);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(insights_of(arrived)[i].same(insights_of(here)[i]));
  const auto more = store.shared(as_sent(rollout_with({fact("c"), fact("a")})));
  CHECK(insights_of(more) == insights_of(rollout_with({fact("c"), fact("a")})));
  CHECK(insights_of(more)[1].same(insights_of(here)[0]));
  CHECK(insights_of(store.shared(rollout_with({fact("c")})))[0].same(
      insights_of(more)[0]));
  CHECK(store.lists() == 2);
}

TEST_CASE("an insight under the id of another keeps its own content") {
  insight_store store;
  const auto honest = store.shared(rollout_with({fact("a")}));
  auto lie = fact("something else");
  lie.id = fact("a").id;
  const auto answer = store.shared(rollout_with({lie}));
  CHECK(*insights_of(answer)[0] == lie);
  CHECK(*insights_of(honest)[0] == fact("a"));
}

TEST_CASE("any member tells an insight from another under its id") {
  const auto honest = fact("a");
  const auto differs = [&](auto change) {
    insight_store store;
    const auto known = store.shared(rollout_with({honest}));
    auto lie = honest;
    change(lie);
    const auto answer = store.shared(rollout_with({honest, lie}));
    return insights_of(answer)[0].same(insights_of(known)[0])
           && *insights_of(answer)[1] == lie
           && !insights_of(answer)[1].same(insights_of(known)[0]);
  };
  CHECK(differs([](auto& item) { item.topic = "x"; }));
  CHECK(differs([](auto& item) { item.sentence = "x"; }));
  CHECK(differs([](auto& item) { item.steps.push_back(9); }));
  CHECK(differs([](auto& item) { item.fact.kind = "x"; }));
  CHECK(differs([](auto& item) { item.fact.observation = "x"; }));
  CHECK(differs([](auto& item) { item.fact.check = "x"; }));
  CHECK(differs([](auto& item) { item.fact.met = !item.fact.met; }));
  for (const std::size_t list : {0, 1, 2, 3, 4})
    CHECK(differs([list](auto& item) {
      *lists_of(item.fact)[list] = std::vector<std::string>{"another"};
    }));
}

TEST_CASE("what nobody holds is forgotten") {
  insight_store store;
  const auto kept = store.shared(rollout_with({fact("a")}));
  (void)store.shared(rollout_with({fact("b")}));
  store.sweep();
  CHECK(store.insights() == 1);
  CHECK(store.texts() == 3); // its topic, its sentence and its kind
  CHECK(store.lists() == 2);
  CHECK(insights_of(store.shared(rollout_with({fact("a")})))[0].same(
      insights_of(kept)[0]));
}

TEST_CASE("a result without insights is as it was") {
  insight_store store;
  const auto answer = make_result(embed_result{{"e"}, {{1.0}}});
  CHECK(store.shared(answer) == answer);
}

TEST_CASE("a result has each list once, as it was sent") {
  std::vector<shared_value<insight>> made;
  for (int i = 0; i < 40; ++i) {
    auto item = fact(std::to_string(i));
    item.fact.context = {"line " + std::to_string(i % 3)};
    if (i % 7 == 0) item.fact.quiet = {std::to_string(i)};
    made.emplace_back(std::move(item));
  }
  const auto sent = rollout_with(made);
  const auto got = wire::decode<job_result>(wire::encode(sent));
  REQUIRE(got);
  CHECK(insights_of(*got) == insights_of(sent));
  CHECK(insights_of(*got)[0]->fact.before.held_by() == 40);
  CHECK(insights_of(*got)[5]->fact.context.held_by() == 13);
  insight_store store;
  CHECK(insights_of(store.shared(*got)) == insights_of(sent));
  CHECK(store.lists() == 2 + 3 + 6);
}
