#include "base/rng.hpp"
#include "roles/procedural/induction/outcome_counts.hpp"
#include "tests/roles/support.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

const std::string observation = "board()";

line_number number_of(const evidence_table& table, const std::string& text) {
  for (line_number n = 0;; ++n)
    if (table.text(n) == text) return n;
}

} // namespace

TEST_CASE("a tally counts met and missed rollouts, with the line and in all") {
  const std::vector<counted_insight> insights{
      outcome(3, observation, {"x: 1"}, "c", true),
      outcome(4, observation, {"x: 2"}, "c", true),
      outcome(5, observation, {"x: 1"}, "c", false),
      outcome(9, observation, {"x: 1"}, "other", false)};
  const evidence_table table{insights};
  const outcome_counts counts{table.observations().front()};
  const auto one = number_of(table, "x: 1");
  const auto t = counts.of("c", {}, one);
  CHECK(t.met == 7);
  CHECK(t.unmet == 5);
  CHECK(t.met_line == 3);
  CHECK(t.unmet_line == 5);
  CHECK(t.given == 0);
  const auto without_one = counts.of("c", {}, without(one));
  CHECK(without_one.met_line == 4);
  CHECK(without_one.unmet_line == 0);
  CHECK(counts.of("no such check", {}, one).unmet == 0);
}

TEST_CASE("a setting keeps the rollouts it is about") {
  const std::vector<counted_insight> insights{
      outcome(3, observation, {"x: 1", "y: 1"}, "c", true, {"abroad"}),
      outcome(4, observation, {"x: 1", "y: 2"}, "c", false, {"abroad"}),
      outcome(5, observation, {"x: 1", "y: 2"}, "c", false, {"at home"})};
  const evidence_table table{insights};
  const outcome_counts counts{table.observations().front()};
  const auto one = number_of(table, "x: 1");
  const auto in = [&](setting::kind what, const std::string& text) {
    return counts.of("c", {what, number_of(table, text)}, one);
  };
  CHECK(in(setting::kind::clause, "abroad").unmet_line == 4);
  CHECK(in(setting::kind::clause, "abroad").met_line == 3);
  CHECK(in(setting::kind::line, "y: 2").unmet_line == 9);
  CHECK(in(setting::kind::line, "y: 2").met == 0);
  // At home the check was never met nor is it known to be: all is missed.
  CHECK(in(setting::kind::clause, "at home").unmet == 5);
}

TEST_CASE("rollouts of a task that never missed a check are counted apart") {
  const std::vector<counted_insight> insights{
      in_task("given", outcome(6, observation, {"x: 1"}, "c", true)),
      in_task("hard", outcome(2, observation, {"x: 1"}, "c", false)),
      in_task("hard", outcome(1, observation, {"x: 2"}, "c", true))};
  const evidence_table table{insights};
  const outcome_counts counts{table.observations().front()};
  const auto t = counts.of("c", {}, number_of(table, "x: 1"));
  CHECK(t.met == 1);
  CHECK(t.met_line == 0);
  CHECK(t.unmet_line == 2);
  CHECK(t.given == 6);
}

TEST_CASE("the need for a call is told from with and without it") {
  const std::vector<counted_insight> insights{
      outcome(3, observation, {"x: 1"}, whole_task_check, true, {}, {"p()"}),
      outcome(2, observation, {"x: 1"}, whole_task_check, false, {}, {"p()"}),
      outcome(4, observation, {"x: 1"}, whole_task_check, false, {}, {"q()"}),
      outcome(1, observation, {"x: 1"}, whole_task_check, true)};
  const evidence_table table{insights};
  const outcome_counts counts{table.observations().front()};
  const auto n =
      counts.need_of(number_of(table, "x: 1"), number_of(table, "p()"));
  CHECK(n.met_with == 3);
  CHECK(n.unmet_with == 2);
  CHECK(n.met_without == 1);
  CHECK(n.unmet_without == 4);
}

TEST_CASE("a tally is what counting row by row gives") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    INFO("seed " << seed);
    rng draw{seed};
    struct row {
      std::string task, line;
      bool met = false;
      std::uint32_t count = 0;
    };
    std::vector<row> rows;
    std::vector<counted_insight> insights;
    for (int i = 0; i < 12; ++i) {
      rows.push_back({"t" + std::to_string(draw.below(3)),
                      "x: " + std::to_string(draw.below(3)), draw.below(2) == 0,
                      1 + static_cast<std::uint32_t>(draw.below(4))});
      const auto& made = rows.back();
      insights.push_back(
          in_task(made.task, outcome(made.count, observation, {made.line}, "c",
                                     made.met)));
    }
    const evidence_table table{insights};
    const outcome_counts counts{table.observations().front()};
    for (const auto& wanted : rows) {
      tally expected;
      for (const auto& item : rows) {
        const bool missed =
            std::any_of(rows.begin(), rows.end(), [&](const auto& other) {
              return other.task == item.task && !other.met;
            });
        const bool shows = item.line == wanted.line;
        if (!missed) {
          expected.given += shows ? item.count : 0;
          continue;
        }
        (item.met ? expected.met : expected.unmet) += item.count;
        if (shows)
          (item.met ? expected.met_line : expected.unmet_line) += item.count;
      }
      const auto t = counts.of("c", {}, number_of(table, wanted.line));
      CHECK(t.met == expected.met);
      CHECK(t.unmet == expected.unmet);
      CHECK(t.met_line == expected.met_line);
      CHECK(t.unmet_line == expected.unmet_line);
      CHECK(t.given == expected.given);
    }
  }
}
