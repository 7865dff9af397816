/// What is refused before a run is made, and what only `deep` finds.

#include "run/setup/preflight.hpp"
#include "run/setup/run_checks.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>

using namespace brewery;
using Catch::Contains;

namespace {

config toy() {
  config out;
  out.environment.kind = "toy";
  out.environment.eval_split = "eval";
  return out;
}

std::string only_problem(const config& options, bool deep = false) {
  const auto problems = preflight(options, {deep});
  REQUIRE(problems.size() == 1);
  return problems.front().message;
}

} // namespace

TEST_CASE("a configuration that a run takes has no problem, deep or not") {
  for (const bool deep : {false, true}) {
    INFO(deep);
    for (const auto& problem : preflight(toy(), {deep}))
      FAIL(problem.message);
  }
}

TEST_CASE("each step that may take a while is announced") {
  std::vector<std::string> steps;
  preflight(toy(),
            {true, [&](const std::string& step) { steps.push_back(step); }});
  REQUIRE(steps.size() == 2);
  CHECK(steps[0] == "loading the tasks of toy");
  CHECK_THAT(steps[1], Contains("playing task "));
}

TEST_CASE("a split that does not exist is found before the run") {
  auto options = toy();
  options.environment.eval_split = "evel";
  CHECK_THAT(only_problem(options),
             Contains("environment.eval_split = \"evel\": split does not exist "
                      "in toy"));
}

TEST_CASE("a model without a catalog is found with what a role needs") {
  auto options = toy();
  options.agent.kind = "llm";
  options.agent.llm.model = "small";
  options.models.catalog = "no/such/models.toml";
  const auto problems = preflight(options);
  REQUIRE_FALSE(problems.empty());
  CHECK_THAT(problems.front().message, Contains("no/such/models.toml"));
}

TEST_CASE("a model that the catalog lacks is found") {
  const scratch folder;
  const auto catalog = folder.path() / "models.toml";
  std::ofstream{catalog}
      << "[server.local]\nbase_url = \"http://127.0.0.1:1\"\n"
         "[model.large]\nserver = \"local\"\n";
  auto options = toy();
  options.agent.kind = "llm";
  options.agent.llm.model = "small";
  options.models.catalog = catalog;
  const auto problems = preflight(options);
  REQUIRE_FALSE(problems.empty());
  CHECK_THAT(problems.front().message, Contains("model.small"));
}

TEST_CASE("a program that is not there is found without starting one") {
  const scratch folder;
  auto options = toy();
  options.environment.kind = "external";
  options.environment.external.command = {"brewery-no-such-program"};
  CHECK_THAT(only_problem(options), Contains("brewery-no-such-program"));
  const auto file = folder.path() / "program";
  options.environment.external.command = {file.string()};
  CHECK_THAT(only_problem(options),
             Contains("cannot be started: No such file"));
  std::ofstream{file} << "#!/bin/sh\ntouch " << folder.path() / "started"
                      << "\n";
  CHECK_THAT(only_problem(options),
             Contains("cannot be started: Permission denied"));
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  CHECK(preflight(options).empty());
  CHECK_FALSE(std::filesystem::exists(folder.path() / "started"));
  CHECK_FALSE(preflight(options, {true}).empty()); // it says nothing
  CHECK(std::filesystem::exists(folder.path() / "started"));
}

TEST_CASE("a program that describes itself otherwise each time is found") {
  const scratch folder;
  const auto program = folder.path() / "program.py";
  std::ofstream{program} << R"(
import json, os, sys
for line in sys.stdin:
    asked = json.loads(line)
    own = os.getpid() if sys.argv[1] == "changing" else 0
    names = ["train", "eval", "test"]
    print(json.dumps({"id": asked["id"], "result": {
        "protocol": 1, "name": "own", "fingerprint": f"f{own}", "reward": 1,
        "tasks": [{"id": name} for name in names],
        "splits": {name: [name] for name in names},
        "tools": [{"name": "look"}]}}), flush=True)
)";
  auto options = toy();
  options.environment.kind = "external";
  const auto differs = [&](const char* how, bool deep) {
    options.environment.external.command = {"python3", program.string(), how};
    const auto problems = preflight(options, {deep});
    return std::ranges::any_of(problems, [](const error& one) {
      return one.message.find("two starts of its program gave different hellos")
             != std::string::npos;
    });
  };
  CHECK(differs("changing", true));
  CHECK_FALSE(differs("changing", false)); // it is not started
  CHECK_FALSE(differs("same", true));
}

TEST_CASE("a sentence model is looked for at once, and loaded by deep") {
  const scratch folder;
  for (const auto* name : {"model.onnx", "tokenizer.json"})
    std::ofstream{folder.path() / name} << name;
  auto options = toy();
  options.embedder.kind = "sentence";
  options.embedder.model_file = folder.path() / "none.onnx";
  CHECK_THAT(only_problem(options), Contains("none.onnx"));
  options.embedder.model_file = folder.path() / "model.onnx";
  options.embedder.python = "no-such-python";
  CHECK_THAT(only_problem(options),
             Contains("embedder.python = \"no-such-python\""));
  options.embedder.python = "/usr/bin/false";
  CHECK(preflight(options).empty());
  CHECK_THAT(only_problem(options, true), Contains("/usr/bin/false"));
  CHECK_FALSE(can_begin(options, {}));
}

TEST_CASE("prompts and rubrics that cannot be used are errors of the "
          "configuration, before a run has a directory") {
  const scratch folder;
  auto options = toy();
  CHECK(can_begin(options, {}));
  options.judge.kind = "llm";
  options.judge.rubrics = folder.path() / "rubrics.toml";
  std::ofstream{options.judge.rubrics} << "[[rubric]]\nname = \"a\"\n";
  const auto rubrics = can_begin(options, {});
  REQUIRE_FALSE(rubrics);
  CHECK(rubrics.error().code == ec::invalid_config);
  CHECK_THAT(rubrics.error().message, Contains("rubrics.toml:1"));
  options = toy();
  options.prompts.dir = folder.path();
  std::ofstream{folder.path() / "no-such-prompt.md"} << "x";
  const auto prompts = can_begin(options, {});
  REQUIRE_FALSE(prompts);
  CHECK(prompts.error().code == ec::invalid_config);
  CHECK_THAT(prompts.error().message, Contains("no-such-prompt"));
}
