#include "roles/procedural/induction/shared_evidence.hpp"
#include "tests/roles/support.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

lines texts(const evidence_table& table,
            const std::vector<line_number>& numbers) {
  lines out;
  for (const auto number : numbers)
    out.push_back(is_absence(number) ? "no " + table.text(number & ~absence_bit)
                                     : table.text(number));
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<lines> changeable(const std::vector<counted_insight>& insights) {
  const evidence_table table{insights};
  std::vector<lines> out;
  for (const auto& observation : table.observations())
    for (const auto& group : table.changeable(observation))
      out.push_back(texts(table, group));
  return out;
}

} // namespace

TEST_CASE("insights are sorted by look into outcomes and effects") {
  const std::vector<counted_insight> insights{
      outcome(3, "b()", {"x: 1"}, "c", true, {"k"}, {"q()"}),
      effect(2, "a()", {"y: 1"}, {"p()", "q()"}, {"y: 2"}, {"r()"}),
      outcome(1, "b()", {"x: 2"}, "c", false)};
  const evidence_table table{insights};
  REQUIRE(table.observations().size() == 2);
  const auto& a = table.observations()[0];
  const auto& b = table.observations()[1];
  CHECK(a.observation == "a()");
  REQUIRE(a.effects.size() == 1);
  CHECK(a.outcomes.empty());
  CHECK(a.effects[0].count == 2);
  CHECK(texts(table, a.effects[0].before) == lines{"y: 1"});
  CHECK(texts(table, a.effects[0].after) == lines{"y: 2"});
  REQUIRE(a.effects[0].actions.size() == 2); // in the order they were made
  CHECK(table.text(a.effects[0].actions[0]) == "p()");
  CHECK(texts(table, a.effects[0].quiet) == lines{"r()"});
  REQUIRE(b.outcomes.size() == 2);
  const auto& met = b.outcomes[0].met ? b.outcomes[0] : b.outcomes[1];
  CHECK(met.count == 3);
  CHECK(met.check == "c");
  CHECK(texts(table, met.contexts) == lines{"k"});
  CHECK(holds(met.lines, met.lines.front()));
  CHECK_FALSE(holds(met.lines, 9999));
}

TEST_CASE("equal lines are one number wherever they stand") {
  const std::vector<counted_insight> insights{
      outcome(1, "a()", {"x: 1"}, "c", true),
      effect(1, "b()", {"x: 1"}, {"p()"}, {"x: 2"})};
  const evidence_table table{insights};
  CHECK(table.observations()[0].outcomes[0].lines
        == table.observations()[1].effects[0].before);
}

TEST_CASE("a key is changeable when two of its values were seen") {
  CHECK(changeable({outcome(1, "a()", {"Fan: on", "Pump: on"}, "c", true),
                    effect(1, "a()", {"Fan: off", "Pump: on"}, {"p()"},
                           {"Fan: on", "Pump: on"})})
        == std::vector<lines>{{"Fan: off", "Fan: on"}});
}

TEST_CASE("one statement without a key may change into another") {
  CHECK(changeable({outcome(1, "a()", {"All is well."}, "c", true),
                    outcome(1, "a()", {"The card is missing."}, "c", false)})
        == std::vector<lines>{{"All is well.", "The card is missing."}});
}

TEST_CASE("of several statements each is there or not, whatever it became") {
  const std::vector<counted_insight> insights{
      outcome(1, "a()", {"One.", "Two."}, "c", true),
      outcome(1, "a()", {"Three."}, "c", false)};
  CHECK(changeable(insights)
        == std::vector<lines>{
            {"One.", "no One."}, {"Three.", "no Three."}, {"Two.", "no Two."}});
  const std::vector<line_number> shown{3, 5};
  CHECK(holds(shown, 3));
  CHECK_FALSE(holds(shown, without(3)));
  CHECK(holds(shown, without(4)));
}

TEST_CASE("joined values and ids of lists are no state of anything") {
  const std::vector<counted_insight> insights{
      outcome(1, "a()", {"tags[]: red, blue", "one has id: B1", "n: 1"}, "c",
              true),
      outcome(1, "a()", {"tags[]: red", "one has id: B2", "n: 1"}, "c", false)};
  const evidence_table table{insights};
  CHECK(changeable(insights).empty());
  for (const auto& row : table.observations()[0].outcomes)
    CHECK(texts(table, row.lines) == lines{"n: 1"});
}

TEST_CASE("no insights make an empty table") {
  const std::vector<counted_insight> none;
  CHECK(evidence_table{none}.observations().empty());
}

TEST_CASE("jobs that share their insights share the table") {
  shared_evidence evidence;
  const shared_list<counted_insight> list{
      {effect(1, "look()", {"a: 1"}, {"f()"}, {"a: 2"})}};
  const auto copy = list;
  const shared_list<counted_insight> equal{list.items()};
  const auto first = evidence.of(list);
  CHECK(evidence.of(copy) == first);
  CHECK(evidence.of(equal) != first);
  CHECK(first->table().observations().size() == 1);
}

TEST_CASE("a table of evidence is kept as long as a job has its list") {
  shared_evidence evidence;
  const std::vector<counted_insight> items{
      effect(1, "look()", {"a: 1"}, {"f()"}, {"a: 2"})};
  const shared_list<counted_insight> waiting{items};
  const std::weak_ptr<const counted_evidence> kept = evidence.of(waiting);
  std::weak_ptr<const counted_evidence> gone;
  for (int i = 0; i < 3; ++i) {
    const shared_list<counted_insight> done{items};
    const auto before = gone;
    gone = evidence.of(done);
    CHECK(before.expired());
    CHECK_FALSE(gone.expired());
  }
  (void)evidence.of(waiting);
  CHECK(gone.expired());
  CHECK_FALSE(kept.expired());
}
