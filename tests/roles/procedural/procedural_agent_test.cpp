#include "base/rng.hpp"
#include "base/text.hpp"
#include "roles/procedural/procedural_agent.hpp"
#include "roles/procedural/status_lines.hpp"
#include "tests/roles/support.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

/// Passes calls on and checks that the agent keeps to what there is.
class watched_environment final : public environment {
public:
  explicit watched_environment(std::unique_ptr<environment> inner)
      : inner_(std::move(inner)) {}
  const std::vector<tool_spec>& tools() const override {
    return inner_->tools();
  }
  tool_result call(std::string_view name, const json& arguments) override {
    ++calls;
    const bool known =
        std::any_of(tools().begin(), tools().end(),
                    [&](const auto& tool) { return tool.name == name; });
    unknown += known ? 0 : 1;
    auto answer = inner_->call(name, arguments);
    failed += answer.failed ? 1 : 0;
    return answer;
  }
  result<grade_report> grade() override { return inner_->grade(); }

  std::uint32_t calls = 0, unknown = 0, failed = 0;

private:
  std::unique_ptr<environment> inner_;
};

struct attempted {
  std::vector<trajectory_step> steps;
  std::uint32_t calls = 0, unknown = 0, failed = 0;
  double reward = 0;
};

const std::shared_ptr<const benchmark> toy = make_toy_benchmark({});

attempted play(const task_info& task, const lines& documents,
               const agent_options& options = {}, std::uint64_t key = 1) {
  auto made = toy->make(task.id);
  REQUIRE(made);
  watched_environment env{std::move(*made)};
  retrieval_session retrieval{library_of(documents), 3};
  auto steps = procedural_agent{options, {}}
                   .attempt(task, env, retrieval, key, any_job())
                   ->steps;
  return {std::move(steps), env.calls, env.unknown, env.failed,
          env.grade()->reward};
}

const std::string fan_rule =
    "When `check_board()` shows \"Fan: off\": call `toggle_fan()`. Expect "
    "\"Fan: on\".";

/// What a perfect document about the toy would say.
std::string perfect_document() {
  std::string body = "# Light\n\ncheck light board rack symptom place\n\n";
  for (const auto* part : {"Fan", "Pump", "Heater"})
    body += std::string{"- When `check_board()` shows \""} + part
            + ": off\": call `toggle_" + lower(part) + "()`.\n";
  body += "- When `check_board()` shows \"Shelter: off\" and the task says "
          "\"Place: outside\": call `toggle_shelter()`.\n";
  const toy_vocabulary words = plain_vocabulary();
  const char* dials[] = {"Pressure", "Tone"};
  for (std::size_t dial = 0; dial < 2; ++dial)
    for (std::size_t level = 0; level < words.levels.size(); ++level)
      if (const auto right = (dial + 1) % words.levels.size(); level != right)
        body += std::string{"- When `check_rack()` shows \""} + dials[dial]
                + ": " + words.levels[level] + "\": call `set_"
                + lower(dials[dial]) + "(level=\"" + words.levels[right]
                + "\")`.\n";
  body += "- When `check_rack()` shows \"Valve: stuck\": call "
          "`release_valve()`, then `restart_machine()`.\n"
          "- Done when `check_light()` shows \"Light: bright\".\n";
  return body;
}

} // namespace

TEST_CASE("with no knowledge an attempt never exceeds its budget") {
  for (const std::uint32_t budget : {0u, 1u, 2u, 7u, 25u, 100u})
    for (const auto& task : toy->tasks()) {
      const auto done = play(task, {}, {.max_calls = budget}, rng_key(budget));
      CHECK(done.calls <= budget);
      CHECK(done.steps.size() == done.calls);
      CHECK(done.unknown == 0);
      CHECK(done.failed == 0);
    }
}

TEST_CASE("with no knowledge most tasks are not solved") {
  double sum = 0;
  for (const auto& task : toy->tasks())
    sum += play(task, {}).reward;
  CHECK(sum < 0.4 * static_cast<double>(toy->tasks().size()));
}

TEST_CASE("an attempt is a function of task, knowledge and draw key") {
  const auto& task = toy->tasks().front();
  const auto first = play(task, {fan_rule}, {}, 5);
  CHECK(play(task, {fan_rule}, {}, 5).steps == first.steps);
  std::vector<std::vector<trajectory_step>> seen;
  for (std::uint64_t key = 0; key < 12; ++key)
    seen.push_back(play(task, {}, {}, key).steps);
  CHECK(std::any_of(seen.begin(), seen.end(),
                    [&](const auto& steps) { return steps != seen.front(); }));
}

TEST_CASE("a document that says it all solves every task and stops there") {
  for (const auto& task : toy->tasks()) {
    const auto done = play(task, {perfect_document()});
    INFO(task.id.value << ": " << task.instruction);
    CHECK(done.reward == 1.0);
    for (const auto& step : done.steps)
      CHECK(step.reason != "explore");
  }
}

TEST_CASE("a rule is followed only after a fresh look at its condition") {
  const lines documents{perfect_document()};
  std::size_t followed = 0;
  for (const auto& task : toy->tasks()) {
    const auto steps = play(task, documents).steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].reason != "rule" || steps[i].tool == "restart_machine")
        continue;
      ++followed;
      // Back from the call: an observation that shows it, and no change in
      // between.
      const auto text = steps[i].tool;
      bool shown = false;
      for (std::size_t j = i; j-- > 0 && !steps[j].mutates;) {
        const auto seen = status_lines(steps[j].observation);
        for (const auto& line : seen) {
          const auto key = lower(line_key(line));
          shown |= !key.empty() && text.find(key) != std::string::npos;
        }
      }
      INFO(task.id.value << " step " << i << " " << text);
      CHECK(shown);
    }
  }
  CHECK(followed > 20);
}

TEST_CASE("a rule whose condition does not hold is not followed") {
  for (const auto& task : toy->tasks()) {
    const auto steps = play(task, {fan_rule}, {.explore = false}).steps;
    bool off = false, fired = false;
    for (const auto& step : steps) {
      if (step.tool == "check_board" && !fired)
        off = step.observation.find("Fan: off") != std::string::npos;
      fired |= step.tool == "toggle_fan";
      if (step.mutates) CHECK(step.reason == "rule");
    }
    CHECK(fired == off);
  }
}

TEST_CASE("a rule for tasks that say something is for no others") {
  const std::string guard =
      "When `check_board()` shows \"Shelter: off\" and the task says \"Place: "
      "outside\": call `toggle_shelter()`.";
  std::size_t inside = 0;
  for (const auto& task : toy->tasks()) {
    const auto steps = play(task, {guard}, {.explore = false}).steps;
    if (task.instruction.find("Place: inside") == std::string::npos) continue;
    ++inside;
    for (const auto& step : steps)
      CHECK_FALSE(step.mutates);
  }
  CHECK(inside > 0);
}

TEST_CASE("tools that do not exist are never called, whatever is written") {
  const lines documents{
      "light symptom place check\n"
      "When `check_board()` shows \"Fan: off\": call `explode()`.\n"
      "When `check_bomb()` shows \"Fuse: lit\": call `toggle_fan()`.\n"
      "When `toggle_fan()` shows \"Fan: off\": call `toggle_pump()`.\n"
      "When `check_board()` shows \"Fan: off\": call "
      "`set_tone(level=<x_id>)`.\n"
      "Done when `check_bomb()` shows \"Fuse: out\".\n"};
  for (const auto& task : toy->tasks()) {
    const auto done = play(task, documents);
    CHECK(done.unknown == 0);
    CHECK(done.failed == 0);
  }
}

TEST_CASE("a rule that does not help is given up") {
  scripted_environment env{{reads("look"), writes("poke")},
                           [](std::string_view, const json&) -> tool_result {
                             return {"Mood: bad", false};
                           }};
  retrieval_session retrieval{
      library_of({"mood\nWhen `look()` shows \"Mood: bad\": call `poke()`.\n"
                  "When `look()` shows \"Mood: bad\": call `poke()`, then "
                  "`poke()`. Expect \"Mood: good\"."}),
      3};
  const task_info task{{"t"}, "The mood is bad."};
  const auto steps = procedural_agent{{.explore = false}, {}}
                         .attempt(task, env, retrieval, 1, any_job())
                         ->steps;
  CHECK(steps.size() < 30);
  CHECK(env.called.size() == steps.size());
}

TEST_CASE("an attempt that would never stop is cut at its budget") {
  std::string endless = "mood\n";
  for (int i = 0; i < 300; ++i)
    endless += "When `look()` shows \"Mood: bad\": call `poke(n="
               + std::to_string(i) + ")`.\n";
  for (const std::uint32_t budget : {1u, 10u, 100u}) {
    scripted_environment env{{reads("look"), writes("poke")},
                             [](std::string_view, const json&) -> tool_result {
                               return {"Mood: bad", false};
                             }};
    retrieval_session retrieval{library_of({endless}), 3};
    const task_info task{{"t"}, "The mood is bad."};
    const auto steps = procedural_agent{{.max_calls = budget}, {}}
                           .attempt(task, env, retrieval, 1, any_job())
                           ->steps;
    CHECK(steps.size() == budget);
    CHECK(env.called.size() == budget);
  }
}

TEST_CASE("an environment that refuses every call does no harm") {
  scripted_environment env{
      {reads("look"), writes("poke", {text_parameter("why")})},
      [](std::string_view, const json&) -> tool_result {
        return {"Error: no", true};
      }};
  retrieval_session retrieval{library_of({fan_rule}), 3};
  const task_info task{{"t"}, ""};
  const auto steps = procedural_agent{{}, {}}
                         .attempt(task, env, retrieval, 1, any_job())
                         ->steps;
  CHECK(steps.size() <= 100);
  for (const auto& step : steps)
    CHECK(step.failed);
}

TEST_CASE("documents are asked for again with each observation, if wished") {
  const auto asked = [](bool each) {
    auto env = std::move(*toy->make(toy->tasks().front().id));
    retrieval_session retrieval{library_of({fan_rule}), 3};
    REQUIRE(procedural_agent{{}, {.per_observation = each}}.attempt(
        toy->tasks().front(), *env, retrieval, 1, any_job()));
    return retrieval.take_records().size();
  };
  CHECK(asked(false) == 1);
  CHECK(asked(true) > 1);
}

TEST_CASE("until it says that it drew, an attempt is that of any draw key") {
  const bool each = GENERATE(true, false);
  const lines documents = GENERATE(lines{fan_rule}, lines{perfect_document()},
                                   lines{"# Nothing\n\nfan pump light\n"});
  const procedural_agent agent{{}, {.per_observation = each}};
  std::set<bool> drew;
  for (const auto& task : toy->tasks()) {
    std::optional<trajectory> first;
    std::vector<retrieval_record> asked_first;
    for (std::uint64_t key = 1; key <= 5; ++key) {
      INFO("task " << task.id.value << ", key " << key);
      auto env = std::move(*toy->make(task.id));
      retrieval_session retrieval{library_of(documents), 3};
      auto got = agent.attempt(task, *env, retrieval, key, any_job());
      REQUIRE(got);
      auto asked = retrieval.take_records();
      const auto common = got->before_draw;
      REQUIRE(common > 0);
      if (!first) {
        drew.insert(common != never_drew);
        first = std::move(*got);
        asked_first = std::move(asked);
        continue;
      }
      CHECK(common == first->before_draw);
      if (common == never_drew) CHECK(got->steps == first->steps);
      asked.resize(std::min<std::size_t>(common, asked.size()));
      asked_first.resize(std::min<std::size_t>(common, asked_first.size()));
      CHECK(asked == asked_first);
    }
  }
  CHECK(drew.contains(documents != lines{perfect_document()}));
}

TEST_CASE("an agent that does not explore draws nothing") {
  const auto& task = toy->tasks().front();
  auto env = std::move(*toy->make(task.id));
  retrieval_session retrieval{library_of({fan_rule}), 3};
  const auto got = procedural_agent{{.explore = false}, {}}.attempt(
      task, *env, retrieval, 1, any_job());
  REQUIRE(got);
  CHECK(got->before_draw == never_drew);
}

TEST_CASE("the fingerprint names every option that changes an attempt") {
  const auto of = [](agent_options a, retrieval_options r) {
    return procedural_agent{a, r}.fingerprint();
  };
  const auto base = of({}, {});
  CHECK(of({}, {}) == base);
  CHECK(of({.max_calls = 7}, {}) != base);
  CHECK(of({.explore = false}, {}) != base);
  CHECK(of({.explore_writes = 1}, {}) != base);
  CHECK(of({}, {.top_k = 1}) != base);
  CHECK(of({}, {.per_observation = false}) != base);
}
