#include "roles/procedural/induction/rule_merging.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

induced_rule rule_under(const std::string& line,
                        std::vector<rollout_number> steps,
                        std::vector<rollout_number> others) {
  induced_rule out;
  out.content.when.push_back({"board()", line});
  out.content.calls.push_back("toggle()");
  out.proof = rule_proof{"runs", {1, 2}, {0, 1}, {1, 2}, {0, 1}, {}, {}};
  out.proof->steps = std::move(steps);
  out.proof->others = std::move(others);
  return out;
}

std::vector<std::string> merged(std::vector<induced_rule> rules) {
  induced knowledge{std::move(rules), {}};
  merge_equal(knowledge);
  std::vector<std::string> lines;
  for (const auto& item : knowledge.rules)
    lines.push_back(item.content.when.front().line);
  return lines;
}

} // namespace

TEST_CASE("of rules on the same attempts the one without a number is kept") {
  const auto dated = rule_under("Off since 12:30", {1, 2}, {3});
  const auto plain = rule_under("Fan: off", {1, 2}, {3});
  CHECK(merged({dated, plain}) == std::vector<std::string>{"Fan: off"});
  CHECK(merged({plain, dated}) == std::vector<std::string>{"Fan: off"});
}

TEST_CASE("rules on other attempts stay, however alike their counts are") {
  const auto fan = rule_under("Fan: off", {1, 2}, {3});
  const auto lamp = rule_under("Lamp: off", {4, 5}, {6});
  const auto pump = rule_under("Pump: off", {1, 2}, {6});
  CHECK(merged({fan, lamp, pump})
        == std::vector<std::string>{"Fan: off", "Lamp: off", "Pump: off"});
}
