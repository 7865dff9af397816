#include "envs/tau2/grading.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::tau2;

namespace {

gold_action gold(const json& arguments,
                 std::optional<std::vector<std::string>> compared = {}) {
  return {"assistant", "f", arguments, std::move(compared)};
}

recorded_call called(const json& arguments, const char* name = "f") {
  return {"user", name, arguments};
}

} // namespace

TEST_CASE("an action matches on the arguments the call gave") {
  CHECK(matches(gold({{"a", 1}, {"b", 2}}), called({{"a", 1.0}})));
  CHECK_FALSE(matches(gold({{"a", 1}}), called({{"a", 2}})));
  CHECK_FALSE(matches(gold({{"a", 1}}), called({{"a", 1}, {"c", 3}})));
  CHECK_FALSE(matches(gold({{"a", 1}}), called({{"a", 1}}, "g")));
  CHECK(matches(gold({{"a", 1}}), called(json::object())));
  CHECK(matches(gold({{"a", 1}}), called(json(3))));
}

TEST_CASE("an action with compared arguments matches on these alone") {
  const std::vector<std::string> only_a{"a"};
  CHECK(matches(gold({{"a", 1}, {"b", 2}}, only_a),
                called({{"a", true}, {"b", 9}})));
  CHECK_FALSE(matches(gold({{"a", 1}}, only_a), called({{"b", 1}})));
  CHECK(matches(gold({{"b", 1}}, only_a), called({{"b", 2}})));
  CHECK(matches(gold({{"a", 1}}, std::vector<std::string>{}),
                called({{"a", 2}})));
}

TEST_CASE("every gold action needs some call, in any order and number") {
  task_criteria criteria;
  CHECK(grade_actions(criteria, {}).reward() == 1);
  criteria.actions = {gold({{"a", 1}}), gold({{"a", 2}})};
  CHECK(grade_actions(criteria, {}).met == std::vector<bool>{false, false});
  const auto half = grade_actions(criteria, {called({{"a", 2}})});
  CHECK(half.met == std::vector<bool>{false, true});
  CHECK(half.reward() == 0);
  CHECK(
      grade_actions(criteria, {called({{"a", 2}}), called({{"a", 1}})}).reward()
      == 1);
}

TEST_CASE("a text is communicated ignoring case and the message's commas") {
  task_criteria criteria;
  CHECK(grade_communication(criteria, {}).reward() == 1);
  criteria.communicate_info = {"1250", "Gold Plan"};
  CHECK(grade_communication(criteria, {"That is 1,250."}).met
        == std::vector<bool>{true, false});
  CHECK(grade_communication(criteria, {"a GOLD plan", "costs 1,250"}).reward()
        == 1);
  criteria.communicate_info = {"1,250"};
  CHECK(grade_communication(criteria, {"1,250"}).reward() == 0);
}
