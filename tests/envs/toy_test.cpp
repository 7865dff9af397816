#include "envs/toy/toy.hpp"
#include "tests/fixtures/toy_gold.hpp"
#include "tests/fixtures/toy_words.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>

using namespace brewery;
using namespace brewery::test;

namespace {

std::unique_ptr<environment> start(const benchmark& bench, const task_id& id) {
  auto env = bench.make(id);
  REQUIRE(env);
  return std::move(*env);
}

/// Everything an agent could see of a benchmark: tools, tickets, reports and
/// what each gold action answers.
std::string transcript(const toy_options& options) {
  const auto bench = make_toy_benchmark(options);
  std::string out;
  for (const auto& task : bench->tasks()) {
    const auto env = start(*bench, task.id);
    out += task.instruction + "\n";
    for (const auto& tool : env->tools()) {
      out += tool.name + " " + tool.description;
      for (const auto& parameter : tool.parameters) {
        out += " " + parameter.name + " " + parameter.description;
        for (const auto& choice : parameter.choices)
          out += " " + choice;
      }
      if (tool.kind == tool_kind::read)
        out += "\n" + env->call(tool.name, json::object()).content;
      out += "\n";
    }
    for (const auto& action : toy_gold(options, task.id))
      out += env->call(action.tool, action.arguments).content + "\n";
    out += env->grade()->parts.at(0).name + "\n";
  }
  return out;
}

/// Replaces every word (a run of letters, case of the first kept) by `rename`.
/// A word that is not in the vocabulary fails the test.
std::string renamed(const std::string& text,
                    const std::map<std::string, std::string>& rename) {
  std::string out, word;
  const auto flush = [&] {
    if (word.empty()) return;
    const bool upper = word[0] < 'a';
    if (upper) word[0] = static_cast<char>(word[0] - 'A' + 'a');
    INFO("word '" << word << "'");
    REQUIRE(rename.contains(word));
    std::string other = rename.at(word);
    if (upper) other[0] = static_cast<char>(other[0] - 'a' + 'A');
    out += other;
    word.clear();
  };
  for (const char c : text) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      word += c;
    } else {
      flush();
      out += c;
    }
  }
  flush();
  return out;
}

const toy_options shapes[] = {
    {},
    {.switches = 1, .dials = 0, .latches = 0, .faults_max = 1},
    {.seed = 9,
     .switches = 6,
     .dials = 4,
     .latches = 3,
     .faults_max = 6,
     .train = 100,
     .eval = 50,
     .test = 100},
};

} // namespace

TEST_CASE("the gold actions solve every toy task, and none is superfluous") {
  for (const auto& options : shapes) {
    const auto bench = make_toy_benchmark(options);
    for (const auto& task : bench->tasks()) {
      INFO(task.id.value);
      const auto actions = toy_gold(options, task.id);
      for (std::size_t skipped = 0; skipped <= actions.size(); ++skipped) {
        const auto env = start(*bench, task.id);
        for (std::size_t i = 0; i < actions.size(); ++i)
          if (i != skipped)
            CHECK_FALSE(
                env->call(actions[i].tool, actions[i].arguments).failed);
        CHECK(env->grade()->reward == (skipped == actions.size() ? 1.0 : 0.0));
      }
    }
  }
}

TEST_CASE("doing nothing solves no toy task, and looking changes nothing") {
  const auto bench = make_toy_benchmark({});
  for (const auto& task : bench->tasks()) {
    const auto env = start(*bench, task.id);
    CHECK(env->grade()->reward == 0.0);
    for (int again = 0; again < 2; ++again)
      for (const auto& tool : env->tools())
        if (tool.kind == tool_kind::read)
          CHECK(env->call(tool.name, json::object()).content
                == start(*bench, task.id)
                       ->call(tool.name, json::object())
                       .content);
  }
}

TEST_CASE("renaming the toy changes its words and nothing else") {
  for (const std::uint64_t seed : {1u, 2u, 77u}) {
    toy_options plain, strange;
    strange.vocabulary = nonsense_vocabulary(seed);
    const auto from = words(plain.vocabulary), to = words(strange.vocabulary);
    REQUIRE(from.size() == to.size());
    std::map<std::string, std::string> rename;
    for (std::size_t i = 0; i < from.size(); ++i)
      rename[from[i]] = to[i];
    INFO("vocabulary seed " << seed);
    CHECK(renamed(transcript(plain), rename) == transcript(strange));
  }
}

TEST_CASE("the words of a toy vocabulary are distinct") {
  for (const auto& vocabulary :
       {plain_vocabulary(), nonsense_vocabulary(1), nonsense_vocabulary(2)}) {
    const auto all = words(vocabulary);
    CHECK(std::set<std::string>(all.begin(), all.end()).size() == all.size());
  }
  CHECK(nonsense_vocabulary(5) == nonsense_vocabulary(5));
  CHECK_FALSE(nonsense_vocabulary(5) == nonsense_vocabulary(6));
}

TEST_CASE("each toy split has its tasks, and no two tasks start alike") {
  const toy_options options;
  const auto bench = make_toy_benchmark(options);
  const auto& splits = bench->splits();
  REQUIRE(splits.size() == 3);
  CHECK(splits.at("train").size() == options.train);
  CHECK(splits.at("eval").size() == options.eval);
  CHECK(splits.at("test").size() == options.test);
  std::set<std::string> seen;
  for (const auto& [name, indices] : splits) {
    std::set<std::size_t> counts;
    for (const std::size_t i : indices) {
      const auto& task = bench->tasks().at(i);
      std::string key = task.instruction;
      std::size_t faults = 0;
      for (const auto& action : toy_gold(options, task.id)) {
        key += " " + action.tool;
        faults += action.tool != "restart_machine";
      }
      CHECK(seen.insert(key).second);
      counts.insert(faults);
    }
    INFO(name);
    CHECK(counts == std::set<std::size_t>{1, 2, 3});
  }
}

TEST_CASE("a toy split is smaller when there are not enough fault sets") {
  const toy_options options{
      .switches = 1, .dials = 0, .latches = 0, .faults_max = 1};
  // The switch inside, the switch outside, the guard outside.
  CHECK(make_toy_benchmark(options)->tasks().size() == 3);
}

TEST_CASE("a stuck latch needs its release and then a restart") {
  const toy_options options{
      .switches = 0, .dials = 0, .latches = 1, .faults_max = 1};
  const auto bench = make_toy_benchmark(options);
  bool tried = false;
  for (const auto& task : bench->tasks()) {
    const auto env = start(*bench, task.id);
    if (env->call("check_rack", json::object()).content != "Valve: stuck")
      continue;
    tried = true;
    env->call("restart_machine", json::object());
    CHECK(env->call("check_rack", json::object()).content == "Valve: stuck");
    CHECK(env->call("release_valve", json::object()).content
          == "Valve: pending");
    CHECK(env->grade()->reward == 0.0);
    env->call("restart_machine", json::object());
    CHECK(env->call("check_light", json::object()).content == "Light: bright");
    CHECK(env->grade()->reward == 1.0);
  }
  CHECK(tried);
}

TEST_CASE("the guard matters only outside") {
  const auto bench = make_toy_benchmark({});
  for (const auto& task : bench->tasks()) {
    const auto env = start(*bench, task.id);
    for (const auto& action : toy_gold({}, task.id))
      env->call(action.tool, action.arguments);
    env->call("toggle_shelter", json::object());
    const bool inside =
        task.instruction.find("Place: inside") != std::string::npos;
    INFO(task.instruction);
    CHECK(env->grade()->reward == (inside ? 1.0 : 0.0));
  }
}

TEST_CASE("a toy call that makes no sense fails and changes nothing") {
  const auto bench = make_toy_benchmark({});
  const task_id id = bench->tasks().front().id;
  struct row {
    const char* tool;
    json arguments;
    const char* says;
  };
  const row rows[] = {
      {"nope", json::object(), "Tool 'nope' not found"},
      {"set_tone", json::object(), "missing argument 'level'"},
      {"set_tone", {{"level", "loud"}}, "\"loud\" is no level"},
      {"set_tone", {{"level", 3}}, "3 is no level"},
      {"set_tone", {{"level", "low"}, {"x", 1}}, "unexpected argument 'x'"},
      {"toggle_fan", {{"level", "low"}}, "unexpected argument 'level'"},
      {"toggle_fan", json::array(), "not an object"},
  };
  const auto env = start(*bench, id);
  for (const auto& [tool, arguments, says] : rows) {
    const auto answer = env->call(tool, arguments);
    CHECK(answer.failed);
    CHECK_THAT(answer.content, Catch::Contains(says));
  }
  for (const char* tool : {"check_board", "check_rack"})
    CHECK(env->call(tool, json::object()).content
          == start(*bench, id)->call(tool, json::object()).content);
}

TEST_CASE("an unknown toy task is refused with its name") {
  const auto made = make_toy_benchmark({})->make(task_id{"train-999"});
  REQUIRE_FALSE(made);
  CHECK(made.error().code == ec::not_found);
  CHECK_THAT(made.error().message, Catch::Contains("'train-999'"));
}

TEST_CASE("the toy fingerprint names options and words") {
  const std::string plain = make_toy_benchmark({})->fingerprint();
  CHECK(make_toy_benchmark({})->fingerprint() == plain);
  CHECK(make_toy_benchmark({.seed = 2})->fingerprint() != plain);
  CHECK(make_toy_benchmark({.switches = 4})->fingerprint() != plain);
  CHECK(
      make_toy_benchmark({.vocabulary = nonsense_vocabulary(1)})->fingerprint()
      != plain);
}
