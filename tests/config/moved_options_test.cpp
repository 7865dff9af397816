#include "config/moved_options.hpp"
#include "config/print.hpp"
#include "tests/config/fixture.hpp"
#include "tests/fixtures/old_environment.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::test;

namespace {

using strings = std::vector<std::string>;

/// The same said in the words of then and of now.
struct translation {
  const char* what;
  std::vector<std::pair<std::string, std::string>> then;
  std::string now;
};

// Every kind, with every option that its benchmark has, not at its default.
const std::vector<translation> translations{
    {"the toy", {{"kind", "\"toy\""}}, "[environment]\nkind = \"toy\"\n"},
    {"a domain of tau2-bench",
     {{"kind", "\"tau2-telecom\""},
      {"data", "\"/data\""},
      {"mode", "\"solo\""},
      {"max_steps", "50"},
      {"max_errors", "9"},
      {"enforce_protocol", "true"},
      {"talk_timeout_s", "60"}},
     "[environment]\nkind = \"tau2-telecom\"\ndata = \"/data\"\n"
     "[environment.tau2]\nmode = \"solo\"\nmax_steps = 50\nmax_errors = 9\n"
     "enforce_protocol = true\ntalk_timeout_s = 60\n"},
    {"a domain of tau2-bench with a user",
     {{"kind", "\"tau2-retail\""}},
     "[environment]\nkind = \"tau2-retail\"\n"},
    {"another one",
     {{"kind", "\"tau2-airline\""}},
     "[environment]\nkind = \"tau2-airline\"\n"},
    {"tau2-bench's own package",
     {{"kind", "\"tau2-official\""},
      {"domain", "\"retail\""},
      {"python", "\"/venv/bin/python\""},
      {"user_model", "\"gpt\""},
      {"pass_env", "[\"KEY\"]"},
      {"start_timeout_ms", "1"},
      {"step_timeout_ms", "2"},
      {"grade_timeout_ms", "3"}},
     "[environment]\nkind = \"tau2-official\"\n[environment.tau2_official]\n"
     "domain = \"retail\"\npython = \"/venv/bin/python\"\n"
     "user_model = \"gpt\"\npass_env = [\"KEY\"]\nstart_timeout_ms = 1\n"
     "step_timeout_ms = 2\ngrade_timeout_ms = 3\n"},
    {"a program",
     {{"kind", "\"external\""},
      {"command", "[\"python3\", \"lock.py\"]"},
      {"pass_env", "[\"KEY\"]"},
      {"start_timeout_ms", "1"},
      {"step_timeout_ms", "2"},
      {"grade_timeout_ms", "3"}},
     "[environment]\nkind = \"external\"\n[environment.external]\n"
     "command = [\"python3\", \"lock.py\"]\npass_env = [\"KEY\"]\n"
     "start_timeout_ms = 1\nstep_timeout_ms = 2\ngrade_timeout_ms = 3\n"},
    {"spreadsheets as they were",
     {{"kind", "\"spreadsheet\""}},
     "[environment]\nkind = \"spreadsheet\"\n[environment.spreadsheet]\n"
     "turns = 5\n"},
    {"spreadsheets",
     {{"kind", "\"spreadsheet\""},
      {"python", "\"/venv/bin/python\""},
      {"start_timeout_ms", "1"},
      {"grade_timeout_ms", "3"},
      {"turns", "4"},
      {"metric", "\"hard\""},
      {"position_parser", "\"repaired\""},
      {"cell_timeout_ms", "1000"},
      {"output_bytes", "512"},
      {"train_tasks", "6"},
      {"eval_tasks", "2"},
      {"split_seed", "7"},
      {"keep_flawed_tasks", "true"},
      {"unsafe_run_without_isolation", "true"},
      {"kernel_memory_mb", "512"},
      {"recalculation_timeout_ms", "4000"}},
     "[environment]\nkind = \"spreadsheet\"\n[environment.spreadsheet]\n"
     "python = \"/venv/bin/python\"\nstart_timeout_ms = 1\n"
     "grade_timeout_ms = 3\nturns = 4\nmetric = \"hard\"\n"
     "position_parser = \"repaired\"\ncell_timeout_ms = 1000\n"
     "output_bytes = 512\ntrain_tasks = 6\neval_tasks = 2\nsplit_seed = 7\n"
     "keep_flawed_tasks = true\nunsafe_run_without_isolation = true\n"
     "kernel_memory_mb = 512\nrecalculation_timeout_ms = 4000\n"},
};

/// Of the benchmark that is chosen; nobody reads the others' tables.
environment_options chosen(environment_options from) {
  environment_options out = from;
  out.tau2 = {};
  out.tau2_official = {};
  out.external = {};
  out.spreadsheet = {};
  if (from.table() == "tau2") out.tau2 = from.tau2;
  if (from.table() == "tau2_official") out.tau2_official = from.tau2_official;
  if (from.table() == "external") out.external = from.external;
  if (from.table() == "spreadsheet") out.spreadsheet = from.spreadsheet;
  return out;
}

loaded_config
from_variables(const std::string& text,
               std::vector<std::pair<std::string, std::string>> variables) {
  auto from = request();
  from.environment = std::move(variables);
  return parse_config(text, from);
}

const std::string toy = "[environment]\nkind = \"toy\"\n";
const std::string sheets = "[environment]\nkind = \"spreadsheet\"\n";

} // namespace

TEST_CASE("a configuration of an older release loads to equal options") {
  const std::string user = "[user]\nkind = \"llm\"\nmodel = \"m\"\n";
  for (const auto& one : translations) {
    INFO(one.what);
    const auto then = load(old_environment(one.then) + user);
    const auto now = load(one.now + user);
    CHECK(messages(then) == strings{});
    CHECK(messages(now) == strings{});
    CHECK(now.hints == strings{});
    CHECK(chosen(then.value.environment) == now.value.environment);
    // As it is stored from now on.
    const auto again = parse_config(to_toml(then.value), request());
    CHECK(again.value == then.value);
    CHECK(again.hints == strings{});
  }
}

TEST_CASE("every key of before is still read, and only those are moved") {
  const auto loaded = load(old_environment({}));
  CHECK(messages(loaded) == strings{});
  CHECK(loaded.hints.size() == 26);
  config expected;
  expected.run.runs_dir = "/site/runs";
  CHECK(loaded.value == expected);
  CHECK(find_moved("environment", "kind") == nullptr);
  CHECK(find_moved("search", "turns") == nullptr);
}

TEST_CASE("an old key gives a hint that names the new one") {
  const auto file = load(sheets + "turns = 4\n");
  CHECK(file.value.environment.spreadsheet.turns == 4);
  CHECK(file.hints
        == strings{"conf/a.toml:3: environment.turns is now "
                   "environment.spreadsheet.turns"});
  CHECK(file.origins.at("environment.spreadsheet.turns") == "conf/a.toml:3");
  const auto set = load(sheets, {"environment.turns=4"});
  CHECK(set.value.environment.spreadsheet.turns == 4);
  CHECK(set.hints
        == strings{"--set: environment.turns is now "
                   "environment.spreadsheet.turns"});
  const auto variable =
      from_variables(sheets, {{"BREWERY_ENVIRONMENT__TURNS", "4"}});
  CHECK(variable.value.environment.spreadsheet.turns == 4);
  CHECK(variable.hints
        == strings{"BREWERY_ENVIRONMENT__TURNS: environment.turns is now "
                   "environment.spreadsheet.turns"});
}

TEST_CASE("a key that several benchmarks have got is the chosen one's") {
  const auto hint = [](const std::string& text) {
    return load(text + "start_timeout_ms = 5\n").hints.at(0);
  };
  CHECK(hint(sheets)
        == "conf/a.toml:3: environment.start_timeout_ms is now "
           "environment.spreadsheet.start_timeout_ms");
  CHECK(hint(toy)
        == "conf/a.toml:3: environment.start_timeout_ms is now "
           "environment.external.start_timeout_ms, "
           "environment.tau2_official.start_timeout_ms, "
           "environment.spreadsheet.start_timeout_ms");
}

TEST_CASE("a file that a run wrote gives no hints, what is added does") {
  auto from = request({"environment.metric=soft"});
  from.stored = true;
  const auto loaded = parse_config(sheets + "turns = 4\n", from);
  CHECK(loaded.value.environment.spreadsheet.turns == 4);
  CHECK(loaded.hints
        == strings{"--set: environment.metric is now "
                   "environment.spreadsheet.metric"});
}

TEST_CASE("an explicit value is what it says, also that of another default") {
  // The old key had one default for all: 30,000 ms meant 120,000 here.
  CHECK(load(sheets).value.environment.spreadsheet.start_timeout_ms == 120'000);
  CHECK(load(sheets
             + "[environment.spreadsheet]\nstart_timeout_ms = 30000\n"
               "python = \"python3\"\n")
            .value.environment.spreadsheet.start_timeout_ms
        == 30'000);
  const auto old =
      load(sheets + "start_timeout_ms = 30000\npython = \"python3\"\n");
  CHECK(old.value.environment == load(sheets).value.environment);
}

TEST_CASE("old and new key in one source must agree") {
  const std::string both = sheets
                           + "turns = 4\n"
                             "[environment.spreadsheet]\nturns = ";
  CHECK(messages(load(both + "4\n")) == strings{});
  const std::string remedy =
      "is now environment.spreadsheet.turns, which conf/a.toml:5:1 sets to 5: "
      "remove one of them";
  CHECK(messages(load(both + "5\n"))
        == strings{"conf/a.toml:3:1: environment.turns = 4: " + remedy});
  CHECK(
      messages(load(sheets,
                    {"environment.spreadsheet.turns=5", "environment.turns=4"}))
      == strings{"--set: environment.turns = 4: is now "
                 "environment.spreadsheet.turns, which --set sets to 5: remove "
                 "one of them"});
  CHECK(messages(from_variables(
                     sheets, {{"BREWERY_ENVIRONMENT__SPREADSHEET__TURNS", "5"},
                              {"BREWERY_ENVIRONMENT__TURNS", "4"}}))
            .size()
        == 1);
}

TEST_CASE("between sources the later one wins, whatever the key") {
  const auto turns = [](const loaded_config& loaded) {
    CHECK(messages(loaded) == strings{});
    return loaded.value.environment.spreadsheet.turns;
  };
  CHECK(turns(load(sheets + "turns = 4\n", {"environment.spreadsheet.turns=5"}))
        == 5);
  CHECK(turns(load(sheets + "[environment.spreadsheet]\nturns = 4\n",
                   {"environment.turns=5"}))
        == 5);
  CHECK(
      turns(from_variables(sheets + "turns = 4\n",
                           {{"BREWERY_ENVIRONMENT__SPREADSHEET__TURNS", "5"}}))
      == 5);
}

TEST_CASE("a bad value under an old key is refused once, under that name") {
  CHECK(
      messages(load(sheets + "start_timeout_ms = 0\n"))
      == strings{"conf/a.toml:3:1: environment.start_timeout_ms = 0: expected "
                 "an integer from 1 to 86400000"});
}

TEST_CASE("an option of a benchmark that is not chosen gives a hint") {
  const auto hints = [](const std::string& text) {
    const auto loaded = load(text);
    CHECK(messages(loaded) == strings{});
    return loaded.hints;
  };
  CHECK(
      hints(toy + "[environment.spreadsheet]\nturns = 9\nmetric = \"first\"\n")
      == strings{"conf/a.toml:4: environment.spreadsheet.turns = 9: has no "
                 "effect with environment.kind = \"toy\""});
  CHECK(hints(sheets + "[environment.spreadsheet]\nturns = 9\n") == strings{});
  // As ever an error, because it looks like a program that will be started.
  CHECK(messages(load(toy + "[environment.external]\ncommand = \"x\"\n"))
        == strings{"conf/a.toml:4: environment.external.command = [\"x\"]: has "
                   "no effect with environment.kind = \"toy\": only "
                   "\"external\" starts it"});
}
