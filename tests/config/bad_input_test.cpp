#include "tests/config/fixture.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::test;

namespace {

struct bad_input {
  const char* rule;
  std::string text;
  std::vector<std::string> overrides;
  std::string message;
};

// The file is conf/a.toml in /work.
const std::vector<bad_input> bad_inputs{
    {"a misspelt key",
     "[search]\niteration = 5\n",
     {},
     "conf/a.toml:2:1: unknown key search.iteration = 5; did you mean "
     "search.iterations?"},
    {"a key of another section",
     "[search]\ntop_k = 5\n",
     {},
     "conf/a.toml:2:1: unknown key search.top_k = 5; did you mean "
     "retrieval.top_k?"},
    {"a key near to nothing",
     "[eval]\nwhatever = \"x\"\n",
     {},
     "conf/a.toml:2:1: unknown key eval.whatever = \"x\"; [eval] has "
     "min_per_concept, max_per_concept, trials, test_trials, similarity, "
     "min_graded, baselines, leave_one_out"},
    {"a key outside any section",
     "seed = 5\n",
     {},
     "conf/a.toml:1:1: unknown key seed = 5; did you mean run.seed?"},
    {"a misspelt section",
     "[serch]\niterations = 5\ncandidates = 2\n",
     {},
     "conf/a.toml:1:2: unknown section [serch]; did you mean [search]?"},
    {"a misspelt section of a section",
     "[environment.spreadshet]\nturns = 5\n",
     {},
     "conf/a.toml:1:14: unknown section [environment.spreadshet]; did you mean "
     "[environment.spreadsheet]?"},
    {"a key of a section's section",
     "[environment]\nkind = \"toy\"\nrecalculation_timeout = 5\n",
     {},
     "conf/a.toml:3:1: unknown key environment.recalculation_timeout = 5; did "
     "you mean environment.spreadsheet.recalculation_timeout_ms?"},
    {"a section near to nothing",
     "[zebra]\n",
     {},
     "conf/a.toml:1:2: unknown section [zebra]; sections are run, cluster, "
     "environment, environment.tau2, environment.tau2_official, "
     "environment.external, environment.spreadsheet, environment.osworld, "
     "environment.plant, "
     "search, agent_kb, muse, memory_port, eval, economy, retrieval, prompts, "
     "agent, reflector, memory, integrator, judge, embedder, user, "
     "statement_judge, models, budget"},
    {"a section given as a value",
     "search = 3\n",
     {},
     "conf/a.toml:1:1: search = 3: expected a section, written [search]"},
    {"a list of sections",
     "[[search]]\niterations = 3\n",
     {},
     "conf/a.toml:1:3: search = [ { iterations = 3 } ]: expected a section, "
     "written [search]"},
    {"a string for an integer",
     "[search]\niterations = \"ten\"\n",
     {},
     "conf/a.toml:2:1: search.iterations = \"ten\": expected an integer from 0 "
     "to 10000, found a string"},
    {"a fraction for an integer",
     "[search]\niterations = 2.5\n",
     {},
     "conf/a.toml:2:1: search.iterations = 2.5: expected an integer from 0 to "
     "10000, found a number"},
    {"an integer for a string",
     "[environment]\nkind = \"toy\"\ntrain_split = 1",
     {},
     "conf/a.toml:3:1: environment.train_split = 1: expected a string, found "
     "an "
     "integer"},
    {"a string for a boolean",
     "[agent]\nexplore = \"yes\"\n",
     {},
     "conf/a.toml:2:1: agent.explore = \"yes\": expected true or false, found "
     "a "
     "string"},
    {"a string for a list",
     "[search]\nstrategies = \"mcts\"\n",
     {},
     "conf/a.toml:2:1: search.strategies = \"mcts\": expected a list of "
     "\"mcts\", \"greedy\", \"iterative\", found a string"},
    {"a list of numbers",
     "[search]\nstrategies = [1]\n",
     {},
     "conf/a.toml:2:1: search.strategies = [ 1 ]: expected a list of \"mcts\", "
     "\"greedy\", \"iterative\", found a list"},
    {"a date",
     "[run]\nname = 2024-01-01\n",
     {},
     "conf/a.toml:2:1: run.name = 2024-01-01: expected a string, found a date "
     "or "
     "time"},
    {"a table for a value",
     "[run]\nname = { a = 1 }\n",
     {},
     "conf/a.toml:2:1: run.name = { a = 1 }: expected a string, found a "
     "section"},
    {"an integer below its range",
     "[search]\ncandidates = 0\n",
     {},
     "conf/a.toml:2:1: search.candidates = 0: expected an integer from 1 to "
     "1000 or \"width\""},
    {"another word than the one for an integer",
     "[search]\ncandidates = \"widht\"\n",
     {},
     "conf/a.toml:2:1: search.candidates = \"widht\": expected an integer from "
     "1 to 1000 or \"width\"; did you mean \"width\"?"},
    {"a fraction for an integer or a word",
     "[search]\ncandidates = 2.5\n",
     {},
     "conf/a.toml:2:1: search.candidates = 2.5: expected an integer from 1 to "
     "1000 or \"width\", found a number"},
    {"a number above its range",
     "[retrieval]\nbm25_b = 1.5\n",
     {},
     "conf/a.toml:2:1: retrieval.bm25_b = 1.5: expected a number from 0 to 1"},
    {"a quorum of more than all",
     "[search]\ngather_quorum = 1.5\n",
     {},
     "conf/a.toml:2:1: search.gather_quorum = 1.5: expected a number from 0 to "
     "1"},
    {"a quorum that is no number",
     "[search]\ngather_quorum = \"x\"\n",
     {},
     "conf/a.toml:2:1: search.gather_quorum = \"x\": expected a number from 0 "
     "to 1, found a string"},
    {"a number that is none",
     "[search]\nexploration = nan\n",
     {},
     "conf/a.toml:2:1: search.exploration = nan: expected a number from 0 to "
     "100"},
    {"a negative seed",
     "[run]\nseed = -1\n",
     {},
     "conf/a.toml:2:1: run.seed = -1: expected an integer of at least 0"},
    {"a misspelt choice",
     "[environment]\nkind = \"tau2-telekom\"\n",
     {},
     "conf/a.toml:2:1: environment.kind = \"tau2-telekom\": expected one of "
     "\"tau2-telecom\", \"tau2-retail\", \"tau2-airline\", \"toy\", "
     "\"external\", \"tau2-official\", \"spreadsheet\", \"osworld\", "
     "\"plant\"; did you "
     "mean "
     "\"tau2-telecom\"?"},
    {"a misspelt choice in a list",
     "[search]\nstrategies = [\"mcts\", "
     "\"gredy\"]\n",
     {},
     "conf/a.toml:2:1: search.strategies = [\"mcts\", \"gredy\"]: expected a "
     "list of \"mcts\", \"greedy\", \"iterative\"; did you mean \"greedy\"?"},
    {"an unclosed string",
     "[run]\nname = \"a\n",
     {},
     "conf/a.toml:2:10: not valid TOML: Error while parsing string: "
     "unescaped control characters other than TAB (U+0009) are explicitly "
     "prohibited"},
    {"a key given twice", "[run]\nseed = 1\nseed = 2\n", {}, ""},
    {"an integer beyond 64 bits",
     "[run]\nseed = 99999999999999999999\n",
     {},
     ""},
    {"an override without a value",
     "",
     {"run.seed"},
     "--set run.seed: expected section.key=value"},
    {"an override of an unknown key",
     "",
     {"search.itrations=5"},
     "--set: unknown key search.itrations; did you mean search.iterations?"},
    {"an override without a section",
     "",
     {"iterations=5"},
     "--set: unknown key iterations; did you mean search.iterations or "
     "muse.iterations?"},
    {"an override of an unknown section",
     "",
     {"serch.foo=5"},
     "--set: unknown key serch.foo; did you mean [search]?"},
    {"an override of the wrong type",
     "",
     {"search.iterations=many"},
     "--set: search.iterations = \"many\": expected an integer from 0 to "
     "10000, "
     "found a string"},
    {"an override with two assignments",
     "",
     {"run.threads=1\nseed = 2"},
     "--set: run.threads = \"1\\nseed = 2\": expected an integer from 0 to "
     "1024, "
     "found a string"},
    {"an override that is not UTF-8",
     "",
     {"run.name=\xff"},
     "--set: run.name: the value is not UTF-8 text"},
};

} // namespace

TEST_CASE("each bad input has one message of one line") {
  for (const auto& bad : bad_inputs) {
    INFO(bad.rule);
    const auto found = messages(load(bad.text, bad.overrides));
    REQUIRE(found.size() == 1);
    CHECK(found[0].find('\n') == std::string::npos);
    if (!bad.message.empty())
      CHECK(found[0] == bad.message);
    else
      CHECK(found[0].starts_with("conf/a.toml:"));
  }
}

TEST_CASE("all problems of a file are reported, in file order") {
  const auto found = messages(load("[search]\n"
                                   "iterations = -1\n"
                                   "candidats = 3\n"
                                   "[agent]\n"
                                   "explore = 1\n"
                                   "[nothing]\n",
                                   {"run.sed=1"}));
  REQUIRE(found.size() == 5);
  CHECK(found[0].starts_with("conf/a.toml:2:1: search.iterations"));
  CHECK(found[1].starts_with("conf/a.toml:3:1: unknown key search.candidats"));
  CHECK(found[2].starts_with("conf/a.toml:5:1: agent.explore"));
  CHECK(found[3].starts_with("conf/a.toml:6:2: unknown section [nothing]"));
  CHECK(found[4].starts_with("--set: unknown key run.sed"));
}

TEST_CASE("a bad value is reported once, also when a rule depends on it") {
  // The rest of the lambdas alone would not sum to 1.
  const auto found = messages(load("[search]\n"
                                   "lambda_correctness = \"0.7\"\n"
                                   "lambda_retrieval = 0.3\n"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].find("found a string") != std::string::npos);
}

TEST_CASE("a long value is shortened at a character boundary") {
  std::string name;
  for (int i = 0; i < 100; ++i)
    name += "\u00e9";
  const auto found =
      messages(load("[search]\niterations = \"" + name + "\"\n"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].size() < 160);
  CHECK(found[0].find("\u00e9...: expected") != std::string::npos);
}

TEST_CASE("a file that is not UTF-8 is refused") {
  const auto found = messages(load("[run]\nname = \"\xff\"\n"));
  REQUIRE(found.size() == 1);
  INFO(found[0]);
  CHECK(found[0].starts_with("conf/a.toml:2:8: not valid TOML: "));
}
