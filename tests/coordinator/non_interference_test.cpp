/// That nothing a learner does depends on grades that it must not see: graders
/// of all tasks but the train tasks say noise, and every job, guidance,
/// trajectory, probe and memory stays the same, byte for byte.

#include "base/hash.hpp"
#include "tests/coordinator/learner_stage.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

/// An environment whose grader says what has nothing to do with the attempt.
class noisy_environment final : public environment {
public:
  noisy_environment(std::unique_ptr<environment> inner, bool good)
      : inner_(std::move(inner)), good_(good) {}

  const std::vector<tool_spec>& tools() const override {
    return inner_->tools();
  }
  tool_result call(std::string_view name, const json& arguments) override {
    return inner_->call(name, arguments);
  }
  std::optional<tool_result> probe(std::string_view name,
                                   const json& arguments) override {
    return inner_->probe(name, arguments);
  }
  std::string briefing() const override { return inner_->briefing(); }
  result<std::string> opening() override { return inner_->opening(); }
  result<turn_outcome> take_turn(const turn& move) override {
    return inner_->take_turn(move);
  }
  result<grade_report> grade() override {
    if (auto truth = inner_->grade(); !truth) return truth;
    grade_report out;
    out.reward = good_ ? 1 : 0;
    return out;
  }
  std::uint32_t checkpoints_met() const override { return good_ ? 1 : 0; }

private:
  std::unique_ptr<environment> inner_;
  bool good_;
};

class noisy_benchmark final : public benchmark {
public:
  explicit noisy_benchmark(std::shared_ptr<const benchmark> inner)
      : inner_(std::move(inner)) {
    for (const auto index : inner_->splits().at("train"))
      true_.insert(inner_->tasks()[index].id);
  }
  std::string_view name() const override { return inner_->name(); }
  const std::string& fingerprint() const override {
    return inner_->fingerprint();
  }
  const std::vector<task_info>& tasks() const override {
    return inner_->tasks();
  }
  const std::map<std::string, std::vector<std::size_t>>&
  splits() const override {
    return inner_->splits();
  }
  std::uint32_t checkpoints(const task_id& task) const override {
    return inner_->checkpoints(task);
  }
  result<std::unique_ptr<environment>>
  make(const task_id& task, const participants& with = {}) const override {
    auto made = inner_->make(task, with);
    if (!made || true_.contains(task)) return made;
    ++noisy;
    const bool good = content_hash(task.value).front() < '8';
    return std::unique_ptr<environment>{
        std::make_unique<noisy_environment>(std::move(*made), good)};
  }

  mutable std::size_t noisy = 0; ///< environments that were made

private:
  std::shared_ptr<const benchmark> inner_;
  std::set<task_id> true_;
};

struct traces {
  std::vector<std::string> records, memory;
  std::map<std::string, std::string> jobs;
  std::vector<evaluation_record> arms;
};

traces traces_of(learner_stage stage) {
  traces out;
  stage.play(*stage.played().learning());
  for (const auto& one : stage.records)
    out.records.push_back(one.key + one.payload);
  for (const auto& one : stage.played().outcome().documents)
    out.memory.push_back(stage.documents().find(one.best.hash)->body);
  out.arms = stage.serve();
  out.jobs = std::move(stage.asked);
  return out;
}

using stage_maker =
    std::function<learner_stage(std::shared_ptr<const benchmark>)>;

void check_blindness(const stage_maker& make) {
  const auto truth = traces_of(make(learners_toy()));
  const auto noise = std::make_shared<noisy_benchmark>(learners_toy());
  const auto lied = traces_of(make(noise));
  CHECK(noise->noisy > 20);
  REQUIRE_FALSE(truth.memory.empty());
  CHECK(lied.records == truth.records);
  CHECK(lied.memory == truth.memory);
  CHECK(lied.jobs == truth.jobs);
  // The table alone tells the two apart.
  REQUIRE(lied.arms.size() == truth.arms.size());
  CHECK(lied.arms.front().rewards != truth.arms.front().rewards);
  CHECK(lied.arms.front().counts == truth.arms.front().counts);
}

} // namespace

TEST_CASE("Agent KB does the same whatever sealed graders say") {
  agent_kb_options options;
  options.rounds = 1;
  options.compare = {"planning"};
  check_blindness([&](std::shared_ptr<const benchmark> source) {
    return agent_kb_stage(options, "agent_kb", std::move(source));
  });
}

TEST_CASE("MUSE and its verifier do the same whatever sealed graders say") {
  muse_options how;
  how.iterations = 2;
  how.batch = 4;
  how.explore = 6;
  check_blindness([&](std::shared_ptr<const benchmark> source) {
    return muse_stage(how, std::move(source));
  });
}
