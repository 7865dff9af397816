#include "cluster/ledger/job_memo.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace brewery;

namespace {

using memo = job_memo<int>;
using submission = memo::submission;
using decision = memo::decision;

job_result memo_result(const std::string& id) {
  rollout_result rollout;
  rollout.id = {id};
  rollout.grade.reward = 1;
  rollout.steps.resize(3);
  rollout.retrievals.resize(2);
  return make_result(rollout);
}

} // namespace

TEST_CASE("a job that two ask for is done once, and both are told") {
  memo known;
  CHECK(known.submit({"a"}, 1) == submission::fresh);
  CHECK(known.submit({"a"}, 2) == submission::joined);
  CHECK(known.submit({"b"}, 3) == submission::fresh);
  CHECK(known.under_way() == 2);
  CHECK(known.journalled(memo_result("a"), 0) == std::vector<int>{1, 2});
  CHECK(known.under_way() == 1);
}

TEST_CASE("a journalled result answers everyone who asks later") {
  memo known;
  known.submit({"a"}, 1);
  known.journalled(memo_result("a"), 0);
  CHECK(known.submit({"a"}, 2) == submission::answered);
  CHECK(known.result_of({"a"}).id == job_id{"a"});
  CHECK(known.under_way() == 0);
}

TEST_CASE("a failed job may be asked for again") {
  memo known;
  known.submit({"a"}, 1);
  known.submit({"a"}, 2);
  CHECK(known.failed({"a"}) == std::vector<int>{1, 2});
  CHECK(known.failed({"a"}).empty());
  CHECK(known.submit({"a"}, 3) == submission::fresh);
}

TEST_CASE("when nothing can be done any more everyone is told once") {
  memo known;
  known.submit({"a"}, 1);
  known.submit({"b"}, 2);
  known.submit({"a"}, 3);
  known.submit({"done"}, 4);
  known.journalled(memo_result("done"), 0);
  auto told = known.all_failed();
  std::sort(told.begin(), told.end());
  CHECK(told == std::vector<int>{1, 2, 3});
  CHECK(known.all_failed().empty());
  CHECK(known.under_way() == 0);
  CHECK(known.submit({"done"}, 5) == submission::answered);
}

TEST_CASE("trajectories are not kept, everything else is") {
  memo known;
  known.submit({"a"}, 1);
  known.journalled(memo_result("a"), 0);
  const auto& rollout = std::get<rollout_result>(known.result_of({"a"}).output);
  CHECK(rollout.steps.empty());
  CHECK(rollout.retrievals.empty());
  CHECK(rollout.grade.reward == 1);
}

TEST_CASE("what the log holds is known from the start") {
  memo_content log;
  log.results.emplace(job_id{"a"}, memo_result("a"));
  log.decisions.emplace("gather/0", "x");
  memo known{log};
  CHECK(known.submit({"a"}, 1) == submission::answered);
  CHECK(known.decide("gather/0", "x") == decision::same);
  CHECK(known.decide("gather/0", "y") == decision::different);
  CHECK(known.decide("gather/1", "y") == decision::fresh);
  CHECK(known.decide("gather/1", "y") == decision::same);
  // A contradiction does not replace what was said first.
  CHECK(known.decide("gather/0", "x") == decision::same);
}

TEST_CASE("of what a log has only its place is kept") {
  memo known;
  known.submit({"a"}, 1);
  CHECK(known.journalled(memo_result("a"), 7) == std::vector<int>{1});
  CHECK(known.knows({"a"}));
  CHECK(known.submit({"a"}, 2) == submission::logged);
  CHECK(known.event_of({"a"}) == 7);
}

TEST_CASE("a result that nobody waits for is kept all the same") {
  memo known;
  CHECK(known.journalled(memo_result("late"), 0).empty());
  CHECK(known.submit({"late"}, 1) == submission::answered);
}
