#include "config/option.hpp"
#include "config/rules.hpp"
#include "tests/config/fixture.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::test;

namespace {

struct broken_rule {
  const char* rule;
  std::string text;
  std::string message;
};

const std::vector<broken_rule> broken_rules{
    {"the lambdas sum to 1", "[search]\nlambda_correctness = 0.7\n",
     "conf/a.toml:2: search.lambda_correctness = 0.7: with "
     "search.lambda_retrieval = 0.5 the sum is 1.2, expected 1"},
    {"the blame is on the default when the other was set",
     "[search]\nlambda_retrieval = 0.25\n",
     "default: search.lambda_correctness = 0.5: with search.lambda_retrieval = "
     "0.25 the sum is 0.75, expected 1"},
    {"something to do", "[search]\nstrategies = []\nfinal_evaluation = false\n",
     "conf/a.toml:2: search.strategies = []: without a strategy and without "
     "the final evaluation there is nothing to do: name one or use --set "
     "search.final_evaluation=true"},
    {"no strategy twice", "[search]\nstrategies = [\"mcts\", \"mcts\"]\n",
     "conf/a.toml:2: search.strategies = [\"mcts\", \"mcts\"]: a strategy is "
     "listed twice"},
    {"a barrier waits for some tree", "[search]\ngather_quorum = 0\n",
     "conf/a.toml:2: search.gather_quorum = 0.0: expected more than 0, at "
     "most 1: a barrier must wait for at least one tree"},
    {"most is not less than least", "[eval]\nmax_per_concept = 4\n",
     "conf/a.toml:2: eval.max_per_concept = 4: is less than "
     "eval.min_per_concept = 8"},
    {"retail has a user", "[environment]\nkind = \"tau2-retail\"\n",
     "default: user.kind = \"none\": the agent of tau2-retail talks with a "
     "user: use user.kind = \"llm\" and name a model"},
    {"telecom has a user when told to", "[environment.tau2]\nmode = \"user\"\n",
     "default: user.kind = \"none\": the agent of tau2-telecom talks with a "
     "user: use user.kind = \"llm\" and name a model"},
    {"who asks about everything is not stuck",
     "[retrieval]\nwhen_stuck = true\n",
     "conf/a.toml:2: retrieval.when_stuck = true: an agent that asks after "
     "every observation is never without: use --set "
     "retrieval.per_observation=false"},
    {"a model's drafts are its own",
     "[integrator]\nkind = \"llm\"\nmodel = \"m\"\ndrafts = \"varied\"\n",
     "conf/a.toml:4: integrator.drafts = \"varied\": drafts and max_rules are "
     "for integrator.kind = \"procedural\""},
    {"a spreadsheet eval split has tasks",
     "[environment]\nkind = \"spreadsheet\"\neval_split = \"eval\"\n"
     "[environment.spreadsheet]\neval_tasks = 0\n",
     "conf/a.toml:5: environment.spreadsheet.eval_tasks = 0: leaves no task "
     "for environment.eval_split = \"eval\": draw some, or leave that empty to "
     "hold out a part of the train split"},
    {"no family without a machine",
     "[environment]\nkind = \"plant\"\n[environment.plant]\n"
     "families = 100\n",
     "conf/a.toml:4: environment.plant.families = 100: a family has at least "
     "one kind of machine"},
    {"static desktops are listed",
     "[environment]\nkind = \"osworld\"\n[environment.osworld]\n"
     "provider = \"static\"\nstatic_reset = [\"r\"]\n",
     "default: environment.osworld.static_desktops = []: "
     "environment.osworld.provider = \"static\" needs at least one machine, "
     "e.g. [\"10.0.0.5\"]"},
    {"static desktops are reset",
     "[environment]\nkind = \"osworld\"\n[environment.osworld]\n"
     "provider = \"static\"\nstatic_desktops = [\"a\"]\n",
     "default: environment.osworld.static_reset = []: "
     "environment.osworld.provider = \"static\" needs a program that resets a "
     "machine, e.g. [\"./reset.sh\", \"{host}\"]"},
    {"no static desktop twice",
     "[environment]\nkind = \"osworld\"\n[environment.osworld]\n"
     "provider = \"static\"\nstatic_reset = [\"r\"]\n"
     "static_desktops = [\"a\", \"a:5000:9222:8080\"]\n",
     "conf/a.toml:6: environment.osworld.static_desktops = [\"a\", "
     "\"a:5000:9222:8080\"]: a:5000 is listed twice, and a desktop is for one "
     "rollout at a time: remove one of them"},
    {"a train split", "[environment]\ntrain_split = \"\"\n", ""},
    {"a fusion of something",
     "[retrieval]\nkind = \"hybrid\"\nbm25_weight = 0\ndense_weight = 0\n",
     "conf/a.toml:3: retrieval.bm25_weight = 0.0: with retrieval.dense_weight "
     "= 0 too nothing could be found: give one of them a weight"},
    {"no desktop repeats itself",
     "[economy]\nreuse = \"run\"\n[environment]\nkind = \"osworld\"\n",
     "conf/a.toml:2: economy.reuse = \"run\": a desktop takes its time, so "
     "what an agent sees of it is not the same twice, and none of its rollouts "
     "may stand for another"},
    {"the path of iterative has no race",
     "[search]\nstrategies = [\"iterative\"]\n[economy]\nracing = 0.1\n",
     "conf/a.toml:4: economy.racing = 0.1: no version has to beat another with "
     "the strategy iterative or with search.publish_newest, so none races: set "
     "economy.racing = 0"},
    {"what is published unselected has no race",
     "[search]\npublish_newest = true\n[economy]\nracing = 0.1\n",
     "conf/a.toml:4: economy.racing = 0.1: no version has to beat another with "
     "the strategy iterative or with search.publish_newest, so none races: set "
     "economy.racing = 0"},
    {"audits need what they audit", "[economy]\naudit_reuse = 0.5\n",
     "conf/a.toml:2: economy.audit_reuse = 0.5: nothing is reused that could "
     "be audited"},
    {"an eval split is not the train split",
     "[environment]\neval_split = \"train\"\n",
     "conf/a.toml:2: environment.eval_split = \"train\": is the train split "
     "too: "
     "leave it empty to hold out a part of that"},
    {"an eval split and a held-out part are alternatives",
     "[environment]\neval_split = \"eval\"\n"
     "eval_fraction = 0.5\n",
     "conf/a.toml:3: environment.eval_fraction = 0.5: has no effect beside "
     "environment.eval_split = \"eval\": remove one of them"},
    {"drawn eval tasks have no split of their own",
     "[environment]\ndraw_from = \"base\"\neval_split = \"eval\"\n",
     "conf/a.toml:3: environment.eval_split = \"eval\": has no effect beside "
     "environment.draw_from = \"base\": remove one of them"},
    {"a number of drawn tasks needs a draw", "[environment]\ndraw_eval = 3\n",
     "conf/a.toml:2: environment.draw_eval = 3: has no effect without "
     "environment.draw_from, the split to draw from"},
    {"the test split is not the train split",
     "[environment]\ntest_split = \"train\"\n",
     "conf/a.toml:2: environment.test_split = \"train\": the search uses this "
     "split, so it cannot be the test split"},
    {"the test split is not the eval split",
     "[environment]\neval_split = \"test\"\n",
     "default: environment.test_split = \"test\": the search uses this split, "
     "so "
     "it cannot be the test split"},
    {"a final evaluation needs a test split",
     "[environment]\ntest_split = \"\"\n",
     "conf/a.toml:2: environment.test_split = \"\": the final evaluation needs "
     "a "
     "test split: name one or use --set search.final_evaluation=false"},
    {"a run name can be a directory name", "[run]\nname = \"../up\"\n",
     "conf/a.toml:2: run.name = \"../up\": expected letters, digits, dots, "
     "dashes and underscores, not beginning with a dot or dash"},
    {"runs have a directory", "[run]\nruns_dir = \"\"\n",
     "conf/a.toml:2: run.runs_dir = \"\": a run needs a directory"},
    {"metrics are served at a host and a port",
     "[run]\nmetrics_listen = \"9464\"\n",
     "conf/a.toml:2: run.metrics_listen = \"9464\": expected host:port, e.g. "
     "\"127.0.0.1:9464\""},
    {"a role on a model names it", "[judge]\nkind = \"llm\"\n",
     "default: judge.model = \"\": kind = \"llm\" needs the name of a model"},
    {"the embedder too", "[embedder]\nkind = \"llm\"\n",
     "default: embedder.model = \"\": kind = \"llm\" needs the name of a "
     "model"},
    {"a sentence model is a file", "[embedder]\nkind = \"sentence\"\n",
     "default: embedder.model_file = \"\": kind = \"sentence\" needs the file "
     "of a sentence model (docs/models.md)"},
    {"a file of a sentence model has a reader",
     "[embedder]\nmodel_file = \"m.onnx\"\n",
     "conf/a.toml:2: embedder.model_file = \"/site/conf/m.onnx\": has no "
     "effect with embedder.kind = \"procedural\": only \"sentence\" reads it"},
    {"a user on a model names it", "[user]\nkind = \"llm\"\n",
     "default: user.model = \"\": kind = \"llm\" needs the name of a model"},
    {"the procedural integrator needs facts to count",
     "[reflector]\nkind = \"llm\"\nmodel = \"m\"\n",
     "default: integrator.kind = \"procedural\": a procedural integrator "
     "counts facts, but insights "
     "of a model are sentences: use --set integrator.kind=llm, or "
     "reflector.kind=procedural"},
    {"baselines are ways to approach a task",
     "[eval]\nbaselines = [\"step-back\"]\n[agent]\nkind = \"scripted\"\n"
     "script = \"s\"\n",
     "conf/a.toml:2: eval.baselines = [\"step-back\"]: these are ways to "
     "approach a task: they need agent.kind = \"llm\" or \"procedural\""},
    {"a memory in a child process needs a program",
     "[eval]\nbaselines = [\"memory-port\"]\n[memory_port]\npackage = \"m "
     "1\"\n",
     "default: memory_port.command = []: the baseline \"memory-port\" needs "
     "the "
     "program to start, e.g. [\"python3\", \"memory.py\"]"},
    {"tables name the package of a memory in a child process",
     "[eval]\nbaselines = [\"memory-port\"]\n[memory_port]\ncommand = "
     "[\"m\"]\n",
     "default: memory_port.package = \"\": tables name the package of "
     "\"memory-port\": set its name and version, e.g. \"cognee 1.6.5\""},
    {"only the baseline starts the program of a memory",
     "[memory_port]\ncommand = [\"m\"]\n",
     "conf/a.toml:2: memory_port.command = [\"m\"]: has no effect: only the "
     "baseline \"memory-port\" starts it"},
    {"baselines are arms of the final evaluation",
     "[eval]\nbaselines = [\"step-back\"]\n[search]\nfinal_evaluation = "
     "false\n[agent]\nkind = \"llm\"\nmodel = \"m\"\n",
     "conf/a.toml:2: eval.baselines = [\"step-back\"]: they are arms of the "
     "final evaluation, which is off"},
    {"no baseline twice",
     "[eval]\nbaselines = [\"step-back\", \"step-back\"]\n[agent]\nkind = "
     "\"llm\"\nmodel = \"m\"\n",
     "conf/a.toml:2: eval.baselines = [\"step-back\", \"step-back\"]: a "
     "baseline is listed twice"},
};

} // namespace

TEST_CASE("each broken rule names the place, the value and the remedy") {
  for (const auto& broken : broken_rules) {
    INFO(broken.rule);
    const auto found = messages(load(broken.text));
    REQUIRE(found.size() == 1);
    if (!broken.message.empty()) CHECK(found[0] == broken.message);
  }
}

TEST_CASE("every rule looks at options that exist") {
  for (const auto& rule : config_rules())
    for (const auto& key : rule.keys) {
      INFO(key);
      CHECK(find_option(key));
    }
}

TEST_CASE("lambdas that sum to 1 but for rounding are accepted") {
  const auto sum = [](double a, double b) {
    return load("[search]\nlambda_correctness = " + std::to_string(a)
                + "\nlambda_retrieval = " + std::to_string(b) + '\n');
  };
  CHECK(sum(0.7, 0.3).problems.empty());
  CHECK(sum(0.9, 0.1).problems.empty());
  CHECK(sum(1, 0).problems.empty());
  CHECK_FALSE(sum(0.7, 0.299).problems.empty());
}

TEST_CASE("spreadsheets without eval tasks can hold some out") {
  const std::string none = "[environment]\nkind = \"spreadsheet\"\n"
                           "spreadsheet.eval_tasks = 0\n";
  CHECK(messages(load(none)).empty());
  CHECK(messages(load(none + "draw_from = \"train\"\n")).empty());
  CHECK(messages(load(none + "eval_split = \"eval\"\n")).size() == 1);
}

TEST_CASE("addresses of metrics") {
  const auto listen = [](const std::string& address) {
    return load("[run]\nmetrics_listen = \"" + address + "\"\n")
        .problems.empty();
  };
  CHECK(listen(""));
  CHECK(listen("127.0.0.1:9464"));
  CHECK(listen("[::1]:9464"));
  CHECK(listen("0.0.0.0:0"));
  CHECK_FALSE(listen(":9464"));
  CHECK_FALSE(listen("localhost:"));
  CHECK_FALSE(listen("localhost:65536"));
  CHECK_FALSE(listen("localhost:94a"));
}

TEST_CASE("inputs that are missing are named with their place") {
  const auto missing = [](const std::string& text) {
    const auto loaded = load(text);
    REQUIRE(loaded.problems.empty());
    std::vector<std::string> out;
    for (const auto& problem : missing_inputs(loaded))
      out.push_back(problem.message);
    return out;
  };
  const std::string toy = "[environment]\nkind = \"toy\"\n";
  CHECK(missing(toy).empty());
  CHECK(missing(toy + "data = \"none\"\n[judge]\nrubrics = \"r.toml\"\n")
        == std::vector<std::string>{
            "conf/a.toml:3: environment.data = \"/site/conf/none\": no such "
            "directory",
            "conf/a.toml:5: judge.rubrics = \"/site/conf/r.toml\": no such "
            "file"});
  CHECK(missing(toy
                + "[embedder]\nkind = \"sentence\"\nmodel_file = "
                  "\"m.onnx\"\n")
        == std::vector<std::string>{
            "conf/a.toml:5: embedder.model_file = \"/site/conf/m.onnx\": no "
            "such file"});
  CHECK(missing("")
        == std::vector<std::string>{
            "default: environment.data = \"\": this environment needs a data "
            "directory, use --set environment.data=DIRECTORY"});
  CHECK(missing("[environment]\ndata = \"/\"\n").empty());
}
