#include "base/compression.hpp"
#include "cluster/job_spec.hpp"
#include "cluster/packed_result.hpp"
#include "tests/workers/worker_case.hpp"

using namespace brewery;
using namespace brewery::test;

TEST_CASE("a worker fetches the set-up, plays, and reports until it is told") {
  worker_case w;
  w.start(w.inputs());
  const auto hello = w.coordinator->welcome(5, {}, 50ms);
  CHECK(hello.worker == "w");
  CHECK(hello.incarnation == first_id);
  CHECK(hello.slots == 2);
  CHECK(hello.roles == std::vector<std::string>{"rollout"});
  CHECK(hello.jobs.empty());
  w.grant(5);
  w.give_setup();
  const auto first = w.coordinator->next<result_report>();
  CHECK(first.session == 5);
  CHECK(first.key == w.lease());
  CHECK(first.error.empty());
  const auto made = unpack_result(first.result);
  REQUIRE(made);
  CHECK(made->brief.id == w.rollout().id);
  CHECK(is_compressed(first.result));
  CHECK(w.coordinator->next<result_report>().result == first.result);
  w.acknowledge(5);
  w.worker->stop();
  CHECK(w.coordinator->next<worker_goodbye>().handed_back.empty());
  CHECK(w.end());
  CHECK(w.spooled() == 0);
}

TEST_CASE("a long line of a worker's log is cut before it is sent") {
  worker_case w;
  w.start(w.inputs());
  w.coordinator->welcome(5, {}, 20ms);
  w.worker->log(std::string(100'000, 'x'));
  std::vector<std::string> lines;
  while (lines.empty())
    lines = w.coordinator->next<worker_heartbeat>().log;
  CHECK(lines.front()
        == std::string(worker_session::log_bytes_max, 'x') + "...");
}

TEST_CASE("contents that are not what their hash says are asked for again") {
  worker_case w;
  w.start(w.inputs());
  w.coordinator->welcome(5);
  w.grant(5);
  (void)w.coordinator->next<blob_request>();
  w.coordinator->say(blob_content{setup_hash, true, "something else"});
  w.give_setup();
  CHECK(w.coordinator->next<result_report>().error.empty());
}

TEST_CASE("a job whose set-up the coordinator does not have fails with why") {
  worker_case w;
  w.start(w.inputs());
  w.coordinator->welcome(5);
  w.grant(5);
  (void)w.coordinator->next<blob_request>();
  w.coordinator->say(blob_content{setup_hash, false, ""});
  const auto report = w.coordinator->next<result_report>();
  CHECK(report.result.empty());
  CHECK(report.error.find("does not have content " + setup_hash)
        != std::string::npos);
}

TEST_CASE("a job for which no runner can be made fails with why") {
  worker_case w;
  auto in = w.inputs();
  in.make_runner =
      [](const std::string&) -> result<std::shared_ptr<const job_runner>> {
    return error{ec::version_mismatch, "other data than the search has"};
  };
  w.start(std::move(in));
  w.coordinator->welcome(5);
  w.grant(5);
  w.give_setup();
  const auto report = w.coordinator->next<result_report>();
  CHECK(report.key == w.lease());
  CHECK(report.result.empty());
  CHECK(report.error.find("other data") != std::string::npos);
}

TEST_CASE("a worker is heard while a benchmark loads") {
  worker_case w;
  auto in = w.inputs();
  std::promise<void> load;
  in.make_runner = [make = in.make_runner, gate = load.get_future().share()](
                       const std::string& setup) {
    gate.wait();
    return make(setup);
  };
  w.start(std::move(in));
  w.coordinator->welcome(5, {}, 10ms);
  w.grant(5);
  w.give_setup();
  for (int i = 0; i < 3; ++i)
    CHECK(w.coordinator->next<worker_heartbeat>().jobs.size() == 1);
  load.set_value();
  CHECK(w.coordinator->next<result_report>().error.empty());
}

TEST_CASE("a worker that is refused for good ends with the reason") {
  worker_case w;
  w.start(w.inputs());
  (void)w.coordinator->next<worker_hello>();
  w.coordinator->say(peer_refusal{0, "this release is too old", false});
  const auto ended = w.end();
  REQUIRE_FALSE(ended);
  CHECK(ended.error().code == ec::invalid_argument);
  CHECK(ended.error().message.find("this release is too old")
        != std::string::npos);
}

TEST_CASE("a session that is gone is followed by a hello with what runs") {
  worker_case w;
  w.hang();
  w.start(w.inputs());
  w.coordinator->welcome(5);
  w.grant(5);
  w.give_setup();
  REQUIRE(w.begun());
  w.coordinator->say(peer_refusal{5, "no such session", true});
  const auto again = w.coordinator->welcome(6, {w.lease(2)});
  CHECK(again.sequence > 1);
  REQUIRE(again.jobs.size() == 1);
  CHECK(again.jobs.front().key == w.lease());
  CHECK_FALSE(again.jobs.front().finished);
  // It goes on under the new lease.
  w.resume();
  const auto report = w.coordinator->next<result_report>();
  CHECK(report.session == 6);
  CHECK(report.key == w.lease(2));
}

TEST_CASE("a worker finds the coordinator that starts again at the address") {
  worker_case w;
  w.hang();
  w.start(w.inputs());
  w.coordinator->welcome(5, {}, 50ms);
  w.grant(5);
  w.give_setup();
  REQUIRE(w.begun());
  w.coordinator.reset();
  w.coordinator.emplace(w.folder.path());
  CHECK(w.coordinator->next<worker_heartbeat>().session == 5);
  w.coordinator->say(peer_refusal{5, "no such session", true});
  const auto again = w.coordinator->welcome(6, {w.lease(2)});
  REQUIRE(again.jobs.size() == 1);
  CHECK(again.jobs.front().key.job == w.rollout().id);
  w.resume();
  CHECK(w.coordinator->next<result_report>().key == w.lease(2));
}

TEST_CASE("a stopped worker finishes within its grace what it runs") {
  worker_case w;
  w.hang();
  auto in = w.inputs();
  in.grace = longest;
  w.start(std::move(in));
  w.coordinator->welcome(5);
  w.grant(5);
  w.give_setup();
  REQUIRE(w.begun());
  w.worker->stop();
  while (!w.coordinator->next<worker_heartbeat>().draining)
    ;
  w.resume();
  CHECK(w.coordinator->next<result_report>().error.empty());
  w.coordinator->say(result_ack{5, w.lease(), result_verdict::counted});
  CHECK(w.coordinator->next<worker_goodbye>().handed_back.empty());
  CHECK(w.end());
}

TEST_CASE("what does not end within the grace is handed back") {
  worker_case w;
  w.hang();
  w.start(w.inputs());
  w.coordinator->welcome(5);
  w.grant(5);
  w.give_setup();
  REQUIRE(w.begun());
  w.worker->stop();
  const auto bye = w.coordinator->next<worker_goodbye>();
  CHECK(bye.handed_back == std::vector<lease_key>{w.lease()});
  CHECK(w.end());
  CHECK(w.spooled() == 0);
}

TEST_CASE("jobs ahead of slots are played in their order, and timed") {
  worker_case w;
  auto in = w.inputs();
  in.profile.slots = 1;
  w.start(std::move(in));
  w.coordinator->welcome(5);
  std::vector<lease_key> granted;
  for (std::uint32_t trial = 0; trial < 20; ++trial)
    granted.push_back(w.grant_trial(5, trial));
  w.give_setup();
  for (const auto& key : granted) {
    const auto report = w.coordinator->next<result_report>();
    CHECK(report.key == key);
    CHECK(report.error.empty());
    CHECK(report.played_us > 0);
    w.coordinator->say(result_ack{5, key, result_verdict::counted});
  }
}

TEST_CASE("a job that waits too long for a slot is given back, no failure") {
  worker_case w;
  w.hang();
  w.start(w.inputs());
  w.coordinator->welcome(5);
  std::vector<lease_key> granted;
  for (std::uint32_t trial = 0; trial < 3; ++trial)
    granted.push_back(w.grant_trial(5, trial));
  w.give_setup();
  const auto back = w.coordinator->next<result_report>();
  CHECK(back.key == granted.back());
  CHECK(back.result.empty());
  CHECK(is_cancelled(back.error));
  CHECK_FALSE(w.said("job_failed"));
}

TEST_CASE("a worker leaves when the coordinator drains it") {
  worker_case w;
  w.start(w.inputs());
  w.coordinator->welcome(5);
  w.coordinator->say(drain_order{5, "the machine is needed"});
  CHECK(w.coordinator->next<worker_goodbye>().reason
        == "the machine is needed");
  CHECK(w.end());
}

TEST_CASE("a result nobody confirmed is delivered by the next worker") {
  worker_case w;
  w.start(w.inputs());
  w.coordinator->welcome(5);
  w.grant(5);
  w.give_setup();
  const auto lost = w.coordinator->next<result_report>();
  w.worker->stop();
  (void)w.coordinator->next<worker_goodbye>();
  CHECK(w.end());
  CHECK(w.spooled() == 1);

  w.start(w.inputs(second_id));
  const auto hello = w.coordinator->welcome(6, {w.lease()}, 50ms);
  CHECK(hello.incarnation == second_id);
  REQUIRE(hello.jobs.size() == 1);
  CHECK(hello.jobs.front().key == w.lease());
  CHECK(hello.jobs.front().finished);
  const auto found = w.coordinator->next<result_report>();
  CHECK(found.result == lost.result);
  CHECK(w.said("in the spool: 1 result of earlier workers"));
  w.acknowledge(6);
  w.worker->stop();
  (void)w.coordinator->next<worker_goodbye>();
  CHECK(w.end());
  CHECK(w.spooled() == 0);
}

TEST_CASE("a worker whose key is revoked keeps what it has finished") {
  const key_ring ring;
  worker_case w;
  w.coordinator.reset();
  w.coordinator.emplace(w.folder.path(), &ring);
  auto in = w.inputs();
  in.options.spool_after = 1h; // not for waiting long
  in.connection.keys = ring.pair("w");
  in.connection.server_keys = ring.keys.public_file("coordinator");
  w.start(std::move(in));
  w.coordinator->welcome(5);
  w.grant(5);
  w.give_setup();
  (void)w.coordinator->next<result_report>();
  CHECK(w.spooled() == 0);
  REQUIRE(ring.keys.revoke("w"));
  w.coordinator.reset();
  w.coordinator.emplace(w.folder.path(), &ring);
  const auto ended = w.end();
  REQUIRE_FALSE(ended);
  CHECK(ended.error().message.find("does not allow this worker's key")
        != std::string::npos);
  CHECK(w.spooled() == 1);
}

TEST_CASE("a spool that another worker uses keeps a worker from starting") {
  worker_case w;
  const auto other = spool::open(w.folder.path() / "spool", first_id, 1 << 20);
  REQUIRE(other);
  w.start(w.inputs());
  const auto ended = w.end();
  REQUIRE_FALSE(ended);
  CHECK(ended.error().code == ec::in_use);
}

TEST_CASE("a frame that cannot be read is logged and changes nothing") {
  worker_case w;
  w.start(w.inputs());
  w.coordinator->welcome(5);
  w.coordinator->say_bytes("junk");
  w.grant(5);
  w.give_setup();
  CHECK(w.coordinator->next<result_report>().error.empty());
  CHECK(w.said("unreadable message"));
}

TEST_CASE("a worker without a coordinator leaves when it is stopped") {
  worker_case w;
  auto in = w.inputs();
  in.grace = longest;
  w.coordinator.reset(); // nobody listens
  w.start(std::move(in));
  w.worker->stop();
  CHECK(w.end());
}
