/// A document with what its lines rest on.

#include "report/provenance.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using Catch::Contains;

namespace {

const std::string fan = "# Fan\n\nCall `start()`.\n";

/// The third line rests on an insight of five rollouts, of which two are named,
/// as manifests of format 1 did.
manifest_document evidence_of_fan() {
  manifest_document out;
  out.evidence = {{3,
                   {{{"i1"},
                     "The fan ran.",
                     5,
                     {{{"0123456789abcdef"}, {"task-a"}},
                      {{"fedcba9876543210"}, {"task-b"}}}}}}};
  return out;
}

const rollout_grades both_graded{
    {{"0123456789abcdef"}, {1, {{"runs", true}}}},
    {{"fedcba9876543210"}, {0, {{"runs", true}, {"paid", false}}}}};

} // namespace

TEST_CASE("an insight stands below its line and ends at grader lines") {
  auto about = evidence_of_fan();
  about.evidence[0].insights[0].count = 2;
  CHECK(annotated(fan, about, both_graded, false)
        == "# Fan\n\nCall `start()`.\n"
           "    <- 2x The fan ran.\n"
           "       1x reward 0: met \"runs\", missed \"paid\": task-b "
           "fedcba98\n"
           "       1x reward 1: met \"runs\": task-a 01234567\n");
}

TEST_CASE("rollouts with the same grade share a line") {
  auto about = evidence_of_fan();
  about.evidence[0].insights[0].count = 2;
  CHECK_THAT(annotated(fan, about, {}, false),
             Contains("2x grade not kept: task-a 01234567, task-b fedcba98\n"));
}

TEST_CASE("rollouts that an old manifest does not name are counted") {
  CHECK_THAT(annotated(fan, evidence_of_fan(), {}, false),
             Contains("       3x not named in this manifest\n"));
}

TEST_CASE("an insight of two lines is shown once") {
  auto about = evidence_of_fan();
  about.evidence.insert(about.evidence.begin(),
                        {1, about.evidence[0].insights});
  const auto text = annotated(fan, about, both_graded, false);
  CHECK_THAT(text, Contains("Call `start()`.\n    <- 1 insight shown at line "
                            "1\n"));
  CHECK(text.find("The fan ran.") == text.rfind("The fan ran."));
}

TEST_CASE("a document without evidence is shown as it is") {
  CHECK(annotated(fan, {}, {}, true) == fan);
}

TEST_CASE("evidence of a line that is not there is left out") {
  auto about = evidence_of_fan();
  about.evidence[0].line = 4;
  CHECK(annotated(fan, about, {}, false) == fan);
}

TEST_CASE("nothing in a document or an insight can drive a terminal") {
  auto about = evidence_of_fan();
  about.evidence[0].insights[0].sentence = "red \x1b[31m";
  about.evidence[0].insights[0].rollouts[0].task = {"task\x1b[2J"};
  const auto text = annotated("a\x1b[0m\n\nb\n", about, {}, false);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK_THAT(text, Contains("red ?[31m"));
}

TEST_CASE("as JSON every line has its number, and evidence where there is") {
  const auto about = evidence_of_fan();
  const auto lines = lines_json(fan, &about, both_graded);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0]["line"] == 1);
  CHECK(lines[0]["text"] == "# Fan");
  CHECK_FALSE(lines[0].contains("insights"));
  const auto& insight = lines[2]["insights"][0];
  CHECK(insight["id"] == "i1");
  CHECK(insight["count"] == 5);
  CHECK(insight["rollouts"][1]["job"] == "fedcba9876543210"); // in full
  CHECK(insight["rollouts"][1]["grade"]["checks"][1]["name"] == "paid");
  CHECK_FALSE(lines_json(fan, nullptr, {})[2].contains("insights"));
}
