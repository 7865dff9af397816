#include "run/resume/seen_results.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace brewery;

namespace {

job_result rollout_of(const std::string& id) {
  rollout_result rollout;
  rollout.id = {id};
  rollout.task = {"task of " + id};
  rollout.outcome = rollout_outcome::graded;
  job_result out;
  out.id = {id};
  out.output = std::move(rollout);
  return out;
}

run_growth snapshot_of(const std::vector<std::string>& ids) {
  run_growth out;
  for (const auto& id : ids)
    out.rollouts.push_back({{id}, {"task of " + id}, {}, {}});
  return out;
}

std::vector<std::string> told(const seen_results& from,
                              seen_results::told_until& until) {
  std::vector<std::string> out;
  for (const auto& part : from.growth(until))
    for (const auto& one : part.rollouts)
      out.push_back(one.id.value);
  return out;
}

using id_list = std::vector<std::string>;

} // namespace

TEST_CASE("growth tells each result once, in the order of arrival") {
  seen_results seen;
  seen_results::told_until until;
  seen.note(rollout_of("b"));
  seen.note(rollout_of("a"));
  CHECK(told(seen, until) == id_list{"b", "a"});
  seen.note(rollout_of("b")); // again
  seen.note(rollout_of("c"));
  CHECK(told(seen, until) == id_list{"c"});
  CHECK(told(seen, until).empty());
}

TEST_CASE("a result that came before the snapshot was read is still told") {
  seen_results seen;
  seen.note(rollout_of("late"));
  seen.restore(snapshot_of({"x", "y"}));
  seen.note(rollout_of("later"));
  seen.restore(snapshot_of({"z"})); // another part
  auto until = seen.restored();
  CHECK(until.rollouts == 3);
  CHECK(told(seen, until) == id_list{"late", "later"});
  CHECK(seen.rollouts() == 5);
  CHECK(seen.rollout({"late"}).task.value == "task of late");
}

TEST_CASE("what came counts more than what a snapshot says of its job") {
  seen_results seen;
  seen.note(rollout_of("again"));
  auto stored = snapshot_of({"again", "other"});
  stored.rollouts[0].broken = "the environment was gone";
  stored.rollouts[1].broken = "the environment was gone";
  seen.restore(stored);
  CHECK(seen.failed() == failed_jobs{{{"other"}, "the environment was gone"}});
  auto until = seen.restored();
  CHECK(told(seen, until) == id_list{"again"}); // without the failure
}

TEST_CASE("what was played is counted once, over restarts, without copies") {
  seen_results before;
  auto long_one = rollout_of("long");
  std::get_if<rollout_result>(&long_one.output)->duration_us = 40;
  before.note(long_one);
  auto copy = rollout_of("copy");
  std::get_if<rollout_result>(&copy.output)->duration_us = 7;
  std::get_if<rollout_result>(&copy.output)->reused_from = "long";
  before.note(copy);
  CHECK(before.played().rollouts == 1);
  seen_results::told_until until;
  seen_results after;
  for (int i = 0; i < 2; ++i) { // of two searches
    for (const auto& part : before.growth(until))
      after.restore(part);
    until = {};
  }
  CHECK(after.played().duration_us == 40);
  auto again = rollout_of("long");
  std::get_if<rollout_result>(&again.output)->duration_us = 60;
  after.note(again);
  CHECK(after.played().rollouts == 1);
  CHECK(after.played().duration_us == 60);
}

TEST_CASE("large growth comes in parts") {
  seen_results seen;
  for (int i = 0; i < 25'000; ++i)
    seen.note(rollout_of(std::to_string(i)));
  seen_results::told_until until;
  const auto parts = seen.growth(until);
  CHECK(parts.size() == 3);
  CHECK(std::all_of(parts.begin(), parts.end(), [](const auto& part) {
    return part.rollouts.size() <= 10'000;
  }));
}

TEST_CASE("what was reused is counted once, also after a snapshot") {
  seen_results seen;
  auto stands = rollout_of("a");
  std::get<rollout_result>(stands.output).reused_from = "b";
  seen.note(stands);
  seen.note(stands); // again, from the log
  seen.note(rollout_of("b"));
  CHECK(seen.rollouts() == 2);
  CHECK(seen.reused().reused == 1);
  seen_results::told_until until;
  seen_results later;
  for (const auto& part : seen.growth(until))
    later.restore(part);
  CHECK(later.rollouts() == 2);
  CHECK(later.reused().reused == 1);
  CHECK(later.reused().elsewhere == 0);
}

TEST_CASE("what other runs played is counted apart, also after a snapshot") {
  seen_results seen;
  for (const auto& [id, from] : {std::pair{"a", "b"}, {"c", "other/d"}}) {
    auto stands = rollout_of(id);
    std::get<rollout_result>(stands.output).reused_from = from;
    seen.note(stands);
  }
  seen_results::told_until until;
  seen_results later;
  for (const auto& part : seen.growth(until))
    later.restore(part);
  CHECK(later.reused().reused == 2);
  CHECK(later.reused().elsewhere == 1);
  CHECK(reuse_text(later.reused(), 10)
        == "2 of 10 rollouts (20.0 %) were not played: an earlier one had read "
           "the same (1 of them in other runs)");
}

TEST_CASE("checks of reuse are counted, and the first that differs is kept") {
  seen_results seen;
  for (const auto* differs : {"", "first", "", "second"})
    seen.note_reuse_check(differs);
  const auto found = seen.reused();
  CHECK(found.checked == 4);
  CHECK(found.wrong == 2);
  CHECK(found.first_wrong == "first");
  CHECK(reuse_text(found, 10)
        == "0 of 10 rollouts (0.0 %) were not played: an earlier one had read "
           "the same; 4 played all the same, of which 2 DIFFER");
  CHECK(reuse_text({}, 10).empty());
  reuse_counts none;
  none.is_on = true;
  CHECK(reuse_text(none, 10)
        == "none of 10 rollouts was reused: no earlier one of its task had "
           "read and drawn the same");
}
