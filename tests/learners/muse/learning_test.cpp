#include "kb/muse/memory_text.hpp"
#include "learners/muse/muse_learner.hpp"
#include "messages/memory/memory_record.hpp"
#include "messages/wire/codec.hpp"

#include <catch2/catch.hpp>

#include <deque>

using namespace brewery;
using namespace brewery::muse;

namespace {

muse_settings settings_of(std::size_t tasks, muse_options how = {}) {
  muse_settings out;
  out.playing.seed = 5;
  for (std::size_t i = 0; i < tasks; ++i)
    out.playing.train.push_back(
        {task_id{"task-" + std::to_string(i)}, "do it", 2});
  out.how = std::move(how);
  out.documents = std::make_shared<document_store>();
  return out;
}

memory_operation strategy_of(std::string dilemma, std::string text) {
  return {.store = "strategic",
          .name = std::move(dilemma),
          .operation = {},
          .preconditions = {},
          .texts = {std::move(text)},
          .notes = {}};
}

insight effect_of(const std::string& tool) {
  insight out;
  out.topic = "board";
  out.fact.kind = "effect";
  out.fact.observation = "check_board()";
  out.fact.before = std::vector<std::string>{"Fan: off"};
  out.fact.after = std::vector<std::string>{"Fan: on"};
  out.fact.actions = std::vector<std::string>{tool + "()"};
  out.sentence = "After it.";
  out.id = identity(out);
  return out;
}

/// What workers do here: an attempt brings a strategy of its own, and the look
/// that changed; a distillation one procedure for each thing it was told.
job_result answer_to(const job& work) {
  if (const auto* rollout = std::get_if<rollout_job>(&work.input)) {
    rollout_result out;
    out.id = work.id;
    out.task = rollout->task;
    out.trial = rollout->trial;
    out.grade.reward = rollout->trial >= 1 ? 1 : 0;
    out.insights = std::vector<shared_value<insight>>{effect_of("toggle_fan")};
    muse_attempt own;
    own.checkpoints = rollout->trial >= 1 ? 2 : 1;
    own.calls = 10;
    own.memory = {strategy_of("stay with " + rollout->task.value, "Because.")};
    out.muse = {own};
    return make_result(std::move(out));
  }
  const auto& told = std::get<integrate_job>(work.input);
  integrate_result out;
  out.id = work.id;
  out.body = "# " + told.title + "\n\n1. When \"Fan: off\", toggle it after "
             + std::to_string(told.insights.list().items().front().count)
             + " times.\n";
  return make_result(std::move(out));
}

struct played {
  std::vector<learner_record> records;
  std::vector<job> jobs;
  std::optional<error> failed;
};

/// Plays a machine; `newest_first` answers in another order.
template <class Answer>
played play(learner_machine& machine, Answer answer, bool newest_first) {
  played out;
  std::deque<job> open;
  bool finished = false;
  const auto take = [&](const learner_step& step) {
    for (const auto& one : step.records)
      out.records.push_back(one);
    for (const auto& one : step.jobs) {
      open.push_back(one.work);
      out.jobs.push_back(one.work);
    }
    finished = finished || step.finished;
    if (step.failed) out.failed = step.failed;
  };
  take(machine.begin());
  while (!open.empty()) {
    const auto next = newest_first ? open.back() : open.front();
    if (newest_first)
      open.pop_back();
    else
      open.pop_front();
    take(machine.on(answer(next)));
  }
  CHECK(finished == !out.failed.has_value());
  return out;
}

} // namespace

TEST_CASE("muse carries its memory from task to task") {
  muse_learner learner{settings_of(3)};
  const auto seen = play(*learner.learning(), answer_to, false);
  // 3 iterations of 3 tasks, and a distillation after each.
  CHECK(seen.jobs.size() == 18);
  CHECK(seen.records.size() == 9);
  std::vector<std::size_t> known;
  for (const auto& one : seen.jobs)
    if (const auto* rollout = std::get_if<rollout_job>(&one.input)) {
      CHECK(rollout->method == "muse");
      CHECK(rollout->reflect);
      known.push_back(rollout->knowledge.size());
    }
  // Strategies and an application after the first, a tool's note after two.
  CHECK(known == std::vector<std::size_t>{0, 2, 3, 3, 3, 3, 3, 3, 3});
  const auto& learned = learner.learned();
  CHECK(learned.strategies.size() == 3);
  CHECK(outline(learned) == "- board: on Fan: off\n");
  CHECK(learned.procedures.front().steps.front().ends_with("9 times."));
  CHECK(note_on(learned, "toggle_fan")
        == "What it changes shows in `check_board()`.");
  const auto record = wire::decode<memory_record>(seen.records.front().payload);
  REQUIRE(record);
  CHECK(record->changes.size() == 2);
  CHECK(record->entries.size() == 2);
  const auto outcome = learner.outcome();
  CHECK(outcome.documents.size() == 3);
  CHECK(outcome.initial_success == 0);
  const auto text = learner.report();
  CHECK(text.find("| iteration 1 | 3/6 | 50.00 | 25.00 [")
        != std::string::npos);
  CHECK(text.find("| iteration 3 | 6/6 | 100.00 | 100.00 [")
        != std::string::npos);
}

TEST_CASE(
    "the next distillation takes the place of what an attempt found out") {
  const memory_operation found{.store = "procedural",
                               .name = "board",
                               .operation = "stuck on Fan: off",
                               .preconditions = {},
                               .texts = {"Kick it."},
                               .notes = {}};
  const auto answer = [&](const job& work) {
    auto out = answer_to(work);
    if (auto* made = std::get_if<rollout_result>(&out.output))
      if (made->task == task_id{"task-0"} && made->trial == 0)
        made->muse.front().memory.push_back(found);
    return out;
  };
  muse_learner learner{settings_of(2, {.iterations = 2})};
  const auto seen = play(*learner.learning(), answer, false);
  std::size_t evicted = 0;
  for (const auto& one : seen.records) {
    const auto record = wire::decode<memory_record>(one.payload);
    REQUIRE(record);
    for (const auto& change : record->changes)
      evicted += change.what == memory_changes::evicted;
  }
  CHECK(evicted == 1);
  CHECK(outline(learner.learned()) == "- board: on Fan: off\n");
}

TEST_CASE("muse learns the same in whatever order answers come") {
  const auto learned = [](bool newest_first, std::uint32_t batch) {
    muse_learner learner{settings_of(4, {.iterations = 2, .batch = batch})};
    const auto seen = play(*learner.learning(), answer_to, newest_first);
    auto out = documents_of(learner.learned());
    for (const auto& one : seen.records)
      out.push_back(one.key + one.payload);
    return out;
  };
  CHECK(learned(false, 4) == learned(true, 4));
  CHECK(learned(false, 3) == learned(true, 3));
}

TEST_CASE("muse learns no lesson from grades that it must not see") {
  muse_options how;
  how.grades = "never";
  muse_learner learner{settings_of(1, how)};
  const auto answer = [](const job& work) {
    auto out = answer_to(work);
    if (auto* made = std::get_if<rollout_result>(&out.output)) {
      insight outcome = effect_of("x");
      outcome.fact.kind = "outcome";
      outcome.fact.met = made->grade.reward >= 1;
      outcome.id = identity(outcome);
      made->insights = std::vector<shared_value<insight>>{outcome};
    }
    return out;
  };
  const auto seen = play(*learner.learning(), answer, false);
  for (const auto& one : seen.jobs)
    CHECK(std::holds_alternative<rollout_job>(one.input));
  CHECK(learner.learned().procedures.empty());
}

TEST_CASE("muse goes on without an attempt, and stops without any") {
  const auto broken_if = [](bool all) {
    return [all](const job& work) {
      auto out = answer_to(work);
      if (auto* made = std::get_if<rollout_result>(&out.output))
        if (all || made->task == task_id{"task-0"}) {
          made->outcome = rollout_outcome::environment_error;
          made->error = "the device burnt";
        }
      return out;
    };
  };
  muse_learner some{settings_of(2)};
  CHECK_FALSE(play(*some.learning(), broken_if(false), false).failed);
  // It is no attempt that met nothing.
  CHECK(some.report().find("| iteration 3 | 2/2 |") != std::string::npos);
  CHECK(some.report().find("1 of 1, 1 without a score") != std::string::npos);
  muse_learner none{settings_of(2)};
  const auto seen = play(*none.learning(), broken_if(true), false);
  REQUIRE(seen.failed);
  CHECK(seen.failed->message
        == "muse: no attempt of iteration 1 was graded; the first: the device "
           "burnt");
}

TEST_CASE("muse stops where no agent makes a call, and says why") {
  const auto silent_if = [](bool all) {
    return [all](const job& work) {
      auto out = answer_to(work);
      if (auto* made = std::get_if<rollout_result>(&out.output))
        if (all || made->task == task_id{"task-0"}) {
          made->error = "after 0 calls: it has no words";
          made->muse.front().calls = 0;
        }
      return out;
    };
  };
  muse_learner some{settings_of(2)};
  CHECK_FALSE(play(*some.learning(), silent_if(false), false).failed);
  muse_learner none{settings_of(2)};
  const auto seen = play(*none.learning(), silent_if(true), false);
  REQUIRE(seen.failed);
  CHECK(seen.failed->message
        == "muse: no attempt of iteration 1 made a call; the first: after 0 "
           "calls: it has no words");
}

TEST_CASE("an evaluation plays muse with its memory and without") {
  muse_learner learner{settings_of(2, {.iterations = 1})};
  play(*learner.learning(), answer_to, false);
  const evaluated_tasks what{
      "test", {{task_id{"a"}, "", 2}, {task_id{"b"}, "", 2}}, 2};
  const auto arms = learner.serving(what);
  REQUIRE(arms.size() == 2);
  for (const auto& arm : arms) {
    const auto seen = play(*arm, answer_to, true);
    CHECK(seen.jobs.size() == 4);
    for (const auto& one : seen.jobs) {
      const auto& rollout = std::get<rollout_job>(one.input);
      CHECK(rollout.knowledge.empty() == (arm == arms[1]));
      CHECK_FALSE(rollout.reflect);
    }
    const auto measured = arm->measured();
    CHECK(measured.tasks.size() == 2);
    CHECK(measured.rewards == std::vector<std::vector<double>>{{0, 1}, {0, 1}});
  }
  CHECK(arms[0]->measured().name == "learned, muse");
  CHECK(arms[1]->measured().name == "muse, no memory");
  CHECK(learner.report().find("| learned, muse | 6/8 | 75.00 |")
        != std::string::npos);
}

TEST_CASE("attempts of a model are told whether anything is remembered") {
  auto settings = settings_of(2, {.iterations = 1});
  settings.distils = false;
  muse_learner learner{std::move(settings)};
  for (const auto& one : play(*learner.learning(), answer_to, false).jobs)
    CHECK(std::get<rollout_job>(one.input).method == muse_method);
  for (const auto& arm : learner.serving({"test", {{task_id{"a"}, "", 2}}, 2}))
    for (const auto& one : play(*arm, answer_to, false).jobs)
      CHECK(std::get<rollout_job>(one.input).method == muse_frozen_method);
}

TEST_CASE("muse gives an attempt the stores that it should have") {
  auto settings = settings_of(1, {.stores = {"tool"}});
  merge(settings.first, {strategy_of("two words", "x"),
                         {.store = "tool",
                          .name = "t",
                          .operation = {},
                          .preconditions = {},
                          .texts = {"y"},
                          .notes = {}}});
  const auto given = knowledge_of(settings.first, settings);
  REQUIRE(given.size() == 1);
  CHECK(settings.documents->find(given.front().hash)
            ->body.starts_with("# Tools"));
}
