#include "kb/experience/experience.hpp"
#include "messages/memory/agent_kb_steps.hpp"
#include "roles/memory/procedural_memory.hpp"
#include "roles/procedural/rule_text.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

trajectory_step look(const std::string& tool, const std::string& shows) {
  return {"assistant", tool, "{}", shows, false, false, "look"};
}

trajectory_step change(const std::string& tool) {
  return {"assistant", tool, "{}", "ok", false, true, "rule"};
}

/// A fan that was blocked and is clean, and a lamp that stayed dark.
attempt_log fan_attempt() {
  return {{"r1"},
          {look("look_fan", "Fan: blocked"), look("look_lamp", "Lamp: dark"),
           change("clean_fan"), look("look_fan", "Fan: clean"),
           look("look_lamp", "Lamp: dark")},
          {},
          {}};
}

const std::string fan_sentence =
    "When `look_fan()` shows \"Fan: blocked\": call `clean_fan()`.";
const std::string lamp_rule =
    "When `look_lamp()` shows \"Lamp: dark\": call `light_lamp()`.";
const std::string other_rule =
    "When `look_door()` shows \"Door: open\": call `shut_door()`.";

std::string lesson(const std::string& rule) {
  return "# Lesson\n\n1. " + rule
         + "\n- Done when `look_fan()` shows \"Fan: "
           "clean\".\n";
}

experience with_steps(std::vector<std::string> steps) {
  return {"T", {"p"}, {}, std::move(steps), {}, "toy", 1, {}, {}};
}

memory_job job_of(const char* step) {
  memory_job out;
  out.id = {"j"};
  out.step = step;
  out.task = {"task-1"};
  out.texts = {{memory_texts::task, "The room is loud."},
               {memory_texts::domain, "toy"}};
  return out;
}

void add(memory_job& to, const experience& item, const std::string& quality) {
  to.texts.push_back({memory_texts::experience, to_markdown(item)});
  to.texts.push_back({memory_texts::quality, quality});
}

memory_result done(const memory_job& job,
                   const std::vector<std::string>& documents = {}) {
  job_context context;
  auto made = procedural_memory{}.perform(job, documents, context);
  REQUIRE(made);
  CHECK(made->id == job.id);
  return std::move(*made);
}

std::vector<std::string> guidance_rules(const memory_result& made) {
  const auto texts = texts_of(made.texts, memory_texts::guidance);
  if (texts.empty()) return {};
  std::vector<std::string> out;
  for (const auto& placed : read_guidance(texts.front()).rules)
    out.push_back(placed.text);
  return out;
}

} // namespace

TEST_CASE("an attempt becomes an experience of the rules that applied") {
  auto job = job_of(agent_kb_steps::abstract);
  job.attempts = {fan_attempt()};
  const auto made =
      done(job, {lesson(lamp_rule), lesson(other_rule), lesson(fan_sentence)});
  const auto texts = texts_of(made.texts, memory_texts::experience);
  REQUIRE(texts.size() == 1);
  const auto item = read_experience(texts.front());
  REQUIRE(item);
  CHECK(item->steps == std::vector<std::string>{fan_sentence, lamp_rule});
  CHECK(item->title == "clean fan, then light lamp");
  CHECK(item->difficulty == 2);
  CHECK(item->goal.size() == 1);
  // The lamp's line stayed to the end.
  REQUIRE(item->failures.size() == 1);
  CHECK(item->failures[0].sign == "`look_lamp()` shows \"Lamp: dark\"");
  CHECK(done(job, {lesson(other_rule)}).texts.empty());
}

TEST_CASE("the query has the task's words and what the survey saw first") {
  auto job = job_of(agent_kb_steps::reason);
  const auto blind = texts_of(done(job).texts, memory_texts::query);
  REQUIRE(blind.size() == 1);
  job.attempts = {fan_attempt()};
  const auto seen = texts_of(done(job).texts, memory_texts::query);
  CHECK(seen.front()
        == blind.front()
               + "\n`look_fan()` shows \"Fan: blocked\"\n`look_lamp()` shows "
                 "\"Lamp: dark\"");
}

TEST_CASE("of contradicting steps the better supported one is advised") {
  auto job = job_of(agent_kb_steps::refine);
  const std::string rival =
      "When `look_fan()` shows \"Fan: blocked\": call `hit_fan()`.";
  add(job, with_steps({rival}), "0.7");
  add(job, with_steps({fan_sentence, lamp_rule}), "0.4");
  add(job, with_steps({fan_sentence}), "0.4");
  const auto made = done(job);
  CHECK(guidance_rules(made)
        == std::vector<std::string>{fan_sentence, lamp_rule});
  CHECK(texts_of(made.texts, memory_texts::cites)
        == std::vector<std::string>{"2", "3"});
  CHECK(done(job_of(agent_kb_steps::refine)).texts.empty());
}

TEST_CASE("a review names what stayed as it was") {
  auto job = job_of(agent_kb_steps::review);
  job.texts.push_back({memory_texts::guidance, lesson(fan_sentence)});
  job.attempts = {fan_attempt()};
  const auto made = done(job);
  CHECK(texts_of(made.texts, memory_texts::issue)
        == std::vector<std::string>{"`look_lamp()` shows \"Lamp: dark\""});
  // A grade says no more than which checks were missed.
  job.attempts[0].grade = {{1, {{"the fan runs", true}}}};
  CHECK(done(job) == made);
}

TEST_CASE("a review that is told the grade has the missed checks as issues") {
  auto job = job_of(agent_kb_steps::review);
  job.attempts = {fan_attempt()};
  job.attempts[0].grade = {
      {0, {{"the fan runs", true}, {"the lamp is lit", false}}}};
  const auto made = done(job);
  CHECK(texts_of(made.texts, memory_texts::issue)
        == std::vector<std::string>{"`look_lamp()` shows \"Lamp: dark\"",
                                    "the lamp is lit"});
}

TEST_CASE("advice keeps the plan and adds what is about an issue") {
  auto job = job_of(agent_kb_steps::advise);
  job.texts.push_back({memory_texts::guidance, lesson(fan_sentence)});
  job.texts.push_back(
      {memory_texts::issue, "`look_lamp()` shows \"Lamp: dark\""});
  add(job, with_steps({other_rule, lamp_rule}), "0.5");
  CHECK(guidance_rules(done(job))
        == std::vector<std::string>{fan_sentence, lamp_rule});
}

TEST_CASE("an unknown step is refused") {
  job_context context;
  const auto made = procedural_memory{}.perform(job_of("dance"), {}, context);
  REQUIRE_FALSE(made);
  CHECK(made.error().message == "there is no step \"dance\" of Agent KB");
}

TEST_CASE("what does not contradict each other becomes one experience") {
  auto job = job_of(agent_kb_steps::merge);
  add(job, with_steps({fan_sentence}), "0.5");
  add(job, with_steps({lamp_rule, fan_sentence, "Sit down."}), "0.5");
  const auto made = done(job);
  CHECK(texts_of(made.texts, memory_texts::compatibility).front() == "1.000");
  const auto both =
      read_experience(texts_of(made.texts, memory_texts::experience).front());
  REQUIRE(both);
  CHECK(both->steps
        == std::vector<std::string>{fan_sentence, lamp_rule, "Sit down."});
}

TEST_CASE("rules with one condition and other calls are no compatible ones") {
  auto job = job_of(agent_kb_steps::merge);
  add(job, with_steps({fan_sentence, lamp_rule}), "0.5");
  add(job,
      with_steps({"When `look_fan()` shows \"Fan: blocked\": call "
                  "`hit_fan()`.",
                  other_rule}),
      "0.5");
  CHECK(texts_of(done(job).texts, memory_texts::compatibility).front()
        == "0.500");
  job.texts.pop_back();
  job.texts.pop_back(); // only one is left
  CHECK(done(job).texts.empty());
}
