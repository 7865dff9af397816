#include "actors/job_log.hpp"
#include "cluster/job_spec.hpp"
#include "messages/search_msgs.hpp"
#include "messages/wire/codec.hpp"
#include "run/resume/failed_jobs.hpp"
#include "store/run_status.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using Catch::Contains;

namespace {

event_row rollout(const std::string& id, rollout_outcome outcome,
                  const std::string& why = "environment: it broke") {
  rollout_result made;
  made.id = {id};
  made.outcome = outcome;
  if (outcome != rollout_outcome::graded) made.error = why;
  return event_of(make_result(made), id);
}

event_row verdict(const std::string& id) {
  integrate_job work;
  work.id = {id};
  const auto given_up = quarantine_verdict(make_job(work), "3 failures");
  return {0, std::string{verdict_event}, id, wire::encode(given_up)};
}

event_row unplayed(const std::string& id) {
  rollout_job work;
  work.id = {id};
  const auto given_up = quarantine_verdict(make_job(work), "3 failures");
  return {0, std::string{verdict_event}, id, wire::encode(given_up)};
}

struct failed_run {
  scratch root;
  run_directory directory = *run_directory::create(root.path(), "night");

  explicit failed_run(const std::vector<event_row>& rows) {
    const auto log = event_log::create(directory.path());
    REQUIRE(log);
    REQUIRE((*log)->append(rows));
  }
  memo_content known() const {
    const auto log = event_log::open_for_reading(directory.path());
    REQUIRE(log);
    auto content = load_memo(**log);
    REQUIRE(content);
    return std::move(*content);
  }
};

} // namespace

TEST_CASE("failed are jobs that were given up, and whose environment broke") {
  const failed_run run{{rollout("a", rollout_outcome::graded), verdict("b"),
                        rollout("c", rollout_outcome::environment_error)}};
  const auto failed = read_failed(run.directory);
  REQUIRE(failed);
  CHECK(
      *failed
      == failed_jobs{{{"b"}, "3 failures"}, {{"c"}, "environment: it broke"}});
}

TEST_CASE("an environment that broke without a word broke all the same") {
  const failed_run run{{rollout("c", rollout_outcome::environment_error, "")}};
  const auto failed = read_failed(run.directory);
  REQUIRE(failed);
  CHECK(*failed == failed_jobs{{{"c"}, "the environment broke"}});
  const auto retried = retry_failed(run.directory);
  REQUIRE(retried);
  CHECK(*retried == 1);
}

TEST_CASE("the first reason of failed jobs is one line of bounded length") {
  CHECK(first_reason({}).empty());
  CHECK(first_reason({{{"b"}, "other"}, {{"a"}, "no\n\x1b[1m bulb"}})
        == "no  [1m bulb");
  CHECK(first_reason({{{"a"}, std::string(5000, 'x')}}).size() < 310);
}

TEST_CASE("to try failed jobs again is advised where that can mend the error") {
  const auto after = [](ec code, std::size_t failed) {
    return retry_advice({code, "x"}, failed, "brewery resume night");
  };
  CHECK(after(ec::environment, 1)
        == "; mend that, then try its 1 failed job again with `brewery resume "
           "night`");
  CHECK_THAT(after(ec::exhausted, 12), Contains("its 12 failed jobs again"));
  for (const auto other :
       {ec::invalid_config, ec::over_budget, ec::disk_full, ec::cancelled,
        ec::corrupt, ec::unauthorized, ec::io, ec::internal})
    CHECK(after(other, 3).empty());
  CHECK(after(ec::environment, 0).empty());
}

TEST_CASE("a retry makes failed jobs not done, and keeps every other result") {
  const failed_run run{{rollout("a", rollout_outcome::graded),
                        verdict("b"),
                        rollout("c", rollout_outcome::environment_error),
                        {0, "gather_record", "0", "x"}}};
  CHECK(*retry_failed(run.directory, "c") == 1);
  CHECK(run.known().decisions.empty());
  CHECK(run.known().results.size() == 1);
  CHECK(run.known().logged.size() == 1);
  CHECK(*retry_failed(run.directory) == 1);
  CHECK(run.known().results.empty());
  CHECK(run.known().logged.contains({"a"}));
}

namespace {

event_row of_search(const std::string& key) {
  return {0, "gather_record", key, "x"};
}

event_row measured(const std::string& arm) {
  return {0, std::string{evaluation_record::type_name}, arm,
          wire::encode(evaluation_record{arm, "test", {}, {}})};
}

std::vector<std::string> undecided(const failed_run& run) {
  std::vector<std::string> out;
  const auto found = read_failed(run.directory, failed_scope::undecided);
  REQUIRE(found);
  for (const auto& [job, reason] : *found)
    out.push_back(job.value);
  return out;
}

} // namespace

TEST_CASE("undecided are failed jobs after which no search decided anything") {
  const auto broke = rollout_outcome::environment_error;
  using names = std::vector<std::string>;
  CHECK(undecided(failed_run{{rollout("a", broke), unplayed("b")}})
        == names{"a", "b"});
  CHECK(
      undecided(failed_run{{rollout("a", broke), unplayed("b"), of_search("0"),
                            rollout("c", broke), unplayed("d"),
                            rollout("e", rollout_outcome::graded)}})
      == names{"c", "d"});
  // A final evaluation is made again.
  CHECK(undecided(failed_run{{rollout("a", broke), of_search("0"),
                              rollout("c", broke), unplayed("d"),
                              measured("no KB"), measured("learned, mcts")}})
        == names{"c", "d"});
}

TEST_CASE("what a retry revoked leaves undecided what came before") {
  const auto broke = rollout_outcome::environment_error;
  const failed_run run{
      {rollout("a", broke), rollout("b", broke), of_search("0")}};
  CHECK(undecided(run).empty());
  CHECK(*retry_failed(run.directory, "a") == 1);
  CHECK(undecided(run) == std::vector<std::string>{"b"});
}

TEST_CASE("to try undecided jobs again keeps what a search decided") {
  const failed_run run{{unplayed("a"), of_search("0"), unplayed("b"),
                        rollout("c", rollout_outcome::environment_error),
                        measured("no KB")}};
  CHECK(*retry_failed(run.directory, {}, failed_scope::undecided) == 2);
  CHECK(run.known().decisions.size() == 1);
  CHECK(run.known().decisions.contains("gather_record/0"));
  CHECK(run.known().results.size() == 1);
  CHECK(retry_failed(run.directory, {}, failed_scope::undecided).error().code
        == ec::not_found);
}

TEST_CASE("no job is tried again of a run that stays finished") {
  const failed_run run{
      {rollout("c", rollout_outcome::environment_error), of_search("0")}};
  std::filesystem::create_directories(run.directory.report() / "in the way");
  const auto refused = retry_failed(run.directory);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message, Contains("report.md"));
  CHECK(run.known().decisions.size() == 1);
  CHECK(run.known().logged.contains({"c"}));
}

TEST_CASE("only failed jobs can be tried again") {
  const failed_run run{{rollout("a", rollout_outcome::graded)}};
  const auto none = retry_failed(run.directory);
  REQUIRE_FALSE(none);
  CHECK(none.error().code == ec::not_found);
  CHECK_THAT(none.error().message, Contains("run night has no failed job"));
  CHECK_THAT(retry_failed(run.directory, "a").error().message,
             Contains("no failed job \"a\""));
}

namespace {

event_row studied(const std::string& id, const std::string& refused_role,
                  bool taught = false) {
  rollout_result made;
  made.id = {id};
  made.outcome = rollout_outcome::graded;
  if (!refused_role.empty())
    made.notes = {
        {refused_role, std::string{reply_trouble::rejected}, 1, "no JSON"}};
  if (taught) {
    insight one;
    one.sentence = "Look first.";
    made.insights =
        std::vector<shared_value<insight>>{shared_value<insight>{one}};
  }
  return event_of(make_result(made), id);
}

void ended(const failed_run& run, run_state state) {
  const auto now = std::chrono::system_clock::now();
  const auto session =
      run_status_file::begin_session(run.directory.path(), now);
  REQUIRE(session);
  REQUIRE((*session)->end_session(
      now, [&](run_status& status) { status.state = state; }));
}

std::size_t failed_of(const failed_run& run) {
  const auto found = read_failed(run.directory, failed_scope::undecided);
  REQUIRE(found);
  return found->size();
}

} // namespace

TEST_CASE("of a run that learned nothing, refused reflections have failed") {
  const failed_run run{
      {studied("a", "reflector"), studied("b", ""), studied("c", "judge")}};
  CHECK(failed_of(run) == 0); // it may be under way
  ended(run, run_state::interrupted);
  CHECK(failed_of(run) == 0);
  ended(run, run_state::failed);
  CHECK(*read_failed(run.directory)
        == failed_jobs{{{"a"}, "the reflector had no usable reply: no JSON"}});
  CHECK(*retry_failed(run.directory, {}, failed_scope::undecided) == 1);
  CHECK(run.known().logged.size() == 2);
}

TEST_CASE("of a run that learned nothing, silent agents have failed") {
  const failed_run run{{studied("a", "agent"), studied("b", "")}};
  ended(run, run_state::failed);
  CHECK(*read_failed(run.directory)
        == failed_jobs{{{"a"}, "the agent had no usable reply: no JSON"}});
  CHECK(*can_retry(run.directory, "a"));
  CHECK_FALSE(*can_retry(run.directory, "b"));
}

TEST_CASE("an agent that broke off later is graded for good") {
  rollout_result made;
  made.id = {"a"};
  made.notes = {{"agent", std::string{reply_trouble::rejected}, 1, "no JSON"}};
  made.steps.emplace_back();
  const failed_run run{{event_of(make_result(made), "a")}};
  ended(run, run_state::failed);
  CHECK(failed_of(run) == 0);
  CHECK_FALSE(*can_retry(run.directory, "a"));
}

TEST_CASE("who was judged has begun, though results come without steps") {
  untaught_rollouts seen;
  const auto note = [&](const std::string& id, bool judged) {
    rollout_result made;
    made.id = {id};
    made.notes = {
        {"agent", std::string{reply_trouble::rejected}, 1, "no JSON"}};
    if (judged)
      made.notes.push_back(
          {"judge", std::string{reply_trouble::rejected}, 1, "no JSON"});
    seen.note(make_result(made));
  };
  note("a", true);
  CHECK(seen.all().empty());
  note("b", false);
  CHECK(seen.all().size() == 1);
}

TEST_CASE("what was measured is not tried again for a silent agent") {
  const failed_run run{{studied("a", "agent"), measured("no KB")}};
  ended(run, run_state::failed);
  CHECK(failed_of(run) == 0);
}

TEST_CASE("where something was learned, a refused reflection stays") {
  const failed_run run{{studied("a", "reflector"), studied("b", "", true)}};
  ended(run, run_state::failed);
  CHECK(failed_of(run) == 0);
  CHECK_FALSE(*can_retry(run.directory, ""));
}

TEST_CASE("an unstudied rollout is tried again if it is named") {
  const failed_run run{{studied("a", "reflector", true),
                        studied("b", "judge"),
                        studied("c", ""),
                        {0, "gather_record", "0", "x"}}};
  CHECK(read_failed(run.directory)->empty());
  CHECK_FALSE(*can_retry(run.directory, ""));
  CHECK(*can_retry(run.directory, "a"));
  CHECK_FALSE(*can_retry(run.directory, "c"));
  CHECK(*retry_failed(run.directory, "b") == 1);
  CHECK(run.known().logged.size() == 2);
  CHECK(run.known().decisions.empty());
  CHECK_FALSE(retry_failed(run.directory, "c"));
}

TEST_CASE("a graded rollout without a refused reply is untaught by nobody") {
  untaught_rollouts seen;
  const auto note = [&](const event_row& row) {
    seen.note(*wire::decode<job_result>(row.payload));
  };
  note(studied("a", "reflector"));
  note(studied("b", ""));
  CHECK(seen.all().size() == 1);
  note(studied("a", "")); // done again
  CHECK(seen.all().empty());
  note(studied("c", "reflector"));
  note(studied("d", "", true));
  CHECK(seen.all().empty());
}

TEST_CASE("a document that could not be written waits for a run that failed") {
  const std::vector<event_row> rows{verdict("root"), unplayed("a")};
  const failed_run run{rows};
  for (const auto state : {run_state::interrupted, run_state::cancelled}) {
    ended(run, state);
    CHECK(undecided(run) == std::vector<std::string>{"a"});
  }
  ended(run, run_state::failed);
  CHECK(undecided(run) == std::vector<std::string>{"a", "root"});
  CHECK(read_failed(run.directory)->size() == 2);
  // An order for all takes it from any run.
  const failed_run stopped{rows};
  CHECK(*retry_failed(stopped.directory) == 2);
}
