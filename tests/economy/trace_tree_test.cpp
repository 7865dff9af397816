/// Rollouts by what they read: what a replay finds, and what shows that an
/// agent does not repeat itself.

#include "economy/trace_tree.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace brewery;

namespace {

using frontier = trace_tree::frontier;
using leaf = trace_tree::leaf;

/// Answers a query with what the map says.
std::function<std::uint32_t(std::uint32_t)>
reading_of(std::map<std::uint32_t, std::uint32_t> reads) {
  return [reads = std::move(reads)](std::uint32_t query) {
    return reads.at(query);
  };
}

} // namespace

TEST_CASE("what reads the same in order ends at the rollout that did") {
  trace_tree tree;
  CHECK(tree.add({{0, 1, 10}, {3, 2, 20}}, 0) == 0);
  CHECK(tree.add({{0, 1, 11}, {1, 5, 50}}, 1) == 1);
  CHECK(std::get<leaf>(tree.replay(reading_of({{1, 10}, {2, 20}}))) == 0);
  CHECK(std::get<leaf>(tree.replay(reading_of({{1, 11}, {5, 50}}))) == 1);
}

TEST_CASE("a replay stops at the first difference and says where") {
  trace_tree tree;
  CHECK(std::get<frontier>(tree.replay(reading_of({}))) == frontier{});
  CHECK(tree.add({{0, 1, 10}, {3, 2, 20}}, 0) == 0);
  const auto first = tree.replay(reading_of({{1, 11}})); // asks no more
  CHECK(std::get<frontier>(first) == frontier{0, 11});
  const auto second = tree.replay(reading_of({{1, 10}, {2, 21}}));
  CHECK(std::get<frontier>(second) == frontier{1, 21});
}

TEST_CASE("a rollout without a question stands for all") {
  trace_tree tree;
  CHECK(tree.add({}, 0) == 0);
  CHECK(std::get<leaf>(tree.replay(reading_of({}))) == 0);
  CHECK(tree.add({}, 1) == 0);
}

TEST_CASE("another question after the same reading contradicts") {
  trace_tree tree;
  REQUIRE(tree.add({{0, 1, 10}, {3, 2, 20}}, 0) == 0);
  const auto before = tree.size();
  CHECK_FALSE(tree.add({{0, 1, 10}, {3, 9, 20}}, 1)); // another query
  CHECK_FALSE(tree.add({{0, 1, 10}, {4, 2, 20}}, 1)); // at another step
  CHECK_FALSE(tree.add({{0, 1, 10}}, 1));             // it asked less
  CHECK_FALSE(tree.add({{0, 1, 10}, {3, 2, 20}, {5, 2, 20}}, 1)); // more
  CHECK_FALSE(tree.add({}, 1));
  CHECK(tree.size() == before);
}
