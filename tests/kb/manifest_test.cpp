#include "base/text.hpp"
#include "kb/manifest.hpp"
#include "tests/kb/support.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

manifest sample() {
  manifest out;
  out.run_id = "run-1";
  out.strategy = "mcts";
  out.seed = 18446744073709551615ull;
  manifest_document doc;
  doc.concept_ref = {3};
  doc.title = "Mobile \"data\" 📶";
  doc.file = "03-mobile-data.md";
  doc.hash = {"abc"};
  doc.parent = {"def"};
  doc.iteration = 4;
  doc.reward = 0.1 + 0.2; // not a short decimal
  doc.correctness = 1;
  doc.retrieval = 1.0 / 3;
  doc.evaluated = 10;
  doc.train_tasks = 7;
  doc.eval_tasks = 5;
  doc.evidence.push_back(
      {2, {{{"i1"}, "Turn it on.", 9, {{{"job"}, {"task [a]"}}}}}});
  doc.evidence.push_back(
      {5, {{{"i1"}, "Turn it on.", 9, {}}, {{"i2"}, "", 1, {}}}});
  out.documents.push_back(doc);
  return out;
}

std::string message_of(const std::string& text) {
  const auto read = parse_manifest(text, "kb/manifest.json");
  REQUIRE_FALSE(read);
  CHECK(read.error().message.find('\n') == std::string::npos);
  return to_string(read.error());
}

} // namespace

TEST_CASE("a manifest reads back as it was written") {
  const auto text = to_json_text(sample());
  const auto read = parse_manifest(text, "m");
  REQUIRE(read);
  CHECK(to_json_text(*read) == text);
  CHECK(read->seed == sample().seed);
  const auto& doc = read->documents.at(0);
  CHECK(doc.reward == 0.1 + 0.2); // to the last bit
  CHECK(doc.evidence.at(0).insights.at(0).rollouts.at(0).task
        == task_id{"task [a]"});
  CHECK(read->find({3}) == &doc);
  CHECK(read->find({0}) == nullptr);
}

TEST_CASE(
    "an insight of many lines is written once, a grade once per rollout") {
  auto about = sample();
  about.grades[{"job"}] = {0.5, {{"is on", true}, {"is \"paid\"", false}}};
  const auto text = to_json_text(about);
  const auto at = text.find("Turn it on.");
  REQUIRE(at != std::string::npos);
  CHECK(text.find("Turn it on.", at + 1) == std::string::npos);
  const auto read = parse_manifest(text, "m");
  REQUIRE(read);
  CHECK(to_json_text(*read) == text);
  const auto& lines = read->documents.at(0).evidence;
  CHECK(lines.at(0).insights.at(0).sentence == "Turn it on.");
  CHECK(lines.at(1).insights.at(0).sentence == "Turn it on.");
  const auto& grade = read->grades.at({"job"});
  CHECK(grade.reward == 0.5);
  REQUIRE(grade.parts.size() == 2);
  CHECK(grade.parts[1].name == "is \"paid\"");
  CHECK_FALSE(grade.parts[1].met);
}

TEST_CASE("a line that names an unknown insight is refused by its place") {
  CHECK(contains(
      message_of(replace_all(to_json_text(sample()), "\"i2\"\n", "\"i3\"\n")),
      "documents[0].evidence[1].insights[1] must be the id of an "
      "insight of this document"));
}

TEST_CASE("a manifest of format 1 is still read") {
  const auto read = parse_manifest(
      R"({"format": 1, "run": "r", "strategy": "mcts", "seed": 1,
          "documents": [{"concept": 0, "title": "T", "file": "0.md",
          "hash": "a", "parent": "", "iteration": 0, "reward": 0,
          "correctness": 0, "retrieval": 0, "evaluated": 0, "train_tasks": 0,
          "eval_tasks": 0, "evidence": [{"line": 1, "insights": [{"id": "i",
          "sentence": "S.", "count": 7, "rollouts": [{"job": "j",
          "task": "t"}]}]}]}]})",
      "m");
  REQUIRE(read);
  const auto& item = read->documents.at(0).evidence.at(0).insights.at(0);
  CHECK(item.sentence == "S.");
  CHECK(item.count == 7);
  CHECK(item.rollouts.at(0).task == task_id{"t"});
  CHECK(read->grades.empty());
}

TEST_CASE("only a run with a quorum says so in its manifest") {
  CHECK_FALSE(contains(to_json_text(sample()), "gather_quorum"));
  auto about = sample();
  about.gather_quorum = 0.75;
  about.late_reports = 5;
  const auto text = to_json_text(about);
  const auto read = parse_manifest(text, "m");
  REQUIRE(read);
  CHECK(read->gather_quorum == 0.75);
  CHECK(read->late_reports == 5);
  CHECK(to_json_text(*read) == text);
  CHECK(contains(message_of(replace_all(text, "\"late_reports\"", "\"late\"")),
                 "late_reports is missing"));
}

TEST_CASE("evidence counts distinct insights") {
  CHECK(sample().documents[0].evidence_count() == 2);
  CHECK(manifest_document{}.evidence_count() == 0);
}

TEST_CASE("broken JSON is refused with line and column") {
  const auto message = message_of("{\n  \"format\": 1,\n  oops\n}");
  CHECK(
      contains(message, "malformed: kb/manifest.json: parse error at line 3"));
  CHECK(contains(message_of(""), "kb/manifest.json"));
}

TEST_CASE("a missing or wrong member is named by its path") {
  const auto without = [](const char* part, const char* instead) {
    const auto text = to_json_text(sample());
    REQUIRE(contains(text, part));
    return message_of(replace_all(text, part, instead));
  };
  CHECK(contains(without("\"seed\"", "\"sed\""), "seed is missing"));
  CHECK(contains(without("\"reward\"", "\"rewards\""),
                 "documents[0].reward is missing"));
  CHECK(contains(without("\"line\": 2", "\"line\": -2"),
                 "documents[0].evidence[0].line must be a whole number"));
  CHECK(contains(without("\"line\": 2", "\"line\": 4294967296"),
                 "found 4294967296"));
  CHECK(contains(without("\"concept\": 3", "\"concept\": \"x\""),
                 "documents[0].concept must be a whole number"));
  CHECK(contains(without("\"run\": \"run-1\"", "\"run\": 1"),
                 "run must be a string, found 1"));
  CHECK(contains(message_of("[]"), "it must be an object, found []"));
  CHECK(contains(message_of("{\"format\":1,\"run\":\"\",\"strategy\":\"\","
                            "\"seed\":1,\"documents\":[3]}"),
                 "documents[0] must be an object"));
}

TEST_CASE("whole numbers are read to the end of their type") {
  const auto text = replace_all(to_json_text(sample()), "\"line\": 2",
                                "\"line\": 4294967295");
  const auto read = parse_manifest(text, "m");
  REQUIRE(read);
  CHECK(read->documents.at(0).evidence.at(0).line == 4294967295u);
}

TEST_CASE("a newer format is refused before anything else is read") {
  const auto read = parse_manifest("{\"format\": 3, \"new\": []}", "m");
  REQUIRE_FALSE(read);
  CHECK(read.error().code == ec::version_mismatch);
  CHECK(contains(read.error().message, "format 3 is newer than 2"));
}

TEST_CASE("unknown members are ignored") {
  auto text = to_json_text(sample());
  text = replace_all(text, "\"seed\"", "\"extra\": {}, \"seed\"");
  CHECK(parse_manifest(text, "m"));
}

TEST_CASE("text that is not UTF-8 is replaced, not fatal") {
  auto about = sample();
  about.documents[0].title = "bad \xff byte";
  CHECK(parse_manifest(to_json_text(about), "m"));
}
