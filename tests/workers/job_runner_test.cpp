#include "tests/workers/runner_bench.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

job_result without_time(job_result answer) {
  if (auto* rollout = std::get_if<rollout_result>(&answer.output))
    rollout->duration_us = 0;
  return answer;
}

error refused(const job_runner& runner, const job& work, ec code) {
  const auto done = runner.run(work);
  REQUIRE_FALSE(done);
  CHECK(done.error().code == code);
  CHECK(done.error().message.find('\n') == std::string::npos);
  return done.error();
}

} // namespace

TEST_CASE("a rollout is played, graded, judged and reflected") {
  const runner_bench b;
  const auto done = b.runner.run(b.rollout("train-000"));
  REQUIRE(done);
  const auto& rollout = std::get<rollout_result>(done->output);
  CHECK(rollout.outcome == rollout_outcome::graded);
  CHECK(rollout.task == task_id{"train-000"});
  CHECK_FALSE(rollout.steps.empty());
  CHECK_FALSE(rollout.grade.parts.empty());
  CHECK(rollout.ratings.size() == 4);
  CHECK_FALSE(rollout.insights.empty());
  CHECK(rollout.retrievals.empty()); // there was nothing to ask

  const auto plain = b.runner.run(b.rollout("train-000", {}, false));
  REQUIRE(plain);
  CHECK(std::get<rollout_result>(plain->output).insights.empty());
  CHECK(std::get<rollout_result>(plain->output).ratings.empty());
  CHECK(std::get<rollout_result>(plain->output).steps == rollout.steps);
}

TEST_CASE("a result is a function of the job, wall time aside") {
  const runner_bench one, two;
  for (const auto* task : {"train-001", "eval-003", "test-005"}) {
    const auto work = one.rollout(task);
    const auto first = one.runner.run(work);
    REQUIRE(first);
    CHECK(without_time(*one.runner.run(work)) == without_time(*first));
    CHECK(without_time(*two.runner.run(work)) == without_time(*first));
  }
}

TEST_CASE("the agent is shown the job's documents and no others") {
  const runner_bench b;
  const auto shown = b.documents->add("# Light\n\nlight symptom\n");
  b.documents->add("# Other\n\nlight symptom place\n");
  const auto done = b.runner.run(b.rollout("train-000", {{{0}, shown->hash}}));
  REQUIRE(done);
  const auto& asked = std::get<rollout_result>(done->output).retrievals;
  REQUIRE_FALSE(asked.empty());
  for (const auto& record : asked)
    for (const auto& hash : record.documents)
      CHECK(hash == shown->hash);
}

TEST_CASE("a job that cannot be done says which part is unknown") {
  const runner_bench b;
  CHECK(refused(b.runner, b.rollout("train-999"), ec::not_found)
            .message.find("'train-999'")
        != std::string::npos);
  CHECK(refused(b.runner, b.rollout("train-000", {{{0}, {"nowhere"}}}),
                ec::not_found)
            .message.find("nowhere")
        != std::string::npos);
  integrate_job orphan;
  orphan.id = {"o"};
  orphan.parent = {"gone"};
  CHECK(refused(b.runner, make_job(orphan), ec::not_found).message.find("gone")
        != std::string::npos);
}

TEST_CASE("an environment that breaks is the rollout's outcome, no failure") {
  const runner_bench good;
  const runner_bench b{std::make_shared<breaking_benchmark>(
      good.source, [](const task_id&) { return true; })};
  const auto done = b.runner.run(good.rollout("train-000"));
  REQUIRE(done);
  const auto& rollout = std::get<rollout_result>(done->output);
  CHECK(rollout.outcome == rollout_outcome::environment_error);
  CHECK(rollout.error.find("does not switch on") != std::string::npos);
  CHECK(rollout.steps.empty());
  CHECK(rollout.insights.empty());
}

namespace {

/// The toy, of which either nothing can be started or nothing be graded.
class failing_benchmark final : public benchmark {
public:
  failing_benchmark(bool starts, ec code) : starts_(starts), code_(code) {}

  std::string_view name() const override { return toy_->name(); }
  const std::string& fingerprint() const override {
    return toy_->fingerprint();
  }
  const std::vector<task_info>& tasks() const override { return toy_->tasks(); }
  const std::map<std::string, std::vector<std::size_t>>&
  splits() const override {
    return toy_->splits();
  }
  result<std::unique_ptr<environment>>
  make(const task_id& task, const participants&) const override {
    if (!starts_) return error{code_, "it does not start"};
    auto inner = toy_->make(task);
    return std::unique_ptr<environment>{
        std::make_unique<ungraded>(std::move(*inner), code_)};
  }

private:
  struct ungraded final : environment {
    ungraded(std::unique_ptr<environment> from, ec why)
        : inner(std::move(from)), code(why) {}
    const std::vector<tool_spec>& tools() const override {
      return inner->tools();
    }
    tool_result call(std::string_view name, const json& arguments) override {
      return inner->call(name, arguments);
    }
    result<grade_report> grade() override {
      return error{code, "it cannot be graded"};
    }
    std::unique_ptr<environment> inner;
    ec code;
  };
  std::shared_ptr<const benchmark> toy_ = make_toy_benchmark({});
  bool starts_;
  ec code_;
};

} // namespace

TEST_CASE("an environment that breaks while it is played has no score") {
  const runner_bench good;
  const runner_bench b{
      std::make_shared<failing_benchmark>(true, ec::environment)};
  const auto done = b.runner.run(good.rollout("train-000"));
  REQUIRE(done);
  const auto& rollout = std::get<rollout_result>(done->output);
  CHECK(rollout.outcome == rollout_outcome::environment_error);
  CHECK(rollout.error == "environment error: it cannot be graded");
  CHECK(rollout.insights.empty());
  CHECK_FALSE(rollout.steps.empty()); // for whoever looks for the reason
}

TEST_CASE("a benchmark that cannot be started, or a judge, fails the job") {
  const runner_bench good;
  const runner_bench unstarted{
      std::make_shared<failing_benchmark>(false, ec::exhausted)};
  refused(unstarted.runner, good.rollout("train-000"), ec::exhausted);
  const runner_bench unjudged{
      std::make_shared<failing_benchmark>(true, ec::timeout)};
  refused(unjudged.runner, good.rollout("train-000"), ec::timeout);
}

TEST_CASE("integrations and embeddings are jobs like rollouts") {
  const runner_bench b;
  integrate_job writing;
  writing.title = "Nothing yet";
  writing.id = identity(writing, "");
  const auto written = b.runner.run(make_job(writing));
  REQUIRE(written);
  CHECK(std::get<integrate_result>(written->output).id == writing.id);
  CHECK(std::get<integrate_result>(written->output).body.empty());
  embed_job space{{"e"}, {"a", "b b", "c"}};
  const auto placed = b.runner.run(make_job(space));
  REQUIRE(placed);
  CHECK(placed->id == job_id{"e"});
  CHECK(std::get<embed_result>(placed->output).vectors.size() == 3);
}

namespace {

/// The toy benchmark, whose tasks are about something else than they say.
class subject_benchmark final : public benchmark {
public:
  explicit subject_benchmark(std::shared_ptr<const benchmark> inner)
      : inner_(std::move(inner)), tasks_(inner_->tasks()) {
    for (auto& task : tasks_)
      task.subject = "what it is about";
  }
  std::string_view name() const override { return inner_->name(); }
  const std::string& fingerprint() const override {
    return inner_->fingerprint();
  }
  const std::vector<task_info>& tasks() const override { return tasks_; }
  const std::map<std::string, std::vector<std::size_t>>&
  splits() const override {
    return inner_->splits();
  }
  result<std::unique_ptr<environment>>
  make(const task_id& task, const participants& with) const override {
    return inner_->make(task, with);
  }

private:
  std::shared_ptr<const benchmark> inner_;
  std::vector<task_info> tasks_;
};

} // namespace

TEST_CASE("a result says what was asked first unless that was the subject") {
  const runner_bench plain;
  const auto light = plain.documents->add("# Light\n\nlight symptom\n");
  const std::vector<doc_ref> knowledge{{{0}, light->hash}};
  const auto known = plain.runner.run(plain.rollout("train-000", knowledge));
  REQUIRE(known);
  CHECK(std::get<rollout_result>(known->output).asked.empty());

  const auto source =
      std::make_shared<subject_benchmark>(make_toy_benchmark({}));
  const job_runner runner{
      source, procedural_roles({}, {}), plain.documents, {}};
  const auto work = make_rollout_job(settings_for(*source), {"train-000"}, 0,
                                     knowledge, false);
  const auto other = runner.run(make_job(work));
  REQUIRE(other);
  CHECK(std::get<rollout_result>(other->output).asked
        == source->tasks().front().instruction);
  const auto nothing = runner.run(make_job(
      make_rollout_job(settings_for(*source), {"train-000"}, 0, {}, false)));
  REQUIRE(nothing);
  CHECK(std::get<rollout_result>(nothing->output).asked.empty());
}

TEST_CASE("another method is another job, none is the job it always was") {
  const auto source = make_toy_benchmark({});
  auto settings = settings_for(*source);
  const auto usual = make_rollout_job(settings, {"train-000"}, 0, {}, false);
  settings.method = methods::in_context;
  CHECK(make_rollout_job(settings, {"train-000"}, 0, {}, false).id != usual.id);
}

namespace {

/// The toy, with goldens; it takes grades from whoever comes with the task.
class golden_toy final : public benchmark, public answer_grader {
public:
  std::shared_ptr<const benchmark> toy = make_toy_benchmark({});
  std::string print = "g";
  mutable participants seen;

  std::string_view name() const override { return toy->name(); }
  const std::string& fingerprint() const override { return toy->fingerprint(); }
  const std::vector<task_info>& tasks() const override { return toy->tasks(); }
  const std::map<std::string, std::vector<std::size_t>>&
  splits() const override {
    return toy->splits();
  }
  result<std::unique_ptr<environment>>
  make(const task_id& task, const participants& with) const override {
    seen = with;
    return toy->make(task, with);
  }
  const std::string& goldens() const override { return print; }
  const answer_grader* grader() const override { return this; }
  result<grade_report>
  grade(const task_id&,
        const std::vector<answer_file>& answers) const override {
    return grade_report{answers.empty() ? 0.0 : 1.0, {}};
  }
};

job grade_with(const std::string& goldens) {
  grade_job work{{}, {"train-000"}, goldens, {{1, false, {}, "x"}}};
  work.id = identity(work);
  return make_job(work);
}

} // namespace

TEST_CASE("a grade is made with the goldens it names and with no others") {
  const runner_bench b{std::make_shared<golden_toy>()};
  const auto done = b.runner.run(grade_with("g"));
  REQUIRE(done);
  CHECK(std::get<grade_result>(done->output).grade.reward == 1);
  CHECK(std::get<grade_result>(done->output).id == grade_with("g").id);
  refused(b.runner, grade_with("other"), ec::not_found);
  const runner_bench without;
  refused(without.runner, grade_with("g"), ec::not_found);
}

TEST_CASE("equal answers are one grade job, others another") {
  CHECK(grade_with("g").id == grade_with("g").id);
  CHECK(grade_with("g").id != grade_with("h").id);
  auto other = std::get<grade_job>(grade_with("g").input);
  other.answers.front().content = "y";
  CHECK(identity(other) != grade_with("g").id);
}

TEST_CASE("a rollout is told who grades it, under its own job") {
  const auto source = std::make_shared<golden_toy>();
  std::vector<job_id> asked;
  const job_runner runner{source,
                          procedural_roles({}, {}),
                          std::make_shared<document_store>(),
                          {},
                          {},
                          {},
                          [&](const job_context& context) {
                            asked.push_back(context.job);
                            return std::make_shared<const golden_toy>();
                          }};
  const runner_bench b;
  const auto work = b.rollout("train-000");
  REQUIRE(runner.run(work));
  CHECK(asked == std::vector<job_id>{work.id});
  CHECK(source->seen.grader);
}
