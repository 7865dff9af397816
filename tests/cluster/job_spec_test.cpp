#include "cluster/job_spec.hpp"
#include "tests/cluster/support.hpp"

using namespace brewery;

namespace {

worker_hello hello() {
  worker_hello out;
  out.worker = "w";
  out.incarnation = "w#1";
  out.host = "h";
  out.slots = 2;
  out.roles = {"rollout"};
  out.benchmarks = {{"toy", "fp"}};
  return out;
}

} // namespace

TEST_CASE("a job is as urgent as what waits for it") {
  const auto spec = [](auto work, std::uint32_t said = 0) {
    auto asked = make_job(std::move(work));
    asked.stages_after = said;
    return spec_of(asked, "fp");
  };
  rollout_job scores, teaches;
  teaches.reflect = true;
  CHECK(spec(scores).stages_after == 0);
  CHECK(spec(integrate_job{}).stages_after == 1);
  CHECK(spec(embed_job{}).stages_after == 2);
  CHECK(spec(teaches).stages_after == 3);
  CHECK_FALSE(spec(teaches).holds_slot);
  CHECK(spec(grade_job{}).holds_slot);
  // The search that asks knows better.
  CHECK(spec(scores, 2).stages_after == 2);
  CHECK(spec(teaches, 9).stages_after == 9);
}

TEST_CASE("a job's later waves are known by what tells how long they take") {
  auto asked = make_job(rollout_job{});
  CHECK(spec_of(asked, "fp").then.empty());
  asked.then =
      std::make_shared<const task_waves>(task_waves{{{"a"}, {"b"}}, {{"c"}}});
  CHECK(spec_of(asked, "fp").then
        == std::vector<std::vector<std::string>>{{"a", "b"}, {"c"}});
}

TEST_CASE("a worker is taken when a protocol is common to both") {
  const struct {
    std::uint32_t min, max;
    bool taken;
  } rows[] = {
      {protocol_oldest, protocol_newest, true},
      {protocol_oldest, protocol_oldest, true},
      {protocol_newest, protocol_newest, true},
      {protocol_newest, protocol_newest + 5, true},
      {0, protocol_oldest - 1, false},
      {protocol_newest + 1, protocol_newest + 5, false},
      {protocol_newest, protocol_oldest, false},
  };
  for (const auto& row : rows) {
    INFO("protocols " << row.min << " to " << row.max);
    auto offer = hello();
    offer.protocol_min = row.min;
    offer.protocol_max = row.max;
    CHECK(refusal_of(offer).empty() == row.taken);
  }
}

TEST_CASE("the newest protocol that both speak is spoken") {
  auto offer = hello();
  offer.protocol_max = protocol_newest + 2;
  CHECK(common_protocol(offer) == protocol_newest);
  offer.protocol_max = protocol_oldest;
  CHECK(common_protocol(offer) == protocol_oldest);
}

TEST_CASE("a worker offers 1 to 4096 slots, a role and an incarnation") {
  const auto refused = [](auto change) {
    auto offer = hello();
    change(offer);
    return refusal_of(offer);
  };
  CHECK(refused([](auto&) {}) == "");
  CHECK(contains(refused([](auto& h) { h.slots = 0; }), "offers 0 slots"));
  CHECK(refused([](auto& h) { h.slots = 1; }) == "");
  CHECK(refused([](auto& h) { h.slots = 4096; }) == "");
  CHECK(contains(refused([](auto& h) { h.slots = 4097; }), "4097"));
  const auto* unnamed = "it names no incarnation or no role";
  CHECK(refused([](auto& h) { h.incarnation.clear(); }) == unnamed);
  CHECK(refused([](auto& h) { h.roles.clear(); }) == unnamed);
}

TEST_CASE("a worker's name is a word") {
  for (const auto* name : {"", "a b", "a\nb", "a=\"b", "\xc3\xa4"})
    CHECK_FALSE(is_worker_name(name));
  for (const auto* name : {"vm-25756", "gpu_1.rack:2", "a@b"})
    CHECK(is_worker_name(name));
  CHECK(is_worker_name(std::string(100, 'w')));
  CHECK_FALSE(is_worker_name(std::string(101, 'w')));
}

TEST_CASE("what a worker offers is what the table knows of it") {
  const auto known = spec_of(hello());
  CHECK(known.name == "w");
  CHECK(known.incarnation == "w#1");
  CHECK(known.host == "h");
  CHECK(known.slots == 2);
  CHECK(known.kinds == std::set<job_kind>{job_kind::rollout});
  CHECK(known.benchmarks == std::set<std::string>{"fp"});
  CHECK(known.benchmark_names == std::set<std::string>{"toy"});
}

TEST_CASE("a verdict of quarantine says so and why") {
  rollout_job asked;
  asked.id = {"job"};
  asked.task = {"task"};
  asked.trial = 4;
  const auto verdict = quarantine_verdict(make_job(asked), "3 failures");
  CHECK(verdict.id == job_id{"job"});
  CHECK(verdict.error == "quarantined: 3 failures");
  CHECK(given_up_because(verdict) == "3 failures");
  const auto& rollout = std::get<rollout_result>(verdict.output);
  CHECK(rollout.id == asked.id);
  CHECK(rollout.task == asked.task);
  CHECK(rollout.trial == 4);
  CHECK(rollout.outcome == rollout_outcome::quarantined);
  CHECK(rollout.error == verdict.error);
  job_result other;
  other.error = "3 failures";
  CHECK(given_up_because(other) == "");
}

TEST_CASE("a job is let go only when its error says cancelled") {
  CHECK(is_cancelled(to_string(error{ec::cancelled, "the run stopped"})));
  CHECK_FALSE(is_cancelled(to_string(error{ec::malformed, "cancelled"})));
  CHECK_FALSE(is_cancelled(""));
}
