/// Agent KB on the toy benchmark with procedural roles, without actors: a queue
/// of jobs between its machines and a job runner.

#include "learners/agent_kb/agent_kb.hpp"
#include "messages/memory/agent_kb_steps.hpp"
#include "messages/memory/memory_record.hpp"
#include "messages/wire/codec.hpp"
#include "roles/memory/procedural_memory.hpp"
#include "tests/fixtures/toy_search.hpp"

#include <catch2/catch.hpp>

#include <numeric>
#include <set>

using namespace brewery;
using namespace brewery::test;

namespace {

/// What sealed graders say in place of the truth; empty: the truth.
using false_grader = std::function<double(const rollout_result&)>;

/// Plays machines of one learner to their ends.
class learner_stage {
public:
  explicit learner_stage(agent_kb_options options,
                         const std::string& name = "agent_kb")
      : source_(make_toy_benchmark(
          {.faults_max = 2, .train = 24, .eval = 4, .test = 8})),
        runner_(source_, roles(), documents_, retrieval_options{}) {
    auto settings = settings_for(*source_);
    settings.learner.learner = name;
    settings.learner.initial_trials = 20;
    learner_ = std::make_unique<agent_kb_learner>(settings, std::move(options),
                                                  "toy", documents_);
  }

  /// `shuffle`: seed of the order of answers; 0: as asked for.
  void play(learner_machine& machine, std::uint64_t shuffle = 0,
            const false_grader& lies = {}) {
    rng order{shuffle};
    std::deque<wanted_job> queue;
    bool finished = false;
    const auto take = [&](learner_step step) {
      INFO((step.failed ? step.failed->message : std::string{}));
      REQUIRE_FALSE(step.failed);
      for (auto& one : step.records)
        records.push_back(std::move(one));
      for (auto& one : step.jobs)
        queue.push_back(std::move(one));
      finished |= step.finished;
    };
    take(machine.begin());
    while (!queue.empty()) {
      const auto next = shuffle == 0 ? 0 : order.below(queue.size());
      const auto wanted = queue[next];
      queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(next));
      asked.insert(wanted.work.id.value);
      auto answer = run(wanted.work);
      if (auto* rollout = std::get_if<rollout_result>(&answer.output)) {
        if (!wanted.whole) rollout->steps.clear();
        if (lies) rollout->grade.reward = lies(*rollout);
      }
      take(machine.on(answer));
    }
    CHECK(finished);
  }

  std::vector<evaluation_record> serve(const false_grader& lies = {}) {
    std::vector<evaluation_record> out;
    for (const auto& arm :
         learner_->serving({"test", tasks_of(*source_, "test"), 2})) {
      play(*arm, 0, lies);
      out.push_back(arm->measured());
    }
    return out;
  }

  agent_kb_learner& learner() { return *learner_; }
  document_store& documents() { return *documents_; }

  std::vector<learner_record> records;
  std::set<std::string> asked; ///< ids of jobs

private:
  static role_set roles() {
    agent_options patient; // it does not try everything in one attempt
    patient.explore_writes = 6;
    auto out = procedural_roles(patient, {});
    out.memory[agent_kb_role] = std::make_shared<procedural_memory>();
    return out;
  }
  job_result run(const job& work) {
    auto& known = memo_[work.id];
    if (known.id.value.empty()) {
      auto done = runner_.run(work);
      REQUIRE(done);
      known = std::move(*done);
    }
    return known;
  }

  std::shared_ptr<document_store> documents_ =
      std::make_shared<document_store>();
  std::shared_ptr<const benchmark> source_;
  job_runner runner_;
  std::unique_ptr<agent_kb_learner> learner_;
  std::map<job_id, job_result> memo_;
};

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
  learner_stage stage{all_arms()};
  stage.play(*stage.learner().learning());
  const auto learned = stage.learner().outcome();
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
  learner_stage first{all_arms()};
  first.play(*first.learner().learning());
  REQUIRE(first.records.size() == 2); // barriers 0 and 1
  for (const std::uint64_t seed : {5, 6}) {
    learner_stage again{all_arms()};
    again.play(*again.learner().learning(), seed);
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
  const auto jobs_with = [&](const std::string& name, bool lies) {
    learner_stage stage{all_arms(), name};
    stage.play(*stage.learner().learning());
    stage.asked.clear();
    stage.serve(lies ? false_grader{noise} : false_grader{});
    return stage.asked;
  };
  CHECK(jobs_with("agent_kb", true) == jobs_with("agent_kb", false));
  CHECK(jobs_with(agent_kb_with_oracle, true)
        != jobs_with(agent_kb_with_oracle, false));
}
