#include "tests/cluster/support.hpp"

using namespace brewery;
using namespace std::chrono_literals;

namespace {

/// There must be one reason only.
std::string why(const job_yard& yard) {
  const auto lines = yard.table.why_waiting();
  REQUIRE(lines.size() == 1);
  CHECK_FALSE(contains(lines.front(), "\n"));
  return lines.front();
}

} // namespace

TEST_CASE("nothing waits where nothing is queued") {
  job_yard yard;
  CHECK(yard.table.why_waiting().empty());
  yard.join("w");
  yard.submit("a");
  yard.grant();
  CHECK(yard.table.why_waiting().empty());
}

TEST_CASE("jobs wait because there is no worker") {
  job_yard yard;
  yard.submit("a");
  yard.submit("b");
  CHECK(why(yard) == "s: rollout jobs wait (2): no worker is connected");
}

TEST_CASE("jobs wait because no worker offers the role or the benchmark") {
  job_yard yard;
  yard.table.join({"w", "w#1", "h", 1, {job_kind::rollout}, {"other"}},
                  yard.now);
  yard.submit("a");
  CHECK(why(yard)
        == "s: rollout jobs wait (1): no worker offers fp (connected: 1)");
  yard.table.drop_queued(yard.run);
  yard.table.submit(yard.run, {{"b"}, {job_kind::integrate, {}}, {}}, yard.now);
  CHECK(why(yard)
        == "s: integrate jobs wait (1): no worker runs this kind of job "
           "(connected: 1)");
}

TEST_CASE("what no worker offers has its name, and so has the case") {
  job_yard yard;
  const auto said = [&] {
    return yard.table.why_waiting([](const run_id&) { return "toy"; });
  };
  const auto offers = [&](const std::string& worker, job_kind role,
                          const std::string& fingerprint,
                          const std::string& name) {
    worker_spec spec{worker, worker + "#1", "h", 1, {role}, {fingerprint}};
    spec.benchmark_names = {name};
    return yard.table.join(spec, yard.now);
  };
  offers("a", job_kind::rollout, "else", "tau2-retail");
  yard.submit("1");
  CHECK(said()
        == std::vector<std::string>{"s: rollout jobs wait (1): no worker "
                                    "offers toy (connected: 1)"});
  offers("b", job_kind::rollout, "other", "toy");
  CHECK(said()
        == std::vector<std::string>{
            "s: rollout jobs wait (1): no worker offers toy with the data of "
            "this run; with other data: 1 (connected: 2)"});
  offers("c", job_kind::embed, "fp", "toy");
  CHECK(said()
        == std::vector<std::string>{
            "s: rollout jobs wait (1): no worker that offers toy takes rollout "
            "jobs (connected: 3)"});
  yard.table.drop_queued(yard.run);
  yard.table.submit(yard.run, {{"2"}, {job_kind::grade, "gold"}, {}}, yard.now);
  offers("d", job_kind::grade, "lead", "toy goldens");
  CHECK(said()
        == std::vector<std::string>{
            "s: grade jobs wait (1): no worker offers toy goldens with the "
            "data of this run; with other data: 1 (connected: 4)"});
}

TEST_CASE("jobs wait because all slots are busy") {
  job_yard yard;
  yard.join("v");
  yard.join("w");
  yard.table.join({"other", "other#1", "h", 9, {job_kind::embed}, {}},
                  yard.now);
  for (const auto* id : {"a", "b", "c"})
    yard.submit(id);
  yard.assign();
  CHECK(why(yard)
        == "s: rollout jobs wait (1): all slots are busy (workers: 2)");
}

TEST_CASE("jobs wait because the workers are suspended or drain") {
  cluster_options options;
  options.breaker_failures = 1;
  job_yard yard{options};
  const auto well = yard.join_proven("well");
  const auto v = yard.join("v");
  yard.submit("a");
  yard.finish(yard.grant(), "boom");
  yard.table.close_run(yard.elsewhere);
  yard.table.leave(well, job_table::departure::left, yard.now);
  CHECK(why(yard)
        == "s: rollout jobs wait (1): suitable workers: 1, suspended: 1, "
           "draining: 0");
  const auto w = yard.join("w");
  yard.table.drain(w);
  CHECK(why(yard)
        == "s: rollout jobs wait (1): suitable workers: 2, suspended: 1, "
           "draining: 1");
  yard.table.leave(v, job_table::departure::left, yard.now);
  CHECK(why(yard)
        == "s: rollout jobs wait (1): suitable workers: 1, suspended: 0, "
           "draining: 1");
}

TEST_CASE("jobs wait because the log cannot be written, whatever else") {
  job_yard yard;
  yard.submit("a");
  yard.table.pause({yard.run}, {});
  const auto* text =
      "s: rollout jobs wait (1): the event log cannot be written";
  CHECK(why(yard) == text);
  yard.join("w");
  CHECK(why(yard) == text);
}

TEST_CASE("jobs of other runs name the run whose disk is full") {
  job_yard yard;
  yard.submit("a");
  yard.table.pause({run_id{"u1"}, run_id{"u2"}}, run_id{"u2"});
  CHECK(why(yard)
        == "s: rollout jobs wait (1): paused: the disk is full, and the event "
           "log of run u2 cannot be written");
}

TEST_CASE("a failed job waits though a slot is free, and the reason says so") {
  job_yard yard;
  yard.join("w");
  yard.submit("a");
  yard.finish(yard.grant(), "boom");
  CHECK(yard.assign().empty());
  CHECK(
      why(yard)
      == "s: rollout jobs wait (1): they failed and wait for another worker or "
         "for the end of a pause");
  yard.submit("b");
  yard.grant();
  CHECK(contains(why(yard), "all slots are busy (workers: 1)"));
}

TEST_CASE("every search and every need has a line of its own") {
  job_yard yard;
  const run_id other{"t"};
  yard.table.open_run(other);
  yard.submit("a");
  yard.table.submit(yard.run, {{"b"}, {job_kind::embed, {}}, {}}, yard.now);
  yard.submit(other, "a", "a");
  const auto lines = yard.table.why_waiting();
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "s: embed jobs wait (1): no worker is connected");
  CHECK(lines[1] == "s: rollout jobs wait (1): no worker is connected");
  CHECK(lines[2] == "t: rollout jobs wait (1): no worker is connected");
}
