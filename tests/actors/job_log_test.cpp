#include "actors/job_log.hpp"
#include "cluster/job_spec.hpp"
#include "messages/search_msgs.hpp"
#include "messages/wire/codec.hpp"
#include "tests/store/scratch.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

job_result done(const std::string& id) {
  rollout_result made;
  made.id = {id};
  made.grade.reward = 1;
  made.steps.resize(2);
  return make_result(made);
}

job_result given_up(const std::string& id) {
  auto out = done(id);
  out.error = "quarantined: 3 failures";
  std::get<rollout_result>(out.output).outcome = rollout_outcome::quarantined;
  return out;
}

event_row row(const job_result& answer) {
  const std::string_view kind =
      given_up_because(answer).empty() ? job_result::type_name : verdict_event;
  return {0, std::string{kind}, answer.id.value, wire::encode(answer)};
}
event_row decision(const std::string& key, const std::string& what) {
  return {0, "gather_record", key, what};
}
event_row retry(const std::string& job) {
  return {0, std::string{retry_event}, job, {}};
}

/// What a log of these events says.
memo_content after(const std::vector<event_row>& rows) {
  const scratch folder;
  const auto log = event_log::create(folder.path());
  REQUIRE(log);
  for (const auto& one : rows)
    REQUIRE((*log)->append({one}));
  auto known = load_memo(**log);
  if (!known) FAIL(to_string(known.error()));
  return std::move(*known);
}

} // namespace

TEST_CASE("of a log the places of results are known, and decisions") {
  const auto known =
      after({row(done("a")), decision("0", "x"), row(done("b"))});
  CHECK(known.results.empty());
  CHECK(known.logged
        == std::map<job_id, std::uint64_t>{{{"a"}, 1}, {{"b"}, 3}});
  CHECK(known.decisions
        == std::map<std::string, std::string>{{"gather_record/0", "x"}});
  CHECK(quarantined_in(known).empty());
}

TEST_CASE("a job that was given up stays so over restarts") {
  const auto known = after({row(done("a")), row(given_up("b"))});
  CHECK(known.results.contains({"b"}));
  CHECK(quarantined_in(known)
        == std::map<job_id, std::string>{{{"b"}, "3 failures"}});
}

TEST_CASE("a job with an order to retry counts as not done") {
  const auto known = after({row(done("a")), row(given_up("b")), retry("b")});
  CHECK_FALSE(known.results.contains({"b"}));
  CHECK(known.logged.contains({"a"}));
  CHECK(quarantined_in(known).empty());
}

TEST_CASE("what was decided since a job was given up is decided again") {
  const auto known =
      after({decision("0", "before"), row(given_up("a")), row(given_up("b")),
             decision("1", "without them"), row(done("c")), retry("b")});
  CHECK(known.decisions
        == std::map<std::string, std::string>{{"gather_record/0", "before"}});
  CHECK(known.logged.contains({"c"})); // what was paid for is kept
  CHECK(quarantined_in(known).size() == 1);
}

TEST_CASE("the result of a retried job counts, and a new verdict too") {
  const std::vector<event_row> begun = {
      row(given_up("a")), decision("0", "without it"), retry("a")};
  auto rows = begun;
  rows.push_back(row(done("a")));
  rows.push_back(decision("0", "with it"));
  auto known = after(rows);
  CHECK(known.logged.at({"a"}) == 4);
  CHECK(quarantined_in(known).empty());
  CHECK(known.decisions.at("gather_record/0") == "with it");
  rows = begun;
  rows.push_back(row(given_up("a")));
  rows.push_back(decision("0", "without it, again"));
  known = after(rows);
  CHECK(quarantined_in(known).size() == 1);
  rows.push_back(retry("a"));
  known = after(rows);
  CHECK(quarantined_in(known).empty());
  CHECK(known.decisions.empty());
}

TEST_CASE("an order to retry a job that was not given up changes nothing") {
  const auto known = after({row(done("a")), decision("0", "x"), retry("a"),
                            retry("never heard of")});
  CHECK(known.logged.contains({"a"}));
  CHECK(known.decisions.size() == 1);
}

TEST_CASE("an order to retry a result makes its job not done until it is") {
  std::vector<event_row> rows = {decision("0", "before"),
                                 row(done("a")),
                                 decision("1", "with it"),
                                 {0, std::string{retry_result_event}, "a", {}}};
  auto known = after(rows);
  CHECK(known.logged.empty());
  CHECK(known.decisions
        == std::map<std::string, std::string>{{"gather_record/0", "before"}});
  rows.push_back(row(done("a")));
  CHECK(after(rows).logged.at({"a"}) == 5);
}

TEST_CASE("a second start extends a run: its evaluation is made again") {
  const event_row start{0, run_record::type_name, "run", "5 iterations"};
  const event_row longer{0, run_record::type_name, "run", "9 iterations"};
  const event_row arm{0, evaluation_record::type_name, "no KB", "x"};
  const auto once = after({start, decision("0", "x"), arm});
  CHECK(once.decisions.size() == 3);
  const auto known = after({start, decision("0", "x"), arm, longer});
  CHECK(known.decisions
        == std::map<std::string, std::string>{
            {"gather_record/0", "x"}, {"run_record/run", "9 iterations"}});
}

TEST_CASE("a verdict that cannot be read is named by its place in the log") {
  const scratch folder;
  const auto log = event_log::create(folder.path());
  REQUIRE(log);
  REQUIRE((*log)->append({row(done("a"))}));
  REQUIRE((*log)->append({{0, std::string{verdict_event}, "b", "\xc1"}}));
  const auto known = load_memo(**log);
  REQUIRE_FALSE(known);
  CHECK(known.error().message.find("event 2 of the log") != std::string::npos);
}

TEST_CASE("a check of reuse is no decision of a search, and is not revoked") {
  const scratch folder;
  const auto log = event_log::create(folder.path());
  REQUIRE(log);
  const event_row check{0, std::string{reuse_check_event}, "a", "differs"};
  for (const auto& one :
       {decision("0", "x"), row(given_up("b")), check, decision("1", "y")})
    REQUIRE((*log)->append({one}));
  const auto memo = read_memo(**log);
  REQUIRE(memo);
  CHECK(memo->last_search_decision() == 4);
  REQUIRE((*log)->append({retry("b")}));
  const auto again = read_memo(**log);
  REQUIRE(again);
  CHECK(again->last_search_decision() == 1);
  CHECK(again->known().decisions.at("reuse_check/a") == "differs");
}
