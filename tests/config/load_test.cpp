#include "tests/config/fixture.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <sys/stat.h>

using namespace brewery;
using namespace brewery::test;

TEST_CASE("an empty file is the default configuration") {
  const auto loaded = load("");
  CHECK(loaded.problems.empty());
  config expected;
  expected.run.runs_dir = "/site/runs";
  CHECK(loaded.value == expected);
}

TEST_CASE("the file's values are taken") {
  const auto loaded = load("[search]\n"
                           "iterations = 4\n"
                           "exploration = 2 # an integer will do\n"
                           "strategies = [\"greedy\", \"mcts\"]\n"
                           "final_evaluation = false\n"
                           "[run]\n"
                           "seed = 9223372036854775807\n"
                           "name = \"night\"\n");
  CHECK(messages(loaded).empty());
  CHECK(loaded.value.search.iterations == 4);
  CHECK(loaded.value.search.tree.exploration == 2.0);
  CHECK(loaded.value.search.strategies
        == std::vector<std::string>{"greedy", "mcts"});
  CHECK_FALSE(loaded.value.search.final_evaluation);
  CHECK(loaded.value.run.seed == 9223372036854775807u);
  CHECK(loaded.value.run.name == "night");
}

TEST_CASE("precedence is default, file, environment, --set") {
  auto from = request({"run.seed=4", "run.seed=5"});
  from.environment = {{"BREWERY_RUN__SEED", "3"},
                      {"BREWERY_RUN__THREADS", "3"}};
  const auto loaded = parse_config("[environment]\nkind = \"toy\"\n"
                                   "[run]\nseed = 2\nthreads = 2\n"
                                   "name = \"a\"\n",
                                   from);
  CHECK(messages(loaded).empty());
  CHECK(loaded.value.run.seed == 5);
  CHECK(loaded.value.run.threads == 3);
  CHECK(loaded.value.run.name == "a");
  CHECK(loaded.value.run.log_level == run_options{}.log_level);
  CHECK(loaded.origins
        == std::map<std::string, std::string>{
            {"environment.kind", "conf/a.toml:2"},
            {"run.name", "conf/a.toml:6"},
            {"run.seed", "--set"},
            {"run.threads", "BREWERY_RUN__THREADS"}});
}

TEST_CASE("a good --set repairs a bad value only if it comes later") {
  // The file's problem is still reported: it would bite without the --set.
  const auto loaded = load("[run]\nseed = \"x\"\n", {"run.seed=2"});
  CHECK(loaded.problems.size() == 1);
  CHECK(loaded.value.run.seed == 2);
}

TEST_CASE("variables that are not options are ignored or named") {
  auto from = request();
  from.environment = {{"BREWERY_TEST_DATA", "/data"},
                      {"HOME__DIR", "x"},
                      {"BREWERY_SEARCH__ITERATION", "3"},
                      {"BREWERY_SEARCH__CANDIDATES", "x"}};
  const auto found =
      messages(parse_config("[environment]\nkind = \"toy\"\n", from));
  REQUIRE(found.size() == 2);
  CHECK(found[0]
        == "BREWERY_SEARCH__ITERATION: unknown key search.iteration; did you "
           "mean search.iterations?");
  CHECK(found[1]
        == "BREWERY_SEARCH__CANDIDATES: search.candidates = \"x\": expected an "
           "integer from 1 to 1000 or \"width\"");
}

TEST_CASE("the process's BREWERY_ variables are found, sorted") {
  setenv("BREWERY_RUN__SEED", "7", 1);
  setenv("BREWERY_RUN__NAME", "a=b", 1);
  std::vector<std::pair<std::string, std::string>> ours;
  for (const auto& pair : brewery_environment())
    if (pair.first.starts_with("BREWERY_RUN__")) ours.push_back(pair);
  unsetenv("BREWERY_RUN__SEED");
  unsetenv("BREWERY_RUN__NAME");
  CHECK(ours
        == std::vector<std::pair<std::string, std::string>>{
            {"BREWERY_RUN__NAME", "a=b"}, {"BREWERY_RUN__SEED", "7"}});
}

TEST_CASE("an override takes TOML values and bare words") {
  const auto with = [](const std::string& assignment) {
    const auto loaded = load("", {assignment});
    INFO(assignment);
    CHECK(messages(loaded).empty());
    return loaded.value;
  };
  CHECK(with("run.name=night").run.name == "night");
  CHECK(with("run.name=\"night\"").run.name == "night");
  CHECK(with("run.name = night ").run.name == "night");
  CHECK(with("run.name=2024").run.name == "2024");
  constexpr auto fill = search_options::fill_width;
  CHECK(with("search.candidates=width").search.tree.candidates == fill);
  CHECK(with("search.candidates=\"width\"").search.tree.candidates == fill);
  CHECK(with("search.candidates=5").search.tree.candidates == 5);
  CHECK(with("run.name=true").run.name == "true");
  CHECK(with("run.name=").run.name.empty());
  CHECK(with("run.seed=1_000").run.seed == 1000);
  CHECK(with("agent.explore=false").agent.explore == false);
  CHECK(with("search.exploration=2").search.tree.exploration == 2.0);
  const std::vector<std::string> two{"greedy", "mcts"};
  CHECK(with("search.strategies=[\"greedy\", \"mcts\"]").search.strategies
        == two);
  CHECK(with("search.strategies=greedy, mcts").search.strategies == two);
  CHECK(with("search.strategies=greedy").search.strategies
        == std::vector<std::string>{"greedy"});
  CHECK(with("environment.eval_split=a=b").environment.eval_split == "a=b");
}

TEST_CASE("paths are relative to where they are written") {
  const std::string text = "[environment]\ndata = \"../data\"\n"
                           "[run]\nruns_dir = \"/abs/runs\"\n";
  CHECK(load(text).value.environment.data == "/site/data");
  CHECK(load(text).value.run.runs_dir == "/abs/runs");
  CHECK(load(text).value.judge.rubrics.empty());
  CHECK(load(text, {"environment.data=x/../y"}).value.environment.data
        == "/site/y");
  auto from = request();
  from.environment = {{"BREWERY_ENVIRONMENT__DATA", "z"}};
  CHECK(parse_config(text, from).value.environment.data == "/site/z");
}

TEST_CASE("a missing file is named with the nearest one beside it") {
  namespace fs = std::filesystem;
  const scratch root;
  const auto& folder = root.path();
  fs::create_directories(folder / "telecom2.toml");
  std::ofstream{folder / "telecom.toml"} << "[environment]\nkind=\"toy\"\n";
  const auto found = [&folder](const std::string& name) {
    return messages(load_config({.file = name,
                                 .overrides = {},
                                 .environment = {},
                                 .working_directory = folder}));
  };
  CHECK(found("telecom.toml").empty());
  CHECK(
      found("telecon.toml")
      == std::vector<std::string>{
          "cannot read configuration telecon.toml: No such file or directory; "
          "did you mean telecom.toml?"});
  CHECK(found("other.conf")
        == std::vector<std::string>{
            "cannot read configuration other.conf: No such file or directory"});
  CHECK(found("telecom2.toml")
        == std::vector<std::string>{"cannot read configuration telecom2.toml: "
                                    "is a directory; did you mean "
                                    "telecom.toml?"});
}

TEST_CASE("a user may name a pipe, and what came with a run may be none") {
  namespace fs = std::filesystem;
  const scratch root;
  const auto file = root.path() / "config.toml";
  REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  load_request from{.file = file,
                    .overrides = {},
                    .environment = {},
                    .working_directory = root.path()};
  auto written = std::async(std::launch::async, [&] {
    std::ofstream{file} << "[environment]\nkind=\"toy\"\n";
  });
  CHECK(load_config(from).value.environment.kind == "toy");
  written.wait();
  from.stored = true;
  CHECK(messages(load_config(from))
        == std::vector<std::string>{"cannot read " + file.string()
                                    + ": it is no plain file; remove it if it "
                                      "is none of yours"});
}

TEST_CASE("a missing file that was installed is named where it is") {
  namespace fs = std::filesystem;
  const scratch root;
  const auto& folder = root.path();
  fs::create_directories(folder / "share/config");
  fs::create_directories(folder / "here");
  std::ofstream{folder / "share/config/toy.toml"} << "";
  const auto said = [&](const fs::path& file) {
    return messages(load_config({.file = file,
                                 .overrides = {},
                                 .environment = {},
                                 .working_directory = folder / "here",
                                 .installed = folder / "share"}));
  };
  CHECK(said("config/toy.toml")
        == std::vector<std::string>{
            "cannot read configuration config/toy.toml: No such file or "
            "directory; the one that was installed is "
            + (folder / "share/config/toy.toml").string()});
  CHECK(said("config/other.toml")
        == std::vector<std::string>{"cannot read configuration "
                                    "config/other.toml: No such file or "
                                    "directory"});
  const auto installed = folder / "share/config/toy.toml";
  CHECK(messages(load_config({.file = installed,
                              .overrides = {},
                              .environment = {},
                              .working_directory = folder / "here",
                              .installed = folder / "share"}))
            .empty());
}

TEST_CASE("the configurations that are shipped load") {
  const auto problems = [](const std::string& name,
                           std::vector<std::string> overrides) {
    return messages(load_config({.file = "config/" + name,
                                 .overrides = std::move(overrides),
                                 .environment = {},
                                 .working_directory = BREWERY_SOURCE_DIR}));
  };
  CHECK(problems("telecom-example.toml", {}).empty());
  CHECK(problems("external-example.toml", {}).empty());
  CHECK(problems("spreadsheet-example.toml", {}).empty());
  CHECK(problems("osworld-example.toml", {}).empty());
  for (const char* name :
       {"tau2-telecom.toml", "tau2-retail.toml", "tau2-airline.toml",
        "scarce.toml", "telecom-house-rules.toml", "spreadsheetbench.toml",
        "spreadsheetbench-official.toml", "presets/brew-paper-tau2.toml",
        "presets/brew-paper-spreadsheet.toml",
        "presets/brew-paper-osworld.toml"}) {
    INFO(name);
    CHECK(problems(name, {"environment.data=/data"}).empty());
  }
}

TEST_CASE("presets of the paper say what the paper does") {
  const auto preset = [](const std::string& name) {
    auto loaded =
        load_config({.file = "config/presets/brew-paper-" + name + ".toml",
                     .overrides = {"environment.data=/data"},
                     .environment = {},
                     .working_directory = BREWERY_SOURCE_DIR});
    REQUIRE(loaded.problems.empty());
    return loaded.value;
  };
  for (const std::string name : {"tau2", "spreadsheet", "osworld"}) {
    INFO(name);
    const auto options = preset(name);
    CHECK(options.search.iterations == 25);
    CHECK(options.search.root_temperature == 0.7);
    CHECK_FALSE(options.search.accumulate_insights);
    CHECK(options.search.train_on_selected);
    CHECK(options.search.merge_similarity == 1);
    CHECK(options.retrieval.top_k == 3);
    CHECK_FALSE(options.economy.bounds);
    CHECK(options.economy.confirm == 0);
    CHECK(options.economy.racing == 0);
    CHECK_FALSE(options.economy.rescore);
    CHECK(options.economy.reuse == "off");
    CHECK(options.agent.kind == "llm");
  }
  CHECK_FALSE(preset("spreadsheet").retrieval.per_observation);
  CHECK(preset("spreadsheet").retrieval.kind == "dense");
  CHECK_FALSE(preset("osworld").retrieval.per_observation);
}
