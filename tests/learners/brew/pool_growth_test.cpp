#include "base/rng.hpp"
#include "learners/brew/insight_pool.hpp"
#include "messages/wire/codec.hpp"
#include "tests/fixtures/stub_work.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::test;

namespace {

/// An insight that shares its lists with others.
insight fact(std::uint64_t number) {
  auto item = stub_insight("fan", "it is " + std::to_string(number));
  item.fact.kind = number % 2 == 0 ? "effect" : "outcome";
  item.fact.before = {"Fan: off", "Door: " + std::to_string(number % 3)};
  item.fact.after = {"Fan: on"};
  item.fact.met = number % 5 == 0;
  item.steps = {static_cast<std::uint32_t>(number)};
  item.id = identity(item);
  return item;
}

void grow(insight_pool& pool, rng& draw, std::uint32_t iteration) {
  for (int r = 0; r < 10; ++r) {
    const insight_source from{{"r" + std::to_string(draw.below(1000))},
                              {"t" + std::to_string(draw.below(4))},
                              static_cast<double>(draw.below(2)),
                              iteration};
    for (std::uint64_t i = draw.below(8); i > 0; --i)
      pool.add(fact(draw.below(40)), from);
  }
}

std::vector<pool_growth> taken(insight_pool& pool) {
  std::vector<pool_growth> out;
  pool.take_growth([&](const pool_growth& part) {
    auto read = wire::decode<pool_growth>(wire::encode(part));
    REQUIRE(read);
    out.push_back(std::move(*read));
  });
  return out;
}

} // namespace

TEST_CASE("a pool that takes another's growth is the same pool") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    rng draw{rng_key(seed, "growth")};
    insight_pool pool, copy;
    for (std::uint32_t iteration = 0; iteration < 4; ++iteration) {
      grow(pool, draw, iteration);
      for (const auto& part : taken(pool))
        REQUIRE(copy.absorb(part));
      REQUIRE(copy.list({}, 1) == pool.list({}, 1));
    }
    // What grows afterwards is told of both alike.
    auto other = draw;
    (void)taken(copy);
    grow(pool, draw, 9);
    grow(copy, other, 9);
    CHECK(taken(pool) == taken(copy));
  }
}

TEST_CASE("insights of one part of growth share their texts") {
  insight_pool pool, copy;
  for (std::uint64_t i = 0; i < 2; ++i)
    pool.add(fact(2 * i), {{"r1"}, {"t1"}});
  for (const auto& part : taken(pool))
    REQUIRE(copy.absorb(part));
  const auto all = copy.list();
  REQUIRE(all.size() == 2);
  CHECK(all[0].item->topic.same(all[1].item->topic));
  CHECK(all[0].item->fact.kind.same(all[1].item->fact.kind));
}

TEST_CASE("growth is told once") {
  insight_pool pool;
  pool.add(fact(1), {{"r1"}, {"t1"}});
  CHECK(taken(pool).front().insights.ids.size() == 1);
  const auto again = taken(pool);
  CHECK(again == std::vector<pool_growth>(1));
}

TEST_CASE("growth that contradicts itself is corrupt") {
  insight_pool pool;
  pool.add(fact(1), {{"r1"}, {"t1"}});
  const auto good = taken(pool).front();
  const auto refused = [&](auto change) {
    auto bad = good;
    change(bad);
    const auto done = insight_pool{}.absorb(bad);
    return !done && done.error().code == ec::corrupt;
  };
  CHECK_FALSE(refused([](auto&) {}));
  CHECK(refused([](auto& part) { part.insights.lists.clear(); }));
  CHECK(refused([](auto& part) { part.insights.numbers.pop_back(); }));
  CHECK(refused([](auto& part) {
    part.insights.ids.push_back(part.insights.ids[0]);
    part.insights.numbers += part.insights.numbers;
  }));
  CHECK(refused([](auto& part) { part.rollouts.push_back(part.rollouts[0]); }));
  CHECK(refused([](auto& part) { part.made = {0}; }));
  CHECK(refused([](auto& part) { part.made = {1, 0}; }));
  CHECK(refused([](auto& part) { part.made = {0, 1}; }));
}
