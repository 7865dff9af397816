#include "roles/procedural/induction/rule_induction.hpp"
#include "tests/roles/support.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

const std::string whole = whole_task_check;

/// Evidence is ample in these tables (20 rollouts of each kind), so that the
/// definitions decide and not where exactly the thresholds are.
induced learn(const std::vector<counted_insight>& insights) {
  return induce(counted_evidence{insights}, {});
}

lines rules_of(const std::vector<counted_insight>& insights) {
  lines out;
  for (const auto& item : learn(insights).rules) {
    REQUIRE(item.proof);
    CHECK(item.proof->with.of > 0);
    CHECK_FALSE(item.sources.empty());
    out.push_back(to_text(item.content));
  }
  std::sort(out.begin(), out.end());
  return out;
}

lines goals_of(const std::vector<counted_insight>& insights) {
  lines out;
  for (const auto& item : learn(insights).goals)
    out.push_back(to_text(item.content));
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<counted_insight> operator+(std::vector<counted_insight> a,
                                       const std::vector<counted_insight>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Met rollouts end with the fan on, missed ones with it off.
const std::vector<counted_insight> fan_decides{
    outcome(20, "board()", {"Fan: on"}, "runs", true),
    outcome(20, "board()", {"Fan: off"}, "runs", false)};

const std::vector<counted_insight> toggle_works{
    effect(10, "board()", {"Fan: off"}, {"toggle()"}, {"Fan: on"})};

const std::string toggle_rule =
    "When `board()` shows \"Fan: off\": call `toggle()`. Expect \"Fan: on\".";

} // namespace

TEST_CASE("a line that no success ends with gets its remedy") {
  CHECK(rules_of(fan_decides + toggle_works) == lines{toggle_rule});
}

TEST_CASE("no remedy is known, no rule is made") {
  CHECK(rules_of(fan_decides).empty());
  CHECK(rules_of(toggle_works).empty());
  CHECK(rules_of({}).empty());
}

TEST_CASE("a line that successes end with, too, is not bad") {
  CHECK(rules_of(
            fan_decides + toggle_works
            + std::vector{outcome(20, "board()", {"Fan: off"}, "runs", true)})
            .empty());
}

TEST_CASE("a line absent from a single success may be so by luck") {
  CHECK(rules_of(std::vector{outcome(1, "board()", {"Fan: on"}, "runs", true),
                             outcome(18, "board()", {"Fan: on"}, "runs", false),
                             outcome(2, "board()", {"Fan: off"}, "runs", false)}
                 + toggle_works)
            .empty());
}

TEST_CASE("without a success nothing is known to be right") {
  CHECK(
      rules_of(std::vector{outcome(20, "board()", {"Fan: on"}, "runs", false),
                           outcome(20, "board()", {"Fan: off"}, "runs", false)}
               + toggle_works)
          .empty());
}

TEST_CASE("the remedy is the call that works most reliably") {
  CHECK(rules_of(fan_decides
                 + std::vector{effect(1, "board()", {"Fan: off"}, {"kick()"},
                                      {"Fan: on"}),
                               effect(19, "board()", {"Fan: off"}, {"kick()"},
                                      {"Fan: off"}),
                               effect(19, "board()", {"Fan: off"}, {"toggle()"},
                                      {"Fan: on"}),
                               effect(1, "board()", {"Fan: off"}, {"toggle()"},
                                      {"Fan: off"})})
        == lines{toggle_rule});
  // Calls that seldom help are none.
  CHECK(rules_of(fan_decides
                 + std::vector{effect(1, "board()", {"Fan: off"}, {"kick()"},
                                      {"Fan: on"}),
                               effect(19, "board()", {"Fan: off"}, {"kick()"},
                                      {"Fan: off"})})
            .empty());
}

TEST_CASE("a remedy may lead through a value between") {
  CHECK(rules_of({outcome(20, "rack()", {"Valve: loose"}, "runs", true),
                  outcome(20, "rack()", {"Valve: stuck"}, "runs", false),
                  outcome(20, "rack()", {"Valve: pending"}, "runs", false),
                  effect(10, "rack()", {"Valve: stuck"}, {"release()"},
                         {"Valve: pending"}),
                  effect(10, "rack()", {"Valve: pending"}, {"restart()"},
                         {"Valve: loose"})})
        == lines{"When `rack()` shows \"Valve: pending\": call `restart()`. "
                 "Expect \"Valve: loose\".",
                 "When `rack()` shows \"Valve: stuck\": call `release()`. "
                 "Expect \"Valve: pending\"."});
}

TEST_CASE("two calls are a remedy only when one alone is none") {
  const std::vector<counted_insight> stuck_decides{
      outcome(20, "rack()", {"Valve: loose"}, "runs", true),
      outcome(20, "rack()", {"Valve: stuck"}, "runs", false)};
  const auto pair = effect(20, "rack()", {"Valve: stuck"},
                           {"release()", "restart()"}, {"Valve: loose"});
  const auto alone = [](std::uint32_t count, const char* call,
                        const char* result) {
    return effect(count, "rack()", {"Valve: stuck"}, {call}, {result});
  };
  CHECK(rules_of(stuck_decides
                 + std::vector{pair, alone(20, "release()", "Valve: stuck"),
                               alone(20, "restart()", "Valve: stuck")})
        == lines{"When `rack()` shows \"Valve: stuck\": call `release()`, then "
                 "`restart()`. Expect \"Valve: loose\"."});
  CHECK(rules_of(stuck_decides
                 + std::vector{pair, alone(20, "release()", "Valve: stuck"),
                               alone(20, "restart()", "Valve: loose")})
        == lines{"When `rack()` shows \"Valve: stuck\": call `restart()`. "
                 "Expect \"Valve: loose\"."});
}

TEST_CASE("an earlier quiet call may have prepared the one that worked") {
  CHECK(rules_of({outcome(20, "rack()", {"Valve: loose"}, "runs", true),
                  outcome(20, "rack()", {"Valve: stuck"}, "runs", false),
                  effect(20, "rack()", {"Valve: stuck"}, {"restart()"},
                         {"Valve: loose"}, {"release()"}),
                  effect(40, "rack()", {"Valve: stuck"}, {"restart()"},
                         {"Valve: stuck"}),
                  effect(20, "rack()", {"Valve: stuck"}, {"release()"},
                         {"Valve: stuck"})})
        == lines{"When `rack()` shows \"Valve: stuck\": call `release()`, then "
                 "`restart()`. Expect \"Valve: loose\"."});
}

TEST_CASE("a line may be bad only where the task says so") {
  const std::string outside = "Place: outside", inside = "Place: inside";
  CHECK(rules_of(
            {outcome(20, "board()", {"Guard: on"}, "runs", true, {outside}),
             outcome(20, "board()", {"Guard: off"}, "runs", false, {outside}),
             outcome(20, "board()", {"Guard: off"}, "runs", true, {inside}),
             outcome(20, "board()", {"Guard: on"}, "runs", false, {inside}),
             outcome(20, "board()", {"Guard: on"}, "runs", true, {inside}),
             outcome(20, "board()", {"Guard: off"}, "runs", false, {inside}),
             effect(10, "board()", {"Guard: off"}, {"guard()"}, {"Guard: on"}),
             effect(10, "board()", {"Guard: on"}, {"guard()"}, {"Guard: off"})})
        == lines{"When `board()` shows \"Guard: off\" and the task says "
                 "\"Place: outside\": call `guard()`. Expect \"Guard: on\"."});
}

TEST_CASE("a line may be bad only beside another line") {
  CHECK(rules_of({outcome(20, "s()", {"Mode: a", "V: 1"}, "runs", true),
                  outcome(20, "s()", {"Mode: a", "V: 2"}, "runs", false),
                  outcome(20, "s()", {"Mode: b", "V: 2"}, "runs", true),
                  outcome(20, "s()", {"Mode: b", "V: 1"}, "runs", true),
                  effect(10, "s()", {"Mode: a", "V: 2"}, {"fix()"},
                         {"Mode: a", "V: 1"})})
        == lines{"When `s()` shows \"V: 2\" and `s()` shows \"Mode: a\": call "
                 "`fix()`. Expect \"V: 1\"."});
}

TEST_CASE("what one check needs is not undone for another") {
  CHECK(rules_of({outcome(20, "s()", {"V: 1"}, "first", true),
                  outcome(20, "s()", {"V: 2"}, "first", false),
                  outcome(20, "s()", {"V: 2"}, "second", true),
                  outcome(20, "s()", {"V: 1"}, "second", false),
                  effect(10, "s()", {"V: 2"}, {"a()"}, {"V: 1"}),
                  effect(10, "s()", {"V: 1"}, {"b()"}, {"V: 2"})})
            .empty());
}

TEST_CASE("an invisible call that successes made is needed under their line") {
  const auto with = [](std::uint32_t count, bool met) {
    return outcome(count, "s()", {"Line: roaming"}, whole, met, {},
                   {"enable()"});
  };
  const auto without = [](std::uint32_t count, bool met) {
    return outcome(count, "s()", {"Line: roaming"}, whole, met);
  };
  CHECK(rules_of({with(20, true), without(20, false)})
        == lines{"When `s()` shows \"Line: roaming\": call `enable()`."});
  CHECK(rules_of({with(20, true), without(20, false), without(5, true)})
            .empty()); // some managed without
  CHECK(rules_of({with(20, true), with(20, false), without(20, false)})
            .empty()); // with it half of them missed all the same
  CHECK(rules_of({with(20, true)}).empty()); // nothing to compare with
}

TEST_CASE("a line that nearly all successes and no others end with is a goal") {
  const auto ends = [](std::uint32_t count, const char* line, bool met,
                       lines context = {}) {
    return outcome(count, "light()", {line}, whole, met, std::move(context));
  };
  CHECK(goals_of(
            {ends(20, "Light: bright", true), ends(20, "Light: dark", false)})
        == lines{"Done when `light()` shows \"Light: bright\"."});
  CHECK(goals_of({ends(20, "Light: bright", true),
                  ends(10, "Light: bright", false),
                  ends(20, "Light: dark", false)})
            .empty()); // too often a failure
  CHECK(goals_of({ends(20, "Light: bright", true), ends(20, "Light: dim", true),
                  ends(20, "Light: dark", false)})
            .empty()); // too often absent
  CHECK(goals_of({ends(20, "Light: bright", true)}).empty());
}

TEST_CASE("a goal may hold only for tasks that say so") {
  const std::vector<counted_insight> evidence{
      outcome(20, "s()", {"Speed: fast"}, whole, true, {"slow data"}),
      outcome(20, "s()", {"Speed: slow"}, whole, false, {"slow data"}),
      outcome(20, "s()", {"Speed: none"}, whole, true, {"no calls"}),
      outcome(20, "s()", {"Speed: other"}, whole, false, {"no calls"}),
      outcome(20, "s()", {"Speed: fast"}, whole, false, {"no calls"})};
  const auto goals = goals_of(evidence);
  CHECK(std::find(goals.begin(), goals.end(),
                  "Done when `s()` shows \"Speed: fast\" and the task says "
                  "\"slow data\".")
        != goals.end());
  for (const auto& text : goals)
    CHECK(text.find("the task says") != std::string::npos);
}

TEST_CASE("a goal counts every graded attempt, not those of hard tasks only") {
  auto easy =
      in_task("easy", outcome(10, "s()", {"Light: bright"}, whole, true));
  easy.rollouts = rollouts_named("easy", 10);
  const std::vector<counted_insight> evidence{
      outcome(20, "s()", {"Light: bright"}, whole, true),
      outcome(20, "s()", {"Light: dim"}, whole, false), easy};
  const auto made = learn(evidence);
  REQUIRE(made.goals.size() == 1);
  CHECK(made.goals.front().with == graded_count{30, 30});
  CHECK(made.goals.front().without == graded_count{0, 20});
}

TEST_CASE("sources of a rule are insights of the table") {
  const auto evidence = fan_decides + toggle_works;
  const auto made = learn(evidence);
  REQUIRE(made.rules.size() == 1);
  std::set<insight_id> known;
  for (const auto& counted : evidence)
    known.insert(counted.item->id);
  for (const auto& source : made.rules.front().sources)
    CHECK(known.contains(source));
  CHECK(made.rules.front().sources.front() == toggle_works.front().item->id);
  REQUIRE(made.rules.front().proof);
  CHECK(made.rules.front().proof->check == "runs");
  CHECK(made.rules.front().proof->with == graded_count{10, 10});
  CHECK(made.rules.front().proof->without == graded_count{0, 20});
}

TEST_CASE("a task that never missed a check teaches nothing about it") {
  // Of the missed rollouts some end with the pump on, of the met ones none.
  const std::vector<counted_insight> evidence{
      in_task("hard", outcome(10, "board()", {"Pump: on"}, "paid", false)),
      in_task("hard", outcome(10, "board()", {"Pump: off"}, "paid", false)),
      effect(10, "board()", {"Pump: on"}, {"stop()"}, {"Pump: off"})};
  const auto met = outcome(20, "board()", {"Pump: off"}, "paid", true);
  const std::string rule =
      "When `board()` shows \"Pump: on\": call `stop()`. Expect \"Pump: off\".";
  CHECK(rules_of(evidence + std::vector{in_task("given", met)}).empty());
  CHECK(rules_of(evidence + std::vector{in_task("hard", met)}) == lines{rule});
  // Yet what such a task ended with is known to be no harm.
  CHECK(rules_of(
            evidence
            + std::vector{in_task("hard", met),
                          in_task("given", outcome(5, "board()", {"Pump: on"},
                                                   "paid", true))})
            .empty());
}

TEST_CASE("under another line nothing is bad that a whole success ended with") {
  // Plainly the fan may be off, under heat it seems it may not.
  const std::vector<counted_insight> evidence{
      outcome(20, "board()", {"Fan: off", "Heat: no"}, "runs", true),
      outcome(40, "board()", {"Fan: on", "Heat: yes"}, "runs", true),
      outcome(40, "board()", {"Fan: off", "Heat: yes"}, "runs", false),
      effect(10, "board()", {"Fan: off", "Heat: yes"}, {"toggle()"},
             {"Fan: on", "Heat: yes"})};
  CHECK(rules_of(evidence)
        == lines{"When `board()` shows \"Fan: off\" and `board()` shows "
                 "\"Heat: yes\": call `toggle()`. Expect \"Fan: on\"."});
  CHECK(rules_of(evidence
                 + std::vector{outcome(1, "board()", {"Fan: off", "Heat: yes"},
                                       whole, true)})
            .empty());
}

TEST_CASE("a remedy that no graded attempt succeeded with is no rule") {
  // The line changes every time, and every time the check was missed.
  const auto changes =
      effect(18, "board()", {"Fan: off"}, {"spray()"}, {"Fan: on"});
  CHECK(rules_of(fan_decides + std::vector{in_lost(changes)}).empty());
  CHECK(rules_of(fan_decides + std::vector{changes}).size() == 1);
}

TEST_CASE("a remedy leads to what whole tasks succeeded with") {
  // Five litres make it run, but only two are what was asked for.
  const auto ends = [](const char* tank, const std::string& check, bool met) {
    return outcome(20, "tank()", {tank}, check, met);
  };
  const auto adds = [](const char* call, const char* tank) {
    return effect(20, "tank()", {"Added: 0"}, {call}, {tank});
  };
  CHECK(rules_of(
            {ends("Added: 2", "runs", true), ends("Added: 5", "runs", true),
             ends("Added: 0", "runs", false), ends("Added: 2", "asked", true),
             ends("Added: 5", "asked", false), ends("Added: 2", whole, true),
             ends("Added: 5", whole, false), ends("Added: 0", whole, false),
             adds("add(5)", "Added: 5"), adds("add(2)", "Added: 2")})
        == lines{"When `tank()` shows \"Added: 0\": call `add(2)`. Expect "
                 "\"Added: 2\"."});
}

TEST_CASE("all insights of a rule are its sources") {
  std::vector<counted_insight> evidence = fan_decides;
  for (int i = 0; i < 30; ++i)
    evidence.push_back(effect(1, "board()",
                              {"Fan: off", "Note: " + std::to_string(i)},
                              {"toggle()"}, {"Fan: on"}));
  const auto made = learn(evidence);
  REQUIRE_FALSE(made.rules.empty());
  // 30 effects and the attempts that were left with the fan off.
  CHECK(made.rules.front().sources.size() == 31);
}
