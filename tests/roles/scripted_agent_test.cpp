#include "roles/scripted_agent.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <fstream>

using namespace brewery;

namespace {

class recording_environment final : public environment {
public:
  std::vector<std::string> seen;
  std::size_t over_after = 99;

  const std::vector<tool_spec>& tools() const override {
    static const std::vector<tool_spec> none;
    return none;
  }
  tool_result call(std::string_view name, const json& arguments) override {
    seen.push_back(std::string{name} + arguments.dump());
    return {"ok", false};
  }
  result<turn_outcome> take_turn(const turn& move) override {
    auto out = environment::take_turn(move);
    if (out && seen.size() >= over_after) out->over = true;
    if (!move.text.empty()) seen.push_back(move.text);
    return out;
  }
  result<grade_report> grade() override { return grade_report{}; }
};

struct scripts {
  scratch folder;
  agent_options options;
  recording_environment env;

  scripts() { options.script = folder.path(); }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream{folder.path() / name} << text;
  }
  result<trajectory> play(const std::string& task) {
    auto agent = scripted_agent::load(options);
    if (!agent) return agent.error();
    retrieval_session nobody{std::make_shared<kb_index>(), 3};
    job_context context;
    return (*agent)->attempt({{task}, "Do."}, env, nobody, 1, context);
  }
};

} // namespace

TEST_CASE("a script's code and calls are made in order, then it is done") {
  scripts s;
  s.put("7.json",
        R"(["a = 1", {"tool": "look", "arguments": {"at": 2}}, "b"])");
  const auto tried = s.play("7");
  REQUIRE(tried);
  CHECK(s.env.seen
        == std::vector<std::string>{R"(python{"code":"a = 1"})",
                                    R"(look{"at":2})", R"(python{"code":"b"})",
                                    "Done."});
  CHECK(tried->steps.size() == 4);
}

TEST_CASE("a script ends when the environment does") {
  scripts s;
  s.put("7.json", R"({"cells": ["a", "b", "c"]})");
  s.env.over_after = 2;
  REQUIRE(s.play("7"));
  CHECK(s.env.seen.size() == 2);
}

TEST_CASE("a task without a script is given up with words") {
  scripts s;
  s.put("7.json", "[]");
  REQUIRE(s.play("8"));
  CHECK(s.env.seen == std::vector<std::string>{"Done."});
}

TEST_CASE("a bad script is refused by file and call") {
  const auto [text, expected] = GENERATE(table<const char*, const char*>(
      {{"7", "7.json: must be a JSON list of calls"},
       {R"(["a", 7])", "7.json: call 2: must be code"},
       {R"([{"arguments": {}}])", "7.json: call 1: has no \"tool\""},
       {R"([{"tool": "x", "arguments": 1}])",
        "7.json: call 1: its \"arguments\" must be an object"}}));
  scripts s;
  s.put("7.json", text);
  const auto tried = s.play("7");
  REQUIRE_FALSE(tried);
  CHECK(tried.error().message.find(expected) != std::string::npos);
}

TEST_CASE("a directory without scripts is refused") {
  scripts s;
  const auto tried = s.play("7");
  REQUIRE_FALSE(tried);
  CHECK(tried.error().message.find("agent.script = ") == 0);
}
