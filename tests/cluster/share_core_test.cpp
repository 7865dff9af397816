#include "cluster/job_spec.hpp"
#include "cluster/sharing/share_core.hpp"

#include <catch2/catch.hpp>

namespace brewery {
namespace {

const run_id a{"a"}, b{"b"}, c{"c"};
const job_id one{"one"};

job work() {
  job out;
  out.id = one;
  return out;
}

packed_result done() {
  packed_result out;
  out.brief.id = one;
  out.bytes = "bytes";
  return out;
}

std::vector<asker_id> askers(const share_step& step) {
  std::vector<asker_id> out;
  for (const auto& answer : step.answers)
    out.push_back(answer.asker);
  return out;
}

TEST_CASE("the first run that asks does a job and the others get its result") {
  share_core core;
  const auto first = core.ask(a, work(), asker_id{1});
  REQUIRE(first.play.size() == 1);
  CHECK(first.play[0].run == a);
  CHECK(core.ask(b, work(), asker_id{2}).play.empty());
  const auto step = core.played(one, done());
  CHECK(askers(step) == std::vector{asker_id{1}, asker_id{2}});
  for (const auto& answer : step.answers)
    CHECK(answer.outcome->bytes == "bytes");
  CHECK(step.shared == 1);
}

TEST_CASE("a job that is done and in no log yet is answered from memory") {
  share_core core;
  (void)core.ask(a, work(), asker_id{1});
  (void)core.played(one, done());
  const auto late = core.ask(b, work(), asker_id{2});
  CHECK(late.play.empty());
  CHECK(late.read.empty());
  CHECK(askers(late) == std::vector{asker_id{2}});
}

TEST_CASE("a job that is in a run's log is read from there once at a time") {
  share_core core;
  core.journalled(one, {a, 7});
  const auto step = core.ask(b, work(), asker_id{2});
  REQUIRE(step.read.size() == 1);
  CHECK(step.read[0].place.run == a);
  CHECK(step.read[0].place.event == 7);
  CHECK(core.ask(c, work(), asker_id{3}).read.empty());
  const auto answered = core.was_read(one, done());
  CHECK(askers(answered) == std::vector{asker_id{2}, asker_id{3}});
  CHECK(answered.shared == 2);
  CHECK(core.ask(c, work(), asker_id{4}).read.size() == 1);
}

TEST_CASE("a job whose log cannot be read is played") {
  share_core core;
  core.journalled(one, {a, 7});
  (void)core.ask(b, work(), asker_id{2});
  const auto step = core.was_read(one, error{ec::corrupt, "torn"});
  REQUIRE(step.play.size() == 1);
  CHECK(step.play[0].run == b);
  const auto played = core.played(one, done());
  CHECK(askers(played) == std::vector{asker_id{2}});
  CHECK(played.shared == 0);
}

packed_result broken() {
  auto out = done();
  rollout_result made;
  made.outcome = rollout_outcome::environment_error;
  out.brief.output = made;
  return out;
}

TEST_CASE("where an environment broke each run plays for itself") {
  share_core core;
  (void)core.ask(a, work(), asker_id{1});
  (void)core.ask(b, work(), asker_id{2});
  const auto step = core.played(one, broken());
  CHECK(askers(step) == std::vector{asker_id{1}});
  REQUIRE(step.play.size() == 1);
  CHECK(step.play[0].run == b);
}

TEST_CASE("a broken environment on record is tried again") {
  share_core core;
  core.journalled(one, {a, 7});
  CHECK(core.ask(a, work(), asker_id{1}).read.size() == 1);
  const auto step = core.was_read(one, broken());
  CHECK(step.answers.empty());
  REQUIRE(step.play.size() == 1);
  CHECK(step.play[0].run == a);
  (void)core.played(one, done());
  core.journalled(one, {a, 8});
  const auto next = core.ask(b, work(), asker_id{2});
  REQUIRE(next.read.size() == 1);
  CHECK(next.read[0].place.event == 8);
}

TEST_CASE("when the run that plays is stopped the next one plays") {
  share_core core;
  (void)core.ask(a, work(), asker_id{1});
  (void)core.ask(b, work(), asker_id{2});
  const auto step = core.played(one, error{ec::cancelled, "stopped"});
  CHECK(askers(step) == std::vector{asker_id{1}});
  REQUIRE(step.play.size() == 1);
  CHECK(step.play[0].run == b);
  CHECK(askers(core.played(one, error{ec::cancelled, "stopped"}))
        == std::vector{asker_id{2}});
  // Nobody waits: the next one begins anew.
  CHECK(core.ask(c, work(), asker_id{3}).play.size() == 1);
}

TEST_CASE("a run that is stopped waits for no other's work") {
  share_core core;
  (void)core.ask(a, work(), asker_id{1});
  (void)core.ask(b, work(), asker_id{2});
  (void)core.ask(c, work(), asker_id{3});
  const auto step = core.stopped(b);
  CHECK(askers(step) == std::vector{asker_id{2}});
  CHECK(step.answers[0].outcome.error().code == ec::cancelled);
  CHECK(step.play.empty());
  // What it plays itself ends in the pool, and goes on to those that wait.
  CHECK(askers(core.stopped(a)).empty());
  CHECK(askers(core.played(one, done()))
        == std::vector{asker_id{1}, asker_id{3}});
}

TEST_CASE("a verdict that a job was given up is no result for others") {
  share_core core;
  (void)core.ask(a, work(), asker_id{1});
  (void)core.ask(b, work(), asker_id{2});
  auto verdict = done();
  verdict.brief.error = std::string{quarantine_mark} + "no task";
  REQUIRE_FALSE(given_up_because(verdict.brief).empty());
  const auto step = core.played(one, verdict);
  CHECK(askers(step) == std::vector{asker_id{1}});
  REQUIRE(step.play.size() == 1);
  CHECK(step.play[0].run == b);
}

TEST_CASE("an answer without a result is no result for others") {
  share_core core;
  (void)core.ask(a, work(), asker_id{1});
  (void)core.ask(b, work(), asker_id{2});
  // To a run whose log has the result: it was offered when nobody had asked.
  auto any = done();
  any.bytes.clear();
  const auto step = core.played(one, any);
  CHECK(askers(step) == std::vector{asker_id{1}});
  REQUIRE(step.play.size() == 1);
  CHECK(step.play[0].run == b);
  CHECK(askers(core.played(one, done())) == std::vector{asker_id{2}});
}

} // namespace
} // namespace brewery
