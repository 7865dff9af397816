#pragma once
/// Learners beside BREW on the toy benchmark with procedural roles, without
/// actors: a queue of jobs between their machines and a job runner.

#include "learners/agent_kb/agent_kb.hpp"
#include "learners/muse/muse_learner.hpp"
#include "messages/memory/agent_kb_steps.hpp"
#include "messages/wire/codec.hpp"
#include "roles/memory/procedural_memory.hpp"
#include "roles/muse/muse_agent.hpp"
#include "tests/fixtures/toy_search.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>

namespace brewery::test {

/// What sealed graders say in place of the truth; empty: the truth.
using false_grader = std::function<double(const rollout_result&)>;

/// Plays machines of one learner to their ends.
class learner_stage {
public:
  using maker = std::function<std::unique_ptr<learner>(
      brew_settings, std::shared_ptr<document_store>)>;

  learner_stage(std::shared_ptr<const benchmark> source, role_set roles,
                const maker& make)
      : source_(std::move(source)),
        runner_(source_, std::move(roles), documents_, retrieval_options{}) {
    auto settings = settings_for(*source_);
    settings.learner.initial_trials = 20;
    learner_ = make(std::move(settings), documents_);
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
      auto answer = run(wanted.work);
      asked[wanted.work.id.value] = without_grade(answer);
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

  learner& played() { return *learner_; }
  document_store& documents() { return *documents_; }

  std::vector<learner_record> records;
  /// By job: the bytes of its result, but for its grade and its time.
  std::map<std::string, std::string> asked;

private:
  static std::string without_grade(job_result answer) {
    if (auto* made = std::get_if<rollout_result>(&answer.output)) {
      made->grade = {};
      made->duration_us = 0;
      for (auto& attempt : made->muse)
        attempt.checkpoints = 0;
    }
    return wire::encode(answer);
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
  std::unique_ptr<learner> learner_;
  std::map<job_id, job_result> memo_;
};

inline std::shared_ptr<const benchmark> learners_toy() {
  return make_toy_benchmark(
      {.faults_max = 2, .train = 24, .eval = 4, .test = 8});
}

/// An agent that does not try everything in one attempt.
inline agent_options patient_agent() {
  agent_options out;
  out.explore_writes = 6;
  return out;
}

inline learner_stage
agent_kb_stage(const agent_kb_options& options,
               const std::string& name = "agent_kb",
               std::shared_ptr<const benchmark> source = learners_toy()) {
  auto roles = procedural_roles(patient_agent(), {});
  roles.memory[agent_kb_role] = std::make_shared<procedural_memory>();
  return {std::move(source), std::move(roles),
          [&](brew_settings settings, std::shared_ptr<document_store> texts) {
            settings.learner.learner = name;
            return std::make_unique<agent_kb_learner>(
                std::move(settings), options, "toy", std::move(texts));
          }};
}

inline learner_stage muse_stage(const muse_options& how,
                                std::shared_ptr<const benchmark> source) {
  auto roles = procedural_roles(patient_agent(), {});
  roles.agent = std::make_shared<muse_agent>(roles.agent, patient_agent(), how);
  return {std::move(source), std::move(roles),
          [&](brew_settings settings, std::shared_ptr<document_store> texts) {
            muse::muse_settings out;
            out.playing = std::move(settings);
            out.how = how;
            out.documents = std::move(texts);
            return std::make_unique<muse::muse_learner>(std::move(out));
          }};
}

} // namespace brewery::test
