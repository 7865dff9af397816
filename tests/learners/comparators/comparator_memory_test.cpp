#include "learners/comparators/attempt_texts.hpp"
#include "learners/comparators/comparator_memory.hpp"
#include "messages/memory/memory_record.hpp"
#include "messages/wire/codec.hpp"

#include <catch2/catch.hpp>

#include <deque>

using namespace brewery;

namespace {

comparator_settings memory_settings(std::string_view arm, bool on_model) {
  comparator_settings out;
  out.arm = arm;
  out.search.seed = 5;
  out.search.learner.initial_trials = 2;
  for (const auto* task : {"fan", "pump", "lamp"})
    out.search.train.push_back({task_id{task}, "Repair it.", 2});
  out.asks_to_evolve = on_model;
  out.documents = std::make_shared<document_store>();
  return out;
}

/// What workers do here: the second attempt at a task is solved; nothing can be
/// recorded of lamps.
job_result worker_answer(const job& work) {
  if (const auto* rollout = std::get_if<rollout_job>(&work.input)) {
    rollout_result out;
    out.id = work.id;
    out.task = rollout->task;
    out.trial = rollout->trial;
    out.grade.reward = rollout->trial;
    out.steps.emplace_back();
    return make_result(std::move(out));
  }
  const auto& asked = std::get<memory_job>(work.input);
  memory_result out;
  out.id = work.id;
  if (asked.step == comparator_steps::evolve) {
    out.texts = {{comparator_texts::link, "1"},
                 {comparator_texts::tag, "evolved"}};
  } else if (asked.task.value != "lamp") {
    recorded_attempt made;
    made.told = "A " + asked.task.value;
    made.tags = {asked.attempts.front().rollout.value};
    made.changes = {{{asked.task.value + " off"},
                     "toggle()",
                     asked.task.value + " on",
                     "Toggle the " + asked.task.value + ".",
                     true}};
    out.texts = texts_of_attempt(made);
  }
  return make_result(std::move(out));
}

struct written_memory {
  std::vector<std::string> hashes;
  std::vector<std::string> texts;
  std::vector<learner_record> records;
  std::size_t recorded = 0, evolved = 0;
};

written_memory write_memory(const comparator_settings& settings,
                            bool newest_first) {
  comparator_memory machine{settings};
  written_memory out;
  std::deque<job> open;
  bool finished = false;
  const auto take = [&](const learner_step& step) {
    REQUIRE_FALSE(step.failed);
    for (const auto& one : step.records)
      out.records.push_back(one);
    for (const auto& one : step.jobs) {
      open.push_back(one.work);
      if (const auto* asked = std::get_if<memory_job>(&one.work.input))
        ++(asked->step == comparator_steps::record ? out.recorded
                                                   : out.evolved);
    }
    finished |= step.finished;
  };
  take(machine.begin());
  while (!open.empty()) {
    const auto next = newest_first ? open.back() : open.front();
    newest_first ? open.pop_back() : open.pop_front();
    take(machine.on(worker_answer(next)));
  }
  CHECK(finished);
  out.hashes = machine.hashes();
  for (const auto& hash : out.hashes)
    out.texts.push_back(settings.documents->find(doc_hash{hash})->body);
  return out;
}

} // namespace

TEST_CASE("a comparator records all graded attempts, and its memory is on "
          "record") {
  const auto made =
      write_memory(memory_settings(comparators::cognee, false), false);
  CHECK(made.recorded == 6);
  REQUIRE(made.texts.size() == 2); // of the lamp nothing is known
  CHECK(made.texts[0].find("In 2 attempts, 1 of them solved")
        != std::string::npos);
  REQUIRE(made.records.size() == 1);
  const auto record = wire::decode<memory_record>(made.records[0].payload);
  REQUIRE(record);
  CHECK(record->learner == comparators::cognee);
  CHECK(record->entries == made.hashes);
}

TEST_CASE("the order of answers changes no memory of a comparator") {
  for (const auto arm : {comparators::a_mem, comparators::cognee})
    for (const bool on_model : {false, true}) {
      const auto settings =
          memory_settings(arm, on_model && arm == comparators::a_mem);
      const auto one = write_memory(settings, false);
      const auto other = write_memory(settings, true);
      CHECK(one.texts == other.texts);
      REQUIRE(one.records.size() == 1);
      CHECK(one.records[0].payload == other.records[0].payload);
    }
}

TEST_CASE("notes evolve one after the other, those with neighbours") {
  const auto made =
      write_memory(memory_settings(comparators::a_mem, true), false);
  REQUIRE(made.texts.size() == 4);
  // All but the first have words in common with one before.
  CHECK(made.evolved == 3);
  CHECK(made.texts[0].find("evolved") == std::string::npos);
  for (std::size_t i = 1; i < 4; ++i)
    CHECK(made.texts[i].find("evolved") != std::string::npos);
  CHECK(write_memory(memory_settings(comparators::a_mem, false), false).evolved
        == 0);
}

TEST_CASE("without train tasks a comparator's memory is empty") {
  auto settings = memory_settings(comparators::a_mem, false);
  settings.search.train.clear();
  CHECK(write_memory(settings, false).hashes.empty());
}
