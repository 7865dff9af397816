/// What a rollout's roles are told, and what becomes of it if one fails.

#include "tests/workers/runner_bench.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

/// Roles that write down what they are given.
struct witness {
  std::string method;
  std::vector<std::string> concepts;
  const job_context* of_agent = nullptr;
  const job_context* of_participants = nullptr;
};

class watching_agent final : public agent {
public:
  explicit watching_agent(std::shared_ptr<witness> saw)
      : saw_(std::move(saw)) {}
  std::string fingerprint() const override { return "watching"; }
  result<trajectory> attempt(const task_info& task, environment& env,
                             retrieval_session& retrieval,
                             std::uint64_t draw_key,
                             job_context& context) const override {
    saw_->method = context.method;
    saw_->of_agent = &context;
    if (overflows) context.note("agent", reply_trouble::overflowed, "too long");
    if (inner) {
      auto done = inner->attempt(task, env, retrieval, draw_key, context);
      if (done) done->cut_short = "it was late";
      if (done) done->broke_off = broke_off;
      return done;
    }
    return trajectory{steps, "it was late", broke_off};
  }

  std::vector<trajectory_step> steps{trajectory_step{}};
  std::shared_ptr<const agent> inner; ///< does the work; none: nobody does
  bool broke_off = false;
  bool overflows = false;

private:
  std::shared_ptr<witness> saw_;
};

class watching_reflector final : public reflector {
public:
  explicit watching_reflector(std::shared_ptr<witness> saw)
      : saw_(std::move(saw)) {}
  result<std::vector<insight>> reflect(const graded_attempt& attempt,
                                       const std::vector<rubric_rating>&,
                                       job_context&) const override {
    saw_->concepts = attempt.concepts;
    return std::vector<insight>{};
  }

private:
  std::shared_ptr<witness> saw_;
};

class watching_participants final : public participants_maker {
public:
  explicit watching_participants(std::shared_ptr<witness> saw)
      : saw_(std::move(saw)) {}
  participants make(job_context& context) const override {
    saw_->of_participants = &context;
    return {};
  }

private:
  std::shared_ptr<witness> saw_;
};

} // namespace

TEST_CASE("a rollout's roles are told its method, concepts and one context") {
  const auto saw = std::make_shared<witness>();
  const auto source = make_toy_benchmark({});
  const auto documents = std::make_shared<document_store>();
  auto roles = procedural_roles({}, {});
  roles.agent = std::make_shared<watching_agent>(saw);
  roles.reflector = std::make_shared<watching_reflector>(saw);
  roles.participants = std::make_shared<watching_participants>(saw);
  const job_runner runner{source, roles, documents, {}};
  auto settings = settings_for(*source);
  settings.method = methods::step_back;
  const auto light = documents->add("# Light\n\nlight\n");
  const auto done = runner.run(make_job(make_rollout_job(
      settings, {"train-000"}, 0, {{{0}, light->hash}}, true)));
  REQUIRE(done);
  CHECK(saw->method == methods::step_back);
  CHECK(saw->concepts == std::vector<std::string>{"Light"});
  // Calls of all roles of a job are numbered in one row.
  CHECK(saw->of_participants != nullptr);
  CHECK(saw->of_participants == saw->of_agent);
  const auto& rollout = std::get<rollout_result>(done->output);
  CHECK(rollout.outcome == rollout_outcome::graded);
  CHECK(rollout.error == "it was late");
}

TEST_CASE("documents given for a task are shown, and are no concepts") {
  const auto saw = std::make_shared<witness>();
  const auto source = make_toy_benchmark({});
  const auto documents = std::make_shared<document_store>();
  auto roles = procedural_roles({}, {});
  roles.reflector = std::make_shared<watching_reflector>(saw);
  retrieval_options one;
  one.top_k = 1;
  const job_runner runner{source, roles, documents, one};
  auto settings = settings_for(*source);
  settings.method = methods::given;
  const auto far = documents->add("# Zebra\n\nzebra\n"),
             other = documents->add("# Yak\n\nyak\n");
  const auto done = runner.run(
      make_job(make_rollout_job(settings, {"train-000"}, 0,
                                {{{0}, far->hash}, {{1}, other->hash}}, true)));
  REQUIRE(done);
  const auto& rollout = std::get<rollout_result>(done->output);
  REQUIRE_FALSE(rollout.retrievals.empty());
  CHECK(rollout.retrievals.front().documents
        == std::vector{far->hash, other->hash});
  CHECK(saw->concepts.empty());
}

TEST_CASE("a survey tells of replies that could not be used") {
  const auto source = make_toy_benchmark({});
  auto roles = procedural_roles({}, {});
  auto asked = std::make_shared<watching_agent>(std::make_shared<witness>());
  asked->overflows = true;
  roles.agent = asked;
  const job_runner runner{
      source, roles, std::make_shared<document_store>(), {}};
  auto settings = settings_for(*source);
  settings.method = methods::survey;
  const auto done = runner.run(
      make_job(make_rollout_job(settings, {"train-000"}, 0, {}, false)));
  REQUIRE(done);
  const auto& notes = std::get<rollout_result>(done->output).notes;
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].what == reply_trouble::overflowed);
}

TEST_CASE("an attempt that broke off before its first step is only graded") {
  const auto saw = std::make_shared<witness>();
  const auto source = make_toy_benchmark({});
  auto roles = procedural_roles({}, {});
  auto silent = std::make_shared<watching_agent>(saw);
  silent->steps.clear();
  silent->overflows = GENERATE(false, true);
  roles.agent = silent;
  const job_runner runner{
      source, roles, std::make_shared<document_store>(), {}};
  const auto done = runner.run(make_job(
      make_rollout_job(settings_for(*source), {"train-000"}, 0, {}, true)));
  REQUIRE(done);
  const auto& rollout = std::get<rollout_result>(done->output);
  CHECK(rollout.outcome == rollout_outcome::graded);
  CHECK(rollout.grade.reward == 0);
  CHECK_FALSE(rollout.grade.parts.empty());
  CHECK(rollout.error == "it was late");
  CHECK(rollout.ratings.empty());
  CHECK(rollout.insights.empty());
  // Of a prompt that was too long everybody who counts refusals learns.
  CHECK(rollout.notes.size() == (silent->overflows ? 2 : 0));
}

TEST_CASE("an agent that breaks off scores 0 whatever it left") {
  const auto source = make_toy_benchmark({});
  auto roles = procedural_roles({}, {});
  auto watched = std::make_shared<watching_agent>(std::make_shared<witness>());
  watched->inner = roles.agent;
  roles.agent = watched;
  const auto play = [&](const task_info& task) {
    const job_runner runner{
        source, roles, std::make_shared<document_store>(), {}};
    const auto done = runner.run(make_job(
        make_rollout_job(settings_for(*source), task.id, 0, {}, true)));
    REQUIRE(done);
    const auto& rollout = std::get<rollout_result>(done->output);
    CHECK(rollout.outcome == rollout_outcome::graded);
    CHECK_FALSE(rollout.insights.empty()); // there is something to learn from
    return rollout;
  };
  std::size_t solved = 0;
  for (const auto& task : source->tasks()) {
    watched->broke_off = false;
    const auto ended = play(task);
    watched->broke_off = true;
    const auto broken = play(task);
    solved += ended.grade.reward == 1;
    CHECK(broken.grade.reward == 0);
    CHECK(broken.grade.parts == ended.grade.parts);
  }
  CHECK(solved > 0);
}

namespace {

/// The toy benchmark, whose attempts leave a file.
class leaving_files final : public benchmark {
public:
  [[nodiscard]] std::string_view name() const override { return of_->name(); }
  [[nodiscard]] const std::string& fingerprint() const override {
    return of_->fingerprint();
  }
  [[nodiscard]] const std::vector<task_info>& tasks() const override {
    return of_->tasks();
  }
  [[nodiscard]] const std::map<std::string, std::vector<std::size_t>>&
  splits() const override {
    return of_->splits();
  }
  [[nodiscard]] result<std::unique_ptr<environment>>
  make(const task_id& task, const participants& with) const override {
    auto made = of_->make(task, with);
    if (!made) return made.error();
    return std::unique_ptr<environment>{
        std::make_unique<leaving>(std::move(*made))};
  }

private:
  struct leaving final : environment {
    explicit leaving(std::unique_ptr<environment> made) : of(std::move(made)) {}
    [[nodiscard]] const std::vector<tool_spec>& tools() const override {
      return of->tools();
    }
    tool_result call(std::string_view name, const json& arguments) override {
      return of->call(name, arguments);
    }
    result<grade_report> grade() override { return of->grade(); }
    std::vector<answer_file> take_answers() override {
      return {{2, true, {}, "a workbook"}};
    }
    std::unique_ptr<environment> of;
  };

  std::shared_ptr<const benchmark> of_ = make_toy_benchmark({});
};

} // namespace

TEST_CASE("what an agent that broke off left is not graded again either") {
  const auto source = std::make_shared<leaving_files>();
  auto roles = procedural_roles({}, {});
  auto watched = std::make_shared<watching_agent>(std::make_shared<witness>());
  roles.agent = watched;
  for (const bool broke_off : {false, true}) {
    watched->broke_off = broke_off;
    const job_runner runner{
        source, roles, std::make_shared<document_store>(), {}};
    const auto done = runner.run(make_job(
        make_rollout_job(settings_for(*source), {"train-000"}, 0, {}, false)));
    REQUIRE(done);
    const auto& left = std::get<rollout_result>(done->output).answers;
    REQUIRE(left.size() == 1);
    CHECK(left[0].number == 2);
    CHECK(left[0].lacking.empty() != broke_off);
    CHECK(left[0].content.empty() == broke_off);
  }
}

namespace {

/// A judge or reflector whose model fails, with the notes that it leaves.
struct failing_role final : judge, reflector {
  error why;
  std::string noted; ///< kind of note; empty: none
  std::string role;

  result<std::vector<rubric_rating>> rate(const graded_attempt&,
                                          job_context& context) const override {
    if (!noted.empty()) context.note(role, noted, "first reason");
    return why;
  }
  result<std::vector<insight>> reflect(const graded_attempt&,
                                       const std::vector<rubric_rating>&,
                                       job_context& context) const override {
    if (!noted.empty()) context.note(role, noted, "first reason");
    return why;
  }
};

result<job_result> with_failing(const std::string& role, ec code,
                                const std::string& noted) {
  const auto source = make_toy_benchmark({});
  auto roles = procedural_roles({}, {});
  auto failing = std::make_shared<failing_role>();
  failing->why = {code, role + ": no"};
  failing->noted = noted;
  failing->role = role;
  if (role == "judge")
    roles.judge = failing;
  else
    roles.reflector = failing;
  const job_runner runner{
      source, roles, std::make_shared<document_store>(), {}};
  return runner.run(make_job(
      make_rollout_job(settings_for(*source), {"train-000"}, 0, {}, true)));
}

} // namespace

TEST_CASE("a judge or reflector without a usable reply leaves the grade") {
  const runner_bench b;
  const auto whole = b.runner.run(b.rollout("train-000"));
  REQUIRE(whole);
  const auto& full = std::get<rollout_result>(whole->output);
  for (const auto* role : {"judge", "reflector"})
    for (const auto& [code, noted] :
         {std::pair{ec::malformed, reply_trouble::rejected},
          {ec::refused_content, std::string_view{}},
          {ec::context_too_long, std::string_view{}},
          {ec::context_too_long, reply_trouble::rejected}}) {
      INFO(role << ' ' << noted);
      const auto done = with_failing(role, code, std::string{noted});
      REQUIRE(done);
      const auto& rollout = std::get<rollout_result>(done->output);
      CHECK(rollout.outcome == rollout_outcome::graded);
      CHECK(rollout.grade == full.grade);
      CHECK(rollout.steps == full.steps);
      const bool judged = std::string{role} != "judge";
      CHECK(rollout.ratings.empty() == !judged);
      // Without ratings, the reflector still works.
      CHECK(rollout.insights.empty() == judged);
      REQUIRE(rollout.notes.size() == 1);
      CHECK(rollout.notes[0].role == role);
      CHECK(rollout.notes[0].what
            == (noted.empty() ? reply_trouble::refused : noted));
      CHECK(rollout.notes[0].count == 1);
    }
}

TEST_CASE("a judge or reflector whose server fails fails the job") {
  for (const auto* role : {"judge", "reflector"})
    for (const auto code :
         {ec::io, ec::rate_limited, ec::timeout, ec::unauthorized,
          ec::over_budget, ec::cancelled, ec::invalid_argument, ec::not_found,
          ec::malformed}) { // malformed without a note: what came was no reply
      INFO(role << ' ' << to_string(code));
      const auto done = with_failing(role, code, "");
      REQUIRE_FALSE(done);
      CHECK(done.error().code == code);
    }
}

namespace {

/// What a reviewer is given, and whether its parts fail.
class watching_reviewer final : public reviewer {
public:
  review study(const graded_attempt& attempt, job_context&) const override {
    tools = attempt.tools == nullptr ? 0 : attempt.tools->size();
    documents = attempt.documents;
    return {std::vector<rubric_rating>{{"seen whole", 1, "all of it"}},
            std::vector<insight>{}};
  }
  mutable std::size_t tools = 0;
  mutable std::vector<std::string> documents;
};

} // namespace

TEST_CASE("a reviewer takes the place of judge and reflector, and sees all") {
  const auto source = make_toy_benchmark({});
  const auto documents = std::make_shared<document_store>();
  const auto watcher = std::make_shared<watching_reviewer>();
  auto roles = procedural_roles({}, {});
  roles.judge = nullptr;
  roles.reflector = nullptr;
  roles.reviewer = watcher;
  const job_runner runner{source, roles, documents, {}};
  const auto light = documents->add("# Light\n\nlight symptom\n");
  const auto done = runner.run(make_job(make_rollout_job(
      settings_for(*source), {"train-000"}, 0, {{{0}, light->hash}}, true)));
  REQUIRE(done);
  const auto& rollout = std::get<rollout_result>(done->output);
  REQUIRE(rollout.ratings.size() == 1);
  CHECK(rollout.ratings[0].rubric == "seen whole");
  CHECK(watcher->tools > 0);
  // However often it was retrieved, a document is shown once.
  CHECK(rollout.retrievals.size() > 1);
  CHECK(watcher->documents == std::vector<std::string>{light->body});
}
