/// Agent KB on the toy benchmark with procedural roles.

#include "messages/memory/memory_record.hpp"
#include "tests/coordinator/learner_stage.hpp"

#include <catch2/catch.hpp>

#include <numeric>
#include <set>

using namespace brewery;
using namespace brewery::test;

namespace {

double mean(const evaluation_record& arm) {
  double sum = 0;
  std::size_t all = 0;
  for (const auto& rewards : arm.rewards) {
    sum += std::accumulate(rewards.begin(), rewards.end(), 0.0);
    all += rewards.size();
  }
  REQUIRE(all > 0);
  return sum / static_cast<double>(all);
}

/// A memory that only begins with an experience without a goal.
struct goalless_memory {
  std::shared_ptr<document_store> documents =
      std::make_shared<document_store>();
  std::unique_ptr<agent_kb_learner> learner;

  goalless_memory() {
    agent_kb_options options;
    options.learn = false;
    learner = std::make_unique<agent_kb_learner>(
        settings_for(*learners_toy()), options, "toy", documents,
        std::vector<experience>{{"Lamp",
                                 {"it is dark"},
                                 {},
                                 {"press"},
                                 {},
                                 "toy",
                                 0,
                                 {"look"},
                                 {}}});
  }
};

std::uint64_t counted_as(const evaluation_record& arm,
                         const std::string& what) {
  for (const auto& one : arm.counts)
    if (one.what == what) return one.count;
  return 0;
}

agent_kb_options all_arms() {
  agent_kb_options out;
  out.rounds = 1;
  out.compare = {"planning", "planning-retry", "retry"};
  return out;
}

} // namespace

TEST_CASE("Agent KB learns what helps, and counts every attempt") {
  auto stage = agent_kb_stage(all_arms());
  stage.play(*stage.played().learning());
  const auto learned = stage.played().outcome();
  REQUIRE_FALSE(learned.documents.empty());
  CHECK(learned.strategy == "agent_kb");
  for (const auto& one : learned.documents) {
    const auto doc = stage.documents().find(one.best.hash);
    REQUIRE(doc);
    CHECK(read_experience(doc->body));
  }
  const auto arms = stage.serve();
  REQUIRE(arms.size() == 4);
  CHECK(arms[0].name == "learned, agent_kb");
  CHECK(arms[1].name == "agent_kb, planning");
  CHECK(arms[2].name == "agent_kb, planning-retry");
  CHECK(arms[3].name == "agent_kb, retry");
  const double retry = mean(arms[3]);
  INFO(mean(arms[0]) << ' ' << mean(arms[1]) << ' ' << mean(arms[2]) << ' '
                     << retry);
  CHECK(mean(arms[0]) >= retry + 0.3);
  CHECK(mean(arms[1]) >= retry + 0.3);
  CHECK(counted_as(arms[0], "attempts") == 32); // 8 tasks, 2 trials, 2 attempts
  CHECK(counted_as(arms[1], "attempts") == 16);
  CHECK(counted_as(arms[1], "survey calls") > 0);
  CHECK(counted_as(arms[3], "survey calls") == 0);
}

TEST_CASE("the order of answers changes no byte of the memory's records") {
  auto first = agent_kb_stage(all_arms());
  first.play(*first.played().learning());
  REQUIRE(first.records.size() == 2); // barriers 0 and 1
  for (const std::uint64_t seed : {5, 6}) {
    auto again = agent_kb_stage(all_arms());
    again.play(*again.played().learning(), seed);
    REQUIRE(again.records.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(again.records[i].key == first.records[i].key);
      CHECK(again.records[i].payload == first.records[i].payload);
    }
  }
  const auto record = wire::decode<memory_record>(first.records[1].payload);
  REQUIRE(record);
  CHECK(std::ranges::count(record->changes, memory_changes::credited,
                           &memory_change::what)
        > 0);
}

TEST_CASE("sealed grades reach nothing but the table, unless an oracle is on") {
  const auto noise = [](const rollout_result& made) {
    return made.id.value < "8" ? 1.0 : 0.0;
  };
  struct sealed_play {
    std::set<std::string> ids;
    std::uint64_t attempts = 0; ///< of the learned arm
  };
  const auto played_with = [&](const std::string& name, bool lies) {
    auto stage = agent_kb_stage(all_arms(), name);
    stage.play(*stage.played().learning());
    stage.asked.clear();
    const auto arms = stage.serve(lies ? false_grader{noise} : false_grader{});
    sealed_play out{{}, counted_as(arms.front(), "attempts")};
    for (const auto& [id, bytes] : stage.asked)
      out.ids.insert(id);
    return out;
  };
  const auto blind = played_with("agent_kb", false);
  const auto lied_to = played_with("agent_kb", true);
  CHECK(blind.ids == lied_to.ids);
  CHECK(blind.attempts == lied_to.attempts);
  // Whether a session tries again is what its oracle says.
  CHECK(played_with(agent_kb_with_oracle, false).attempts
        != played_with(agent_kb_with_oracle, true).attempts);
}

TEST_CASE("an oracle keeps a solved first attempt, and tries others again") {
  auto stage = agent_kb_stage(all_arms(), agent_kb_with_oracle);
  stage.play(*stage.played().learning());
  const auto arms = stage.serve();
  REQUIRE(arms.size() == 4);
  const auto& told = arms[0];
  const auto& planned = arms[1]; // the same first attempts
  std::uint64_t attempts = 0;
  for (std::size_t task = 0; task < planned.rewards.size(); ++task)
    for (std::size_t trial = 0; trial < planned.rewards[task].size(); ++trial) {
      const bool solved = planned.rewards[task][trial] >= 1;
      attempts += solved ? 1 : 2;
      if (solved) CHECK(told.rewards[task][trial] >= 1);
    }
  CHECK(counted_as(told, "attempts") == attempts);
  CHECK(counted_as(planned, "attempts") == 16);
  CHECK(attempts < 32); // some were solved at once
}

TEST_CASE("an experience without a goal is placed by its other facets") {
  const goalless_memory stage;
  auto machine = stage.learner->learning();
  const auto asked = machine->begin().jobs;
  REQUIRE(asked.size() == 1);
  const auto& work = std::get<embed_job>(asked.front().work.input);
  CHECK(work.texts == std::vector<std::string>{"it is dark\n", "toy\nlook\n"});
  const auto after =
      machine->on(make_result(embed_result{work.id, {{1, 0}, {0, 1}}}));
  CHECK(after.finished);
  CHECK(stage.learner->outcome().documents.size() == 1);
}

TEST_CASE("a memory that failed jobs left empty says why they failed") {
  const goalless_memory stage;
  auto machine = stage.learner->learning();
  const auto asked = machine->begin().jobs;
  REQUIRE(asked.size() == 1);
  const auto after =
      machine->on({asked.front().work.id, "embedder: no such model", {}});
  REQUIRE(after.failed);
  CHECK(after.failed->message
        == "no experience of agent_kb.start_from was kept, since 1 job failed; "
           "the first said: embedder: no such model");
}

TEST_CASE("an arbiter makes one of two ways, in any order of answers") {
  auto options = all_arms();
  options.conflicts = agent_kb_conflicts::merge;
  const auto last_record = [&](std::uint64_t shuffle) {
    auto stage = agent_kb_stage(options);
    stage.play(*stage.played().learning(), shuffle);
    REQUIRE(stage.records.size() == 2);
    const auto record = wire::decode<memory_record>(stage.records[0].payload);
    REQUIRE(record);
    // Both stay in the log, as documents, and what they became is held.
    for (const auto& change : record->changes)
      if (change.what == memory_changes::merged) {
        CHECK(stage.documents().find(doc_hash{change.entry}));
        CHECK(std::ranges::count(record->entries, change.entry) == 0);
      }
    return std::pair{stage.records[0].payload + stage.records[1].payload,
                     *record};
  };
  const auto [bytes, merged] = last_record(0);
  const auto count = [](const memory_record& record, std::string_view what) {
    return std::ranges::count(record.changes, what, &memory_change::what);
  };
  CHECK(count(merged, memory_changes::merged) > 0);
  CHECK(last_record(5).first == bytes);
  options.compatible = 1; // nothing is more
  const auto selected = last_record(0).second;
  CHECK(count(selected, memory_changes::merged) == 0);
  CHECK(count(selected, memory_changes::conflict) > 0);
}
