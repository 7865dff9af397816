#include "config/print.hpp"
#include "messages/job_msgs.hpp"
#include "messages/memory/memory_record.hpp"
#include "messages/search_msgs.hpp"
#include "report/run_overview.hpp"
#include "report/run_overview_json.hpp"
#include "run/resume/stored_options.hpp"
#include "store/event_log.hpp"
#include "store/submission.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>

using namespace brewery;

namespace {

const std::chrono::system_clock::time_point now{
    std::chrono::seconds{1718107200}};

run_directory make_run(const scratch& root, const char* configuration) {
  auto made = run_directory::create(root.path(), "night");
  REQUIRE(made);
  std::ofstream{made->config()} << "run.name = \"\"\n" << configuration;
  return *made;
}

/// As if the run's lock was taken then.
void locked(const run_directory& run,
            std::chrono::system_clock::time_point when) {
  std::filesystem::last_write_time(
      run.path() / "lock",
      std::chrono::time_point_cast<std::chrono::file_clock::duration>(
          std::chrono::file_clock::from_sys(when)));
}

gather_record barrier(std::uint32_t iteration, std::vector<double> rewards) {
  gather_record out;
  out.iteration = iteration;
  for (std::uint32_t i = 0; i < rewards.size(); ++i) {
    out.current.push_back({concept_id{i}, doc_hash{"h"}});
    expand_report report;
    report.concept_ref = {i};
    report.best.reward = rewards[i];
    report.best.evaluated = 1;
    out.reports.push_back(report);
  }
  return out;
}

} // namespace

TEST_CASE("with a quorum, late trees count with what was gathered of them") {
  const scratch root;
  const auto run = make_run(root, "[search]\ngather_quorum = 0.5\n");
  auto first = barrier(0, {0.25, 0.25});
  auto second = barrier(1, {0.5, 1.0});
  second.reports.pop_back();
  second.late = {{1}};
  {
    auto log = event_log::create(run.path());
    REQUIRE(log);
    REQUIRE((*log)->append({event_of(first, "mcts/iteration 0"),
                            event_of(second, "mcts/iteration 1")}));
  }
  const auto about = overview_of(run, now);
  CHECK(about.problem.empty());
  CHECK(about.reward == (0.5 + 0.25) / 2);
  CHECK(about.late_reports == 1);
}

TEST_CASE("of searches side by side the hindmost says how far a run is") {
  const scratch root;
  const auto run =
      make_run(root, "[search]\nstrategies = [\"mcts\", \"greedy\"]\n");
  {
    auto log = event_log::create(run.path());
    REQUIRE(log);
    REQUIRE(
        (*log)->append({event_of(barrier(0, {0.25}), "mcts/iteration 0"),
                        event_of(barrier(0, {0.75}), "greedy/iteration 0"),
                        event_of(barrier(1, {0.5}), "mcts/iteration 1"),
                        event_of(barrier(2, {0.5}), "mcts/iteration 2"),
                        event_of(barrier(1, {1.0}), "greedy/iteration 1")}));
  }
  const auto about = overview_of(run, now);
  CHECK(about.iteration == 1);
  CHECK(about.reward == 0.5); // of what is published
}

TEST_CASE(
    "a learner with a memory is as far as its barriers and attempts say") {
  const auto closed = [](const char* learner, std::uint32_t number) {
    memory_record out;
    out.learner = learner;
    out.barrier = number;
    return event_of(out, fmt::format("{}/{}", learner, number));
  };
  const auto attempt = [](std::uint32_t trial) {
    rollout_result made;
    made.id = {fmt::format("job {}", trial)};
    made.trial = trial;
    return event_of(make_result(made), made.id.value);
  };
  const auto known = [&](const char* learner,
                         const std::vector<event_row>& rows) {
    const scratch root;
    const auto run = make_run(
        root, fmt::format("[search]\nlearner = \"{}\"\niterations = 4\n"
                          "[muse]\niterations = 3\n[agent_kb]\nrounds = 5\n",
                          learner)
                  .c_str());
    const auto log = event_log::create(run.path());
    REQUIRE(log);
    REQUIRE((*log)->append(rows));
    const auto about = overview_of(run, now);
    CHECK(about.problem.empty());
    CHECK_FALSE(about.reward); // it scores no documents
    return std::pair{about.iteration, about.iterations};
  };
  using pair = std::pair<std::uint32_t, std::uint32_t>;
  CHECK(known("muse", {attempt(0)}) == pair{0, 3});
  // The attempts of the next barrier are there, and it has not closed.
  const std::vector<event_row> under_way{
      attempt(0), closed("muse", 0), attempt(1), closed("muse", 1), attempt(2)};
  CHECK(known("muse", under_way) == pair{1, 3});
  auto over = under_way;
  over.push_back(event_of(
      evaluation_record{"no KB", "test", {task_id{"a"}}, {{1}}}, "no KB"));
  CHECK(known("muse", over) == pair{3, 3});
  CHECK(known("agent_kb", {closed("agent_kb", 0), closed("agent_kb", 1)})
        == pair{1, 5});
}

TEST_CASE("a run's overview is what its log and its lock say") {
  const scratch root;
  const auto run = make_run(root, "[search]\niterations = 4\n");
  {
    auto log = event_log::create(run.path());
    REQUIRE(log);
    REQUIRE(
        (*log)->append({event_of(barrier(0, {0.25, 0.25}), "mcts/iteration 0"),
                        event_of(barrier(1, {0.5, 1.0}), "mcts/iteration 1")}));
    const evaluation_record arm{
        "mcts", "test", {task_id{"a"}, task_id{"b"}}, {{1, 0}, {1, 1}}};
    REQUIRE((*log)->append({event_of(arm, "mcts")}));
    CHECK(overview_of(run, now).state == run_state::running);
  }
  auto about = overview_of(run, now);
  CHECK(about.problem.empty());
  CHECK(about.id == "night");
  CHECK(about.state == run_state::interrupted);
  CHECK(about.iteration == 1);
  CHECK(about.iterations == 4);
  CHECK(about.concepts == 2);
  CHECK(about.events == 3);
  CHECK(about.reward == 0.75);
  REQUIRE(about.arms.size() == 1);
  CHECK(about.arms[0].name == "mcts");
  CHECK(about.arms[0].tasks == 2);
  CHECK(about.arms[0].reward == 0.75);
  std::ofstream{run.report()} << "# Report\n";
  CHECK(overview_of(run, now).state == run_state::finished);
}

TEST_CASE("a run's overview has its time, seed, cost and reason to fail") {
  using std::chrono::seconds;
  const scratch root;
  const auto run = make_run(root, "run.seed = 9\n");
  {
    auto log = event_log::create(run.path());
    REQUIRE(log);
    auto session = run_status_file::begin_session(run.path(), now);
    REQUIRE(session);
    locked(run, now);
    CHECK(overview_of(run, now + seconds{3}).seconds == 3);
    CHECK(overview_of(run, now - seconds{3}).seconds == 0); // a clock went back
    REQUIRE((*session)->end_session(now + seconds{5}, [](run_status& status) {
      status.state = run_state::failed;
      status.reason = "the server is down";
      status.cost_usd = 0.25;
    }));
  }
  const auto about = overview_of(run, now + seconds{900});
  CHECK(about.state == run_state::failed);
  CHECK(about.reason == "the server is down");
  CHECK(about.started_ms == 1718107200000);
  CHECK(about.seconds == 5);
  CHECK(about.seed == 9);
  CHECK(about.cost_usd == 0.25);
  CHECK_FALSE(about.score);
}

TEST_CASE("while a session has not begun, the one before says its time only") {
  using std::chrono::hours, std::chrono::seconds;
  const scratch root;
  const auto run = make_run(root, "");
  auto log = event_log::create(run.path());
  REQUIRE(log);
  auto session = run_status_file::begin_session(run.path(), now);
  REQUIRE(session);
  REQUIRE((*session)->end_session(now + seconds{5}, [](run_status& status) {
    status.state = run_state::failed;
    status.reason = "the server is down";
  }));
  // A day later its log is loaded.
  locked(run, now + hours{24});
  auto about = overview_of(run, now + hours{24} + seconds{2});
  CHECK(about.state == run_state::running);
  CHECK(about.reason.empty());
  CHECK(about.seconds == 5);
  session =
      run_status_file::begin_session(run.path(), now + hours{24} + seconds{3});
  REQUIRE(session);
  CHECK(overview_of(run, now + hours{24} + seconds{4}).seconds == 6);
  // It is killed, and two days later its log is loaded again.
  std::filesystem::last_write_time(
      run.path() / "events.ack",
      std::chrono::time_point_cast<std::chrono::file_clock::duration>(
          std::chrono::file_clock::from_sys(now + hours{24} + seconds{13})));
  locked(run, now + hours{72});
  CHECK(overview_of(run, now + hours{72} + seconds{9}).seconds == 15);
}

TEST_CASE("of an arm that was measured again, the last measure counts") {
  const scratch root;
  const auto run = make_run(root, "[search]\nstrategies = [\"mcts\"]\n");
  {
    auto log = event_log::create(run.path());
    REQUIRE(log);
    const auto arm = [](const char* name, double reward) {
      return event_of(
          evaluation_record{name, "test", {task_id{"a"}}, {{reward}}}, name);
    };
    REQUIRE((*log)->append({arm("no KB", 0), arm("learned, mcts", 0),
                            arm("no KB", 0), arm("learned, mcts", 1)}));
  }
  const auto about = overview_of(run, now);
  CHECK(about.arms.size() == 2);
  CHECK(about.score == 1);
}

TEST_CASE("the score is of graded attempts, and unknown without any") {
  const scratch root;
  const auto run = make_run(root, "[search]\nstrategies = [\"mcts\"]\n");
  const auto arm = [](std::vector<std::vector<double>> rewards) {
    return event_of(evaluation_record{"learned, mcts",
                                      "test",
                                      {task_id{"a"}, task_id{"b"}},
                                      std::move(rewards)},
                    "learned, mcts");
  };
  auto log = event_log::create(run.path());
  REQUIRE(log);
  REQUIRE((*log)->append({arm({{}, {}})}));
  CHECK_FALSE(overview_of(run, now).score);
  REQUIRE((*log)->append({arm({{1}, {}})}));
  CHECK(overview_of(run, now).score == 1);
  CHECK(overview_of(run, now).unscored_share > 0);
}

TEST_CASE("a killed run is interrupted, and so is one with jobs to retry") {
  const scratch root;
  const auto run = make_run(root, "");
  REQUIRE(event_log::create(run.path()));
  const auto session = run_status_file::begin_session(run.path(), now);
  REQUIRE(session);
  CHECK(overview_of(run, now).state == run_state::interrupted);
  REQUIRE((*session)->end_session(
      now, [](run_status& status) { status.state = run_state::finished; }));
  CHECK(overview_of(run, now).state == run_state::interrupted);
  std::ofstream{run.report()} << "# Report\n";
  CHECK(overview_of(run, now).state == run_state::finished);
}

TEST_CASE("a run that has not begun is no damaged one") {
  const scratch root;
  const auto run = make_run(root, "");
  // Its maker was killed.
  const auto about = overview_of(run, now);
  CHECK(about.state == run_state::interrupted);
  CHECK(about.reason == "it has not begun");
  CHECK(about.problem.empty());
  // It was submitted to a coordinator.
  REQUIRE(write_submission(run, {}));
  CHECK(overview_of(run, now).state == run_state::interrupted);
  CHECK(overview_of(run, now).reason == "it has not begun");
  submission taken_back;
  taken_back.cancelled = true;
  REQUIRE(write_submission(run, taken_back));
  CHECK(overview_of(run, now).state == run_state::cancelled);
}

TEST_CASE("a log that cannot be read makes the run unreadable, with why") {
  const scratch root;
  const auto run = make_run(root, "");
  std::ofstream{run.events()} << "no database";
  const auto about = overview_of(run, now);
  CHECK(about.state == run_state::unreadable);
  CHECK(about.problem.find("events.db") != std::string::npos);
  CHECK(about.problem.find('\n') == std::string::npos);
}

TEST_CASE("an empty or cut configuration gives no figures of defaults") {
  const auto whole = to_toml(config{});
  for (const auto& text : {std::string{}, whole.substr(0, whole.size() / 2),
                           whole.substr(0, whole.find("\n[models]"))}) {
    const scratch root;
    const auto run = make_run(root, "");
    REQUIRE(event_log::create(run.path()));
    std::ofstream{run.config(), std::ios::trunc} << text;
    const auto about = overview_of(run, now);
    CHECK_FALSE(about.has_options);
    CHECK_FALSE(overview_json(about).contains("iterations"));
    CHECK_FALSE(overview_json(about).contains("seed"));
    CHECK(about.problem.find("config.toml") != std::string::npos);
    const auto refused = stored_options(run);
    // Cut inside of a line it may be no TOML, which is named with its line.
    CHECK((!refused || !refused->problems.empty()));
  }
}

TEST_CASE("a pipe or an endless file in a run's directory stops no overview") {
  for (const std::string name : {"status.json", "submission.json", "events.ack",
                                 "events.db", "config.toml", "lock"})
    for (const bool pipe : {true, false}) {
      INFO(name << (pipe ? " is a pipe" : " is a link to /dev/zero"));
      const scratch root;
      const auto run = make_run(root, "");
      REQUIRE(event_log::create(run.path()));
      const auto file = run.path() / name;
      std::filesystem::remove(file);
      if (pipe)
        REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
      else
        std::filesystem::create_symlink("/dev/zero", file);
      const auto about = overview_of(run, now);
      const bool needed = name.starts_with("events") || name == "status.json";
      CHECK((about.state == run_state::unreadable) == needed);
      if (needed || name == "config.toml")
        CHECK(about.problem.find(name + ": it is no plain file")
              != std::string::npos);
    }
}

TEST_CASE("an event of a known kind that does not decode is a problem") {
  const scratch root;
  const auto run = make_run(root, "");
  {
    auto log = event_log::create(run.path());
    REQUIRE(log);
    REQUIRE((*log)->append({{0, gather_record::type_name, "", "junk"}}));
  }
  CHECK(overview_of(run, now).state == run_state::unreadable);
}
