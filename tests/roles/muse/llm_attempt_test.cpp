/// Attempts of MUSE on a scripted model, at the toy device.

#include "envs/toy/toy.hpp"
#include "roles/muse/llm_attempt.hpp"
#include "roles/muse/llm_refiner.hpp"
#include "roles/muse/muse_agent.hpp"
#include "roles/procedural/procedural_agent.hpp"
#include "tests/roles/scripted_model.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::test;

namespace {

const std::string a_plan =
    R"({"facts": ["The light is dark."], "sub_tasks": [{"description": "Turn the fan on.", "goal": "The board shows Fan: on."}]})";
const std::string no_plan = R"({"facts": [], "sub_tasks": []})";
const std::string is_done =
    R"({"checks": [{"question": "Is it on?", "steps": [0], "looked": true, "holds": true}], "report": "The board shows it.", "done": true})";
const std::string is_not =
    R"({"checks": [{"question": "Is it on?", "steps": [0], "looked": true, "holds": false}], "report": "The fan is off.", "done": true})";
const std::string a_procedure =
    R"({"worth_keeping": true, "application": "board", "operation": "turn on", "preconditions": ["It is off."], "steps": ["Call toggle_fan."], "notes": []})";
const std::string lessons =
    R"({"summary": "Done.", "strategies": [{"dilemma": "light stays dark", "strategy": "Look at the board."}], "tools": [{"tool": "toggle_fan", "instruction": "Look at the board after it."}]})";

struct model_attempt {
  trajectory made;
  std::vector<retrieval_record> opened;
  std::vector<reply_note> notes;
};

result<model_attempt> attempt_on(const std::shared_ptr<scripted_model>& model,
                                 const std::vector<std::string>& documents = {},
                                 muse_options how = {},
                                 std::string_view method = methods::muse) {
  const auto bench = make_toy_benchmark({});
  const auto& task = bench->tasks().front();
  auto env = std::move(*bench->make(task.id));
  auto index = std::make_shared<kb_index>();
  for (const auto& text : documents)
    index->documents.push_back(
        std::make_shared<const document>(make_document(text)));
  retrieval_session session{index, 3};
  const muse_agent agent{nullptr, {}, how, asker_of("agent", kit_of(model))};
  job_context context{job_id{"j"}, 0, nullptr, method};
  auto made = agent.attempt(task, *env, session, 1, context);
  if (!made) return made.error();
  return model_attempt{std::move(*made), session.take_records(), context.notes};
}

/// An attempt that ends well but for call number `at`, which fails.
auto attempt_with(std::size_t at, const error& failure) {
  const std::vector<chat_reply> replies{
      says(a_plan),      calls_tool("toggle_fan", "{}"),
      says("Done."),     says(is_done),
      says(a_procedure), says(no_plan),
      says(lessons)};
  std::size_t call = 0;
  return attempt_on(std::make_shared<scripted_model>(
      [&](const model_call&) -> result<model_answer> {
        const auto number = call++;
        if (number == at) return failure;
        return answered(replies[std::min(number, replies.size() - 1)]);
      }));
}

} // namespace

TEST_CASE("a model plans, acts, is checked and leaves lessons") {
  const auto model = replies_in_turn(
      {says(a_plan), calls_tool("toggle_fan", "{}", "I expect it on."),
       says("The fan is on."), calls_tool("check_board", "{}"), says(is_done),
       says(a_procedure), says(no_plan), says(lessons)});
  const auto seen = attempt_on(model);
  REQUIRE(seen);
  REQUIRE(seen->made.steps.size() == 1); // looks of the checker are none
  CHECK(seen->made.steps.front().tool == "toggle_fan");
  CHECK(seen->made.steps.front().reason == "I expect it on.");
  const auto& own = seen->made.muse.front();
  REQUIRE(own.sub_tasks.size() == 1);
  CHECK(own.sub_tasks.front()
        == sub_task_record{.description = "Turn the fan on.",
                           .goal = "The board shows Fan: on.",
                           .tries = 1,
                           .actions = 1,
                           .probes = 1,
                           .met = true,
                           .report = "The board shows it."});
  REQUIRE(own.memory.size() == 3);
  CHECK(own.memory[0].operation == "turn on");
  CHECK(own.memory[1].store == "strategic");
  CHECK(own.memory[2].store == "tool");
  CHECK(model->calls.size() == 8);
  // The checker is not told how the worker came to its words, nor a grade.
  const auto check = all_text(model->request(3));
  CHECK(check.find("I expect it on.") == std::string::npos);
  CHECK(check.find("Turn the fan on.") != std::string::npos);
  for (const auto& tool : model->request(3).tools)
    CHECK(tool.name.starts_with("check"));
  // What was just learned is known in the next plan.
  CHECK(all_text(model->request(6)).find("board: turn on")
        != std::string::npos);
}

TEST_CASE("a model whose memory is frozen is asked for nothing to remember") {
  const auto model =
      replies_in_turn({says(a_plan), calls_tool("toggle_fan", "{}"),
                       says("Done."), says(is_done), says(no_plan)});
  const auto seen = attempt_on(model, {}, {}, methods::muse_frozen);
  REQUIRE(seen);
  CHECK(seen->made.steps.size() == 1);
  CHECK(seen->made.muse.front().sub_tasks.front().met);
  CHECK(seen->made.muse.front().memory.empty());
  CHECK(model->calls.size() == 5);
}

TEST_CASE("a sub-task that fails its check is tried again, then planned anew") {
  const auto model = replies_in_turn(
      {says(a_plan), calls_tool("toggle_fan", "{}"), says("Done."),
       says(is_not), calls_tool("toggle_pump", "{}"), says("Done."),
       says("I cannot say."), says("Still not."), says(no_plan),
       says(R"({"summary": "No.", "strategies": [], "tools": []})")});
  const auto seen = attempt_on(model);
  REQUIRE(seen);
  const auto& own = seen->made.muse.front();
  REQUIRE(own.sub_tasks.size() == 1);
  CHECK(own.sub_tasks.front().tries == 2);
  CHECK_FALSE(own.sub_tasks.front().met);
  // A verdict that cannot be read, twice, is no.
  CHECK(own.sub_tasks.front().report == "the check could not be read");
  CHECK(own.memory.empty());
  CHECK(all_text(model->request(4)).find("The fan is off.")
        != std::string::npos);
  REQUIRE(seen->notes.size() == 1);
}

TEST_CASE("a model opens its memory, and tools answer with their notes") {
  const auto model = replies_in_turn(
      {says(a_plan),
       calls_tool(
           "open_memory",
           R"({"application": "board", "operations": ["turn on", "x"]})"),
       calls_tool("toggle_fan", "{}"), says("Done."), says(is_done),
       says(
           R"({"worth_keeping": false, "application": "x", "operation": "x", "preconditions": [], "steps": ["x"], "notes": []})"),
       says(no_plan), says("no lessons")});
  const auto seen = attempt_on(
      model, {"# Application: board\n\n## turn on\n\nSteps:\n1. Toggle it.\n",
              "# Tools\n\n## toggle_fan\n\nLook after it.\n"});
  REQUIRE(seen);
  REQUIRE(seen->opened.size() == 2);
  CHECK(seen->opened[0].query == "outline");
  CHECK(seen->opened[1].query == "open board");
  CHECK(seen->made.steps.size() == 1);
  const auto work = all_text(model->request(3));
  CHECK(work.find("1. Toggle it.") != std::string::npos);
  CHECK(work.find("Absent: board has no operation \"x\"") != std::string::npos);
  CHECK(work.find("Look after it.") != std::string::npos);
  CHECK(seen->made.muse.front().memory.empty());
  CHECK(seen->notes.size() == 1); // the lessons
}

TEST_CASE("a try ends with its actions, an attempt with a plan that is none") {
  muse_options how;
  how.actions_per_try = 2;
  const auto eager = replies_in_turn(
      {says(a_plan), calls_tool("check_light", "{}"),
       calls_tool("check_board", "{}"), says("Out of calls."), says(is_not),
       calls_tool("check_rack", "{}"), says("Enough."), says(is_not),
       says(no_plan), says(lessons)});
  const auto seen = attempt_on(eager, {}, how);
  REQUIRE(seen);
  CHECK(seen->made.muse.front().sub_tasks.front().actions == 3);
  CHECK(eager->request(3).tool_choice == "none");

  const auto babbling = replies_in_turn({says("Well."), says("Well, well.")});
  const auto failed = attempt_on(babbling);
  REQUIRE(failed); // graded, as one that ends later
  CHECK(failed->made.steps.empty());
  CHECK(failed->made.cut_short.find("could not be used") != std::string::npos);
  CHECK_FALSE(failed->made.broke_off); // it has words, though no step
}

TEST_CASE("a model of muse that says nothing or refuses has broken off") {
  const auto empty = attempt_on(replies_in_turn(
      {says(a_plan), calls_tool("toggle_fan", "{}"), says("Done."),
       says(is_done), says(a_procedure), says(""), says(" "), says(lessons)}));
  REQUIRE(empty);
  CHECK(empty->made.broke_off);
  CHECK(empty->made.steps.size() == 1);
  const auto idle = attempt_on(replies_in_turn({says(a_plan), says("")}));
  REQUIRE(idle);
  CHECK(idle->made.broke_off);
  CHECK(idle->made.steps.empty());

  // What nobody can do without ends nothing.
  for (const std::size_t refused : {0, 1, 2, 3, 4, 5, 6}) {
    INFO("call " << refused);
    const auto seen = attempt_with(refused, {ec::refused_content, "filtered"});
    REQUIRE(seen);
    CHECK(seen->made.broke_off == (refused < 4 || refused == 5));
  }
}

TEST_CASE("a prompt of muse that is too long ends the attempt, not the score") {
  for (const std::size_t failed : {0, 1, 3, 4, 5, 6}) {
    INFO("call " << failed);
    const auto seen =
        attempt_with(failed, {ec::context_too_long, "8192 tokens"});
    REQUIRE(seen);
    CHECK_FALSE(seen->made.broke_off);
    CHECK(seen->made.steps.empty() == (failed < 2));
  }
}

TEST_CASE("replies of muse are read strictly") {
  using namespace brewery::muse;
  CHECK(read_verdict(is_done, 1)->met);
  CHECK_FALSE(read_verdict(is_not, 1)->met); // a check does not hold
  CHECK_FALSE(read_verdict(is_done, 0));     // cites what is not there
  CHECK_FALSE(
      read_verdict(R"({"checks": [], "report": "x", "done": true})", 1)->met);
  CHECK_FALSE(read_verdict(
      R"({"checks": [{"question": "?", "steps": [], "looked": false, "holds": true}], "report": "x", "done": true})",
      1));
  CHECK_FALSE(read_lessons(lessons, {"toggle_pump"}));
  CHECK(read_lessons(lessons, {"toggle_fan"})->size() == 2);
  CHECK_FALSE(read_plan("{}"));
  CHECK(read_plan(no_plan)->empty());
  CHECK(read_procedures(R"({"procedures": []})", "a")->empty());
}

TEST_CASE("procedures are refined or stay as they were") {
  const auto refined = [](const std::string& reply) {
    const llm_refiner role{
        asker_of("integrator", kit_of(replies_in_turn({says(reply)})))};
    memory_job job;
    job.learner = "muse";
    job.step = "refine";
    job.texts = {{"application", "board"},
                 {"procedures", "# Application: board"}};
    job_context context{job_id{"j"}};
    return *role.perform(job, {}, context);
  };
  const auto good = refined(
      R"({"procedures": [{"operation": "b", "preconditions": [], "steps": ["x"], "notes": []}, {"operation": "a", "preconditions": [], "steps": ["y"], "notes": []}]})");
  REQUIRE(good.texts.size() == 1);
  CHECK(good.texts.front().text
        == "# Application: board\n\n## a\n\nSteps:\n1. y\n\n## b\n\nSteps:\n1. "
           "x\n");
  CHECK(refined("What?").texts.empty());
  CHECK(refined(R"({"procedures": []})").texts.empty());
  CHECK(
      refined(
          R"({"procedures": [{"operation": "# b", "preconditions": [], "steps": ["x"], "notes": []}]})")
          .texts.empty());
}
