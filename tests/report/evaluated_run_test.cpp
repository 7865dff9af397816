/// A finished run as its log has it: its arms, their rollouts, and what cannot
/// be graded again or exported.

#include "cluster/ledger/memo_loader.hpp"
#include "config/print.hpp"
#include "messages/wire/codec.hpp"
#include "report/arm_rollouts.hpp"
#include "report/regrade.hpp"
#include "report/rollout_view.hpp"
#include "report/run_overview.hpp"
#include "report/tau2_export.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <fstream>

using namespace brewery;
using Catch::Contains;

namespace {

/// A run with two arms over two tasks of the toy, two trials each; of the first
/// arm one rollout is in the log.
struct evaluated_case {
  scratch root;
  config options;
  std::vector<task_id> tasks;

  explicit evaluated_case(const std::string& kind = "toy",
                          bool with_arms = true) {
    options.environment.kind = "toy";
    options.eval.test_trials = 2;
    options.search.strategies = {"mcts"};
    const auto what = load_problem(options);
    REQUIRE(what);
    tasks = {what->test[0].id, what->test[1].id};
    const auto settings = evaluation_settings(options, *what, {"f"});
    REQUIRE(settings);
    const auto work = make_rollout_job(*settings, tasks[1], 0, {}, false);
    options.environment.kind = kind;
    auto made = run_directory::create(root.path(), "night");
    REQUIRE(made);
    std::ofstream{made->config()} << to_toml(options);
    auto log = event_log::create(made->path());
    REQUIRE(log);
    rollout_result played;
    played.id = work.id;
    played.task = tasks[1];
    played.grade.reward = 1;
    integrate_result written;
    written.id = {"w"};
    std::vector<event_row> rows{
        event_of(run_record{"f", to_toml(options)}, "run"),
        event_of(make_result(std::move(played)), work.id.value),
        event_of(make_result(std::move(written)), "w")};
    if (with_arms)
      for (const auto* name : {"no KB", "learned, mcts"})
        rows.push_back(
            event_of(evaluation_record{name, "test", tasks, {{1}, {0}}}, name));
    REQUIRE((*log)->append(rows));
  }

  std::filesystem::path path() const { return root.path() / "night"; }
  job_id played() const {
    const auto run = opened();
    for (const auto& [job, event] : run.results)
      if (job.value != "w") return job;
    return {};
  }
  evaluated_run opened() const {
    auto run = open_evaluated(path());
    if (!run) FAIL(run.error().message);
    return std::move(*run);
  }
  error refusal(std::vector<std::string> overrides,
                const std::string& arm = "") const {
    regrade_request what;
    what.run = path();
    what.arm = arm;
    what.overrides = std::move(overrides);
    const auto done = regrade(what);
    REQUIRE_FALSE(done);
    CHECK(done.error().message.find('\n') == std::string::npos);
    return done.error();
  }
};

} // namespace

TEST_CASE("a run is opened by its path, with or without an end of it") {
  const evaluated_case c;
  for (const auto& path : {c.path(), c.path() / ""}) {
    const auto run = open_evaluated(path);
    REQUIRE(run);
    CHECK(run->where.id() == "night");
    CHECK(run->started.fingerprint == "f");
    CHECK(run->arms.size() == 2);
    CHECK(run->results.size() == 2);
  }
  CHECK(open_evaluated(c.root.path() / "nihgt").error().code == ec::not_found);
}

TEST_CASE("an arm is found by its name, and the published one without") {
  const evaluated_case c;
  auto run = c.opened();
  CHECK((*find_arm(run, "no KB"))->name == "no KB");
  CHECK((*find_arm(run, ""))->name == "learned, mcts");
  run.arms.push_back(run.arms.back());
  run.arms.back().name = "learned, greedy";
  CHECK((*find_arm(run, ""))->name == "learned, mcts");
  run.arms.resize(1);
  CHECK_FALSE(find_arm(run, "")); // its documents are not evaluated yet
  run.options.search.strategies.clear();
  CHECK((*find_arm(run, ""))->name == "no KB");
  run.options.eval.baselines = {"step-back"};
  CHECK_FALSE(find_arm(run, ""));
  const auto none = find_arm(run, "learned, greedy");
  REQUIRE_FALSE(none);
  CHECK(none.error().code == ec::not_found);
  CHECK_THAT(none.error().message,
             Contains("no arm \"learned, greedy\" (arms: \"no KB\")"));
}

TEST_CASE("a run without a final evaluation has no arms to choose from") {
  const evaluated_case c{"toy", false};
  const auto run = c.opened();
  for (const auto* name : {"", "no KB"}) {
    const auto none = find_arm(run, name);
    REQUIRE_FALSE(none);
    CHECK_THAT(none.error().message, Contains("no final evaluation yet"));
  }
}

TEST_CASE("who has no final evaluation by choice is told what measures it") {
  const evaluated_case c{"toy", false};
  auto run = c.opened();
  run.options.search.final_evaluation = false; // resume keeps it
  const auto none = find_arm(run, "");
  REQUIRE_FALSE(none);
  CHECK_THAT(none.error().message,
             Contains("`brewery eval`") && !Contains("yet"));
}

TEST_CASE(
    "an arm's rollouts are those in the log, and the others are missing") {
  const evaluated_case c;
  const auto run = c.opened();
  const auto what = load_problem(run.options);
  REQUIRE(what);
  const auto found = rollouts_of(run, *what, **find_arm(run, "no KB"));
  REQUIRE(found);
  CHECK(found->missing == 3);
  REQUIRE(found->logged.size() == 1);
  const auto played = read_rollout(run, found->logged.front());
  REQUIRE(played);
  REQUIRE(*played);
  CHECK((*played)->task == c.tasks[1]);
  const auto other = read_rollout(run, {"w"});
  REQUIRE(other);
  CHECK_FALSE(*other); // another kind of job
}

TEST_CASE("what attempts came to that are tried again counts no more") {
  const evaluated_case c;
  {
    auto log = event_log::open(c.path());
    REQUIRE(log);
    const auto played = c.played();
    REQUIRE((*log)->append(
        {{0, std::string{retry_result_event}, played.value, {}}}));
  }
  CHECK(c.opened().arms.empty());
  const auto about =
      overview_of(c.opened().where, std::chrono::system_clock::now());
  CHECK(about.arms.empty());
  CHECK_FALSE(about.score);
}

TEST_CASE("the attempts of an arm that a learner served are on record") {
  evaluated_case c;
  auto run = c.opened();
  run.options.search.learner = "agent_kb";
  auto& arm = run.arms.back();
  arm.name = "agent_kb, planning";
  const auto unknown = rollouts_of(run, {}, arm);
  REQUIRE_FALSE(unknown);
  CHECK_THAT(unknown.error().message, Contains("an older release"));
  const auto played = c.played();
  run.attempts[arm.name].resize(arm.tasks.size()
                                * run.options.eval.test_trials);
  run.attempts[arm.name][run.options.eval.test_trials] = played;
  const auto found = rollouts_of(run, {}, arm);
  REQUIRE(found);
  CHECK(found->logged == std::vector{played});
  CHECK(found->missing == run.attempts[arm.name].size() - 1);
  CHECK(*rollout_job_of(run, {}, arm, arm.tasks[1], 0) == played);
  CHECK(rollout_job_of(run, {}, arm, arm.tasks[0], 0)->value.empty());
}

TEST_CASE("an arm that the configuration does not have is not guessed at") {
  const evaluated_case c;
  const auto run = c.opened();
  const auto what = load_problem(run.options);
  REQUIRE(what);
  auto arm = run.arms.front();
  arm.name = "learned, greedy";
  const auto found = rollouts_of(run, *what, arm);
  REQUIRE_FALSE(found);
  CHECK_THAT(found.error().message, Contains("no arm \"learned, greedy\""));
}

TEST_CASE("only the environment has a part in a grade") {
  const evaluated_case c;
  const auto why =
      c.refusal({"environment.spreadsheet.metric=soft", "search.iterations=3"});
  CHECK(why.code == ec::invalid_argument);
  CHECK_THAT(why.message, Contains("--set search.iterations=3"));
}

TEST_CASE("a benchmark whose attempts leave no files is not graded again") {
  const evaluated_case c;
  CHECK_THAT(c.refusal({}).message, Contains("a run of toy"));
}

TEST_CASE("a metric over all cases needs the answers of all cases") {
  const evaluated_case c{"spreadsheet"};
  for (const auto* metric : {"soft", "hard"}) {
    const auto why =
        c.refusal({std::string{"environment.spreadsheet.metric="} + metric});
    CHECK(why.code == ec::invalid_argument);
    CHECK_THAT(why.message, Contains("stored the answers of case 1 only"));
  }
  CHECK_THAT(c.refusal({}, "learned, greedy").message, Contains("no arm"));
}

TEST_CASE("only runs of tau2-bench are exported in its format") {
  const evaluated_case c;
  const auto made = export_tau2(c.path(), "");
  REQUIRE_FALSE(made);
  CHECK(made.error().code == ec::invalid_argument);
  CHECK_THAT(made.error().message, Contains("a run of toy, not of tau2-bench"));
  const evaluated_case unfinished{"tau2-telecom", false};
  CHECK(export_tau2(unfinished.path(), "").error().code == ec::not_found);
  const evaluated_case telecom{"tau2-telecom"};
  CHECK_THAT(export_tau2(telecom.path(), "no kb").error().message,
             Contains("no arm \"no kb\""));
}

TEST_CASE("an attempt is found by task, arm and trial, or by its id") {
  const evaluated_case c;
  rollout_request wanted{c.path(), c.tasks[1].value, 0, "no KB"};
  const auto found = find_rollout(wanted);
  REQUIRE(found);
  CHECK(found->arm == "no KB");
  CHECK(found->rollout.task == c.tasks[1]);
  const auto by_id =
      find_rollout({c.path(), found->rollout.id.value.substr(0, 8), 0, ""});
  REQUIRE(by_id);
  CHECK(by_id->rollout == found->rollout);
  CHECK(by_id->arm.empty());
}

TEST_CASE("an attempt that is not in the log is refused with what was asked") {
  const evaluated_case c;
  const auto message = [&](const std::string& task, std::uint32_t trial,
                           const std::string& arm) {
    const auto found = find_rollout({c.path(), task, trial, arm});
    REQUIRE_FALSE(found);
    CHECK(found.error().message.find('\n') == std::string::npos);
    return found.error().message;
  };
  const auto& task = c.tasks[1].value;
  CHECK_THAT(message(task, 1, "no KB"),
             Contains("no trial 2 of " + task + " under \"no KB\""));
  CHECK_THAT(message(task, 2, "no KB"),
             Contains("--trial 3: the evaluation has 2 trials"));
  CHECK_THAT(message(task, 0, "other"), Contains("no arm \"other\""));
  CHECK_THAT(message("nothing-like-it", 0, ""),
             Contains("no attempt at a task \"nothing-like-it\""));
}

TEST_CASE(
    "of a task that is not in the evaluation the search's attempt shows") {
  const evaluated_case c{"toy", false};
  const auto found = find_rollout({c.path(), c.tasks[1].value, 0, ""});
  REQUIRE(found);
  CHECK(found->arm.empty());
  CHECK_FALSE(find_rollout({c.path(), c.tasks[1].value, 1, ""}));
}

TEST_CASE("a rollout that was not played shows the one that stands for it") {
  const evaluated_case c;
  auto log = event_log::open(c.path());
  REQUIRE(log);
  rollout_result played;
  played.id = {"played"};
  played.task = c.tasks[0];
  played.steps.resize(3);
  auto stands = played;
  stands.id = {"stands"};
  stands.trial = 2;
  stands.steps.clear();
  stands.reused_from = "played";
  auto lost = stands;
  lost.id = {"lost"};
  lost.reused_from = "nowhere";
  REQUIRE((*log)->append({event_of(make_result(played), "played"),
                          event_of(make_result(stands), "stands"),
                          event_of(make_result(lost), "lost")}));
  const auto run = c.opened();
  const auto found = read_rollout(run, {"stands"});
  REQUIRE(found);
  REQUIRE(*found);
  CHECK((*found)->id.value == "stands");
  CHECK((*found)->reused_from == "played");
  CHECK((*found)->trial == 2);
  CHECK((*found)->steps.size() == 3);
  CHECK(read_rollout(run, {"lost"}).error().code == ec::corrupt);
}
