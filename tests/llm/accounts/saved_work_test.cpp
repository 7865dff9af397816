/// What a run did not have to play.

#include "llm/accounts/saved_work.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

rollout_result played(std::uint64_t seconds) {
  rollout_result out;
  out.duration_us = seconds * 1'000'000;
  return out;
}

model_record call(const std::string& job, std::uint32_t number,
                  const std::string& role, picodollars cost) {
  model_record out;
  out.job = {job};
  out.number = number;
  out.role = role;
  out.answer.emplace();
  out.cost = cost;
  return out;
}

} // namespace

TEST_CASE("what is reused or stays pruned is saved") {
  economy_counts scoring;
  scoring.add(economy::asked, 100);
  scoring.add(economy::pruned, 40);
  scoring.add(economy::resumed, 15);
  CHECK(rollouts_saved(scoring, 1, 7) == 32);
  CHECK(rollouts_saved(scoring, 2, 7)
        == 7); // one may play what another need not
  scoring.add(economy::raced, 3);
  CHECK(rollouts_saved(scoring, 1, 7) == 35);
  scoring.add(economy::resumed, 100); // of a log that was cut
  CHECK(rollouts_saved(scoring, 1, 7) == 10);
}

TEST_CASE("a saved rollout takes the mean of those that were played") {
  played_work work;
  work.add(played(10));
  work.add(played(30));
  auto copy = played(0);
  copy.reused_from = "another";
  work.add(copy);
  CHECK(work.rollouts == 2);
  model_spend spend;
  for (const auto* job : {"one", "two"}) {
    spend.add(call(job, 0, "user", 1));
    spend.add(call(job, 1, "agent", 3));
  }
  spend.add(call("three", 0, "integrator", 1000));
  const auto saved = saved_by(5, work, spend);
  CHECK(saved.rollouts == 5);
  CHECK(saved.seconds == Approx(100));
  CHECK(saved.cost == 20);
}

TEST_CASE(
    "a rollout that another run paid for does not make those saved cheap") {
  played_work work;
  work.add(played(10));
  work.add(played(30)); // for both runs, by the other
  model_spend spend;
  spend.add(call("one", 0, "agent", 3));
  spend.add(call("one", 1, "agent", 1));
  CHECK(saved_by(5, work, spend).cost == 20);
  CHECK(saved_by(5, work, spend).seconds == Approx(100));
  CHECK(saved_by(5, work, {}).cost == 0); // the other paid for all
}

TEST_CASE("where nothing was saved, or nothing played, nothing is said") {
  played_work work;
  CHECK(saved_text(saved_by(5, work, {})).empty());
  work.add(played(10));
  CHECK(saved_text(saved_by(0, work, {})).empty());
  CHECK(saved_text(saved_by(1, work, {}))
        == "1 rollout: about 10.0 s of a worker, as those that were played "
           "took in the mean");
}
