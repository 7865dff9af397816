#include "kb/document.hpp"
#include "run/results.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using Catch::Contains;

namespace {

evaluation_record arm(const std::string& name,
                      std::vector<std::vector<double>> rewards) {
  evaluation_record out{name, "test", {}, std::move(rewards)};
  for (std::size_t i = 0; i < out.rewards.size(); ++i)
    out.tasks.push_back({"t" + std::to_string(i)});
  return out;
}

node_record version(std::uint32_t id, const doc_hash& hash, double reward) {
  node_record out;
  out.id = {id};
  out.hash = hash;
  out.iteration = out.depth = id;
  out.reward = reward;
  out.evaluated = 4;
  return out;
}

/// One tree whose second version was better, one whose first stayed.
struct scene {
  document_store documents;
  search_outcome outcome;

  scene() {
    const auto first = documents.add("# Fan\n\nNo remedy is known yet.\n");
    const auto better = documents.add("# Fan\n\nCall `start()`.\n");
    const auto other = documents.add("# Pump\n\nNothing.\n");
    insight seen;
    seen.id = {"i1"};
    seen.sentence = "After `start()` the fan ran.";
    document_outcome fan;
    fan.about = {{0}, "Fan", {"fan"}, {{"a"}, {"b"}}, {{"c"}}};
    fan.best = version(1, better->hash, 0.75);
    fan.parent = first->hash;
    fan.evidence = {{3, {{"i1"}, {"unknown"}}}};
    fan.cited = {{seen, 7, {{task_id{"a"}, 7}}, {job_id{"r1"}, job_id{"r2"}}}};
    fan.versions = {version(0, first->hash, 0.25),
                    version(1, better->hash, 0.75)};
    document_outcome pump;
    pump.about = {{1}, "Pump | valve", {"pump"}, {{"a"}}, {}};
    pump.best = version(0, other->hash, 0.5);
    pump.versions = {pump.best};
    outcome.strategy = "mcts";
    outcome.initial_success = 0.125;
    outcome.documents = {fan, pump};
    expand_report of_fan, of_pump;
    of_fan.best = fan.best;
    of_fan.added = 1;
    of_fan.train_success = 0.5;
    of_pump.concept_ref = {1};
    of_pump.best = pump.best;
    of_pump.note = "every node is fully expanded";
    outcome.gathers = {{0, {}, {of_fan, of_pump}}, {1, {}, {of_fan, of_pump}}};
  }

  result<learned> learn() const {
    return learned_from(
        outcome, documents,
        [](const job_id& rollout) {
          return cited_rollout{{"of " + rollout.value}, grade_report{1, {}}};
        },
        "night", 3);
  }
};

} // namespace

TEST_CASE("what a search leaves is one document per concept and its manifest") {
  const scene s;
  const auto made = s.learn();
  REQUIRE(made);
  CHECK(made->kb.entries().size() == 2);
  CHECK(made->about.run_id == "night");
  CHECK(made->about.strategy == "mcts");
  CHECK(made->about.seed == 3);
  REQUIRE(made->about.documents.size() == 2);
  const auto& fan = made->about.documents[0];
  CHECK(fan.hash == s.outcome.documents[0].best.hash);
  CHECK(fan.parent == s.outcome.documents[0].parent);
  CHECK(fan.train_tasks == 2);
  CHECK(fan.eval_tasks == 1);
  CHECK(fan.reward == 0.75);
  CHECK(made->about.documents[1].parent.value.empty());
}

TEST_CASE("evidence names insights with their counts, rollouts and tasks") {
  const auto made = scene{}.learn();
  REQUIRE(made);
  const auto& evidence = made->about.documents[0].evidence;
  REQUIRE(evidence.size() == 1);
  CHECK(evidence[0].line == 3);
  REQUIRE(evidence[0].insights.size() == 1); // what nobody made is left out
  const auto& cited = evidence[0].insights[0];
  CHECK(cited.count == 7);
  CHECK(cited.sentence == "After `start()` the fan ran.");
  REQUIRE(cited.rollouts.size() == 2);
  CHECK(cited.rollouts[1].task == task_id{"of r2"});
  CHECK(made->about.grades.at({"r2"}).reward == 1);
}

TEST_CASE("a concept about which nothing was learned has no document") {
  scene s;
  s.outcome.documents[1].best.hash = s.documents.add("")->hash;
  const auto made = s.learn();
  REQUIRE(made);
  CHECK(made->kb.entries().size() == 1);
  CHECK(made->about.documents.size() == 1);
}

TEST_CASE("a document that is not known is an internal error with its hash") {
  scene s;
  s.outcome.documents[1].best.hash = {"feed"};
  const auto made = s.learn();
  REQUIRE_FALSE(made);
  CHECK(made.error().code == ec::internal);
  CHECK_THAT(made.error().message, Contains("feed"));
}

TEST_CASE("the table shows success, interval and difference of each arm") {
  run_summary summary;
  summary.documents = "runs/night/kb";
  summary.rollouts = 12;
  summary.seconds = 1.25;
  summary.workers = 2;
  CHECK_THAT(summary_text(summary), !Contains("Success")
                                        && Contains("rollouts   12\n")
                                        && !Contains("documents"));
  summary.searches = {search_outcome{}};
  summary.arms = compare_arms(
      {arm("no KB", {{0, 0}, {0, 0}}), arm("learned, mcts", {{1, 1}, {1, 1}})},
      2);
  const auto text = summary_text(summary);
  CHECK_THAT(text, Contains("split 'test' (2 tasks, 2 trials each)"));
  // Two tasks that agree prove little; the table says how it knows.
  CHECK_THAT(text, Contains("no KB           0.0 %    0.0 %     [0.0, 65.8]*"));
  CHECK_THAT(text, Contains("+100.0 [-31.5, 100.0]*"));
  CHECK_THAT(text, Contains("* tasks agree or are few: Wilson interval"));
  CHECK_THAT(text, Contains("documents  runs/night/kb\n"));
  const auto as_json = summary_json(summary);
  CHECK(as_json["arms"][1]["success"] == 1.0);
  CHECK(as_json["arms"][1]["interval"] == "wilson");
  CHECK(as_json["arms"][1]["difference_interval"] == "wilson");
  CHECK(as_json["arms"][0] == arm_json(summary.arms[0]));
  CHECK_THAT(text, !Contains("not counted"));
}

TEST_CASE("one of a thing is not many") {
  run_summary summary;
  summary.documents = "runs/night/kb";
  summary.rollouts = summary.workers = summary.failed_jobs = 1;
  CHECK_THAT(summary_text(summary),
             Contains(" s with 1 worker\n")
                 && Contains("failed     1 job without a result; `brewery "
                             "resume runs/night` tries\n           again those "
                             "of the final evaluation, with --retry-failed "
                             "all\n"));
  summary.failed_jobs = 2;
  CHECK_THAT(summary_text(summary), Contains("2 jobs without a result"));
}

TEST_CASE("with several trials the table shows pass^k, and what is missing") {
  run_summary summary;
  summary.arms = compare_arms({arm("no KB", {{1, 0, 0}, {1, 1}, {}})}, 3);
  const auto text = summary_text(summary);
  CHECK_THAT(text,
             Contains("pass^1") && Contains("pass^2") && !Contains("pass^3"));
  CHECK_THAT(text, Contains("66.7 %") && Contains("50.0 %"));
  CHECK_THAT(text, Contains("4 rollouts have no score"));
  CHECK(summary_json(summary)["arms"][0]["ungraded"] == 4);
  CHECK(summary_json(summary)["arms"][0]["pass_k"].size() == 2);
  summary.arms = compare_arms({arm("no KB", {{1}, {0}})}, 1);
  CHECK_THAT(summary_text(summary), !Contains("pass^"));
}

TEST_CASE("a best version without text is remarked as not published") {
  scene s;
  s.outcome.documents[1].best.hash = s.documents.add("\n")->hash;
  run_summary summary;
  summary.searches = {s.outcome};
  const auto text = report_text(summary, s.documents);
  CHECK_THAT(text, Contains("| every node is fully expanded; empty, not "
                            "published |"));
  CHECK(text.find("not published") == text.rfind("not published"));
}

TEST_CASE("the report tells curve, trees and changes") {
  const scene s;
  run_summary summary;
  summary.run_id = "night";
  summary.searches = {s.outcome};
  summary.train_trials = 3;
  const auto text = report_text(summary, s.documents);
  CHECK_THAT(text, Contains("# Run night"));
  CHECK_THAT(text, Contains("mean reward 0.125"));
  CHECK_THAT(text, Contains("        0  0.625 "));
  CHECK_THAT(text, Contains("+1 document\n"));
  CHECK_THAT(text, Contains("| Fan | 2 | 1 | 0.750 |"));
  // A title of any text keeps the table whole.
  CHECK_THAT(text, Contains("| Pump \\| valve | 1 | 0 | 0.500 |"));
  CHECK_THAT(text, Contains("| every node is fully expanded |"));
  CHECK_THAT(text, Contains("2 expansions; 3 versions with the first ones, "
                            "scored by 12 graded rollouts. Trees asked for "
                            "12 rollouts to learn from; they share those of a "
                            "task. The deepest version has depth 1, and none "
                            "has more than 1 child.\n"));
  auto chain = summary;
  chain.searches[0].strategy = "iterative";
  CHECK_THAT(report_text(chain, s.documents),
             Contains("The newest versions have a mean reward of 0.625, the "
                      "published ones 0.625.\n"));
  summary.expansions = 4;
  CHECK_THAT(report_text(summary, s.documents),
             Contains("2 iterations of single trees, of up to 4 "
                      "expansions each; 3 versions with"));
  CHECK_THAT(text, Contains("Reward 0.250 -> 0.750 (version of iteration 1)"));
  CHECK_THAT(text, Contains("-No remedy is known yet.\n+Call `start()`.\n"));
  CHECK_THAT(text, !Contains("#### Pump"));
  // Verdict and next steps come first, the search after them.
  CHECK(text.find("## What to do next") < text.find("## Appendix: `mcts`"));
}

TEST_CASE("the table shows the checks that all attempts of an arm had") {
  run_summary summary;
  auto with = arm("no KB", {{1}, {0}});
  with.checks = {{"case 1, repaired", 1, 2}};
  summary.arms = compare_arms({with}, 1);
  const auto text = summary_text(summary);
  CHECK_THAT(text, Contains("no KB           case 1, repaired        50.0 %  "
                            "1 of 2\n"));
  CHECK(summary_json(summary)["arms"][0]["checks"][0]["met"] == 1);
  summary.arms = compare_arms({arm("no KB", {{1}})}, 1);
  CHECK_THAT(summary_text(summary), !Contains("check of every attempt"));
}

TEST_CASE("the report says which models took part") {
  run_summary summary;
  const document_store none;
  CHECK_THAT(report_text(summary, none), Contains("No language model"));
  summary.models = {"small", "a|b"};
  CHECK_THAT(report_text(summary, none),
             Contains("| models | small, a\\|b |") && !Contains("No language"));
}

TEST_CASE("a run with a quorum says so wherever its results are shown") {
  scene s;
  s.outcome.gathers[0].late = {{1}};
  s.outcome.gathers[1].folded = {s.outcome.gathers[0].reports.back()};
  s.outcome.gathers[0].reports.pop_back();
  for (auto& gather : s.outcome.gathers)
    gather.current.resize(2);
  run_summary summary;
  summary.searches = {s.outcome};
  // Barriers that wait for all have nothing to tell.
  CHECK_THAT(summary_text(summary), !Contains("late"));
  CHECK_FALSE(summary_json(summary).contains("late_reports"));
  summary.gather_quorum = 0.5;
  for (const auto& text :
       {summary_text(summary), report_text(summary, s.documents)})
    CHECK_THAT(text, Contains("50.0 % of the trees; 1 of 4 reports were late")
                         && Contains("alone does not reproduce this run"));
  CHECK_THAT(report_text(summary, s.documents),
             Contains("+1 document, 1 late\n"));
  CHECK(summary_json(summary)["gather_quorum"] == 0.5);
  CHECK(summary_json(summary)["late_reports"] == 1);
  const auto made = learned_from(
      s.outcome, s.documents, [](const job_id&) { return cited_rollout{}; },
      "night", 3, 0.5);
  REQUIRE(made);
  CHECK(made->about.gather_quorum == 0.5);
  CHECK(made->about.late_reports == 1);
}

TEST_CASE("the curve counts a late tree's report when it is folded in") {
  scene s;
  auto& first = s.outcome.gathers[0];
  auto& second = s.outcome.gathers[1];
  second.folded = {first.reports.back()};
  first.reports.pop_back();
  first.late = {{1}};
  run_summary summary;
  summary.searches = {s.outcome};
  const auto text = report_text(summary, s.documents);
  CHECK_THAT(text, Contains("        0  0.750 ")); // only the fan so far
  CHECK_THAT(text, Contains("        1  0.625 "));
}

TEST_CASE("a report without better versions says so") {
  scene s;
  s.outcome.documents.erase(s.outcome.documents.begin());
  run_summary summary;
  summary.searches = {s.outcome};
  CHECK_THAT(report_text(summary, s.documents),
             Contains("No change was better than the first documents."));
}

TEST_CASE("documents without text are neither published nor evaluated") {
  scene s;
  for (const bool empty : {false, true}) {
    if (empty) s.outcome.documents[1].best.hash = s.documents.add("\n")->hash;
    const auto made = s.learn();
    REQUIRE(made);
    CHECK(made->kb.size() == (empty ? 1U : 2U));
    CHECK(made->about.documents.size() == made->kb.size());
    CHECK(published_refs(s.outcome, s.documents) == made->kb.refs());
  }
}

TEST_CASE("what was found and what was confirmed are told side by side") {
  scene s;
  auto& fan = s.outcome.documents[0];
  const auto lucky = s.documents.add("# Fan\n\nCall `stop()`.\n");
  fan.versions.push_back(version(2, lucky->hash, 0.95));
  fan.versions[2].challenges = {{{1}, 2, {0.5}, {0.625}}};
  fan.versions[1].challenges = {{{0}, 1, {0.625}, {0.25}}};
  fan.best = fan.versions[1];
  auto& counts = s.outcome.gathers[1].reports[0].counts;
  run_summary summary;
  summary.searches = {s.outcome};
  CHECK_THAT(summary_text(summary), !Contains("scoring"));
  CHECK_FALSE(summary_json(summary).contains("scoring"));
  counts = {{"asked", 40},
            {"confirmed", 16},
            {"pruned", 8},
            {"raced", 2},
            {"rescored", 4}};
  summary.searches = {s.outcome};
  const auto text = report_text(summary, s.documents);
  CHECK_THAT(text, Contains("- Fan: found 0.750, confirmed 0.625 (the one "
                            "before it 0.250); 2 challenges, 1 refused\n"));
  CHECK_THAT(text, Contains("2 left out of candidates that lost a race. So "
                            "20.0 % of 50 were not needed.\n"));
  CHECK_THAT(text, Contains("Another 16 were fresh ones"));
  CHECK_THAT(text, Contains("Another 4 scored versions again"));
  CHECK_THAT(text, !Contains("- Pump"));
  CHECK_THAT(summary_text(summary),
             Contains("scoring    rollouts that score versions: 40 asked, 8 "
                      "pruned, 2 raced,\n           4 rescored, 16 "
                      "confirmed\n"));
  CHECK(summary_json(summary)["scoring"]["confirmed"] == 16);
}
