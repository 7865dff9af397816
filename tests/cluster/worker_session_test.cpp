#include "tests/cluster/worker_session_support.hpp"

using namespace brewery;
using namespace std::chrono_literals;

TEST_CASE("a worker says who it is and what it offers") {
  worker_end end;
  const auto hello = only<worker_hello>(end.session.begin(end.now));
  CHECK(hello.sequence == 1);
  CHECK(hello.worker == "w");
  CHECK(hello.incarnation == "w#1");
  CHECK(hello.host == "h");
  CHECK(hello.build == "1.0");
  CHECK(hello.slots == 2);
  CHECK(hello.roles == std::vector<std::string>{"rollout"});
  CHECK(hello.benchmarks.size() == 1);
  CHECK(hello.jobs.empty());
  CHECK(hello.protocol_min == protocol_oldest);
  CHECK(hello.protocol_max == protocol_newest);
  CHECK_FALSE(end.session.connected());
}

TEST_CASE("hello is repeated ever more rarely until there is a welcome") {
  worker_end end;
  end.session.begin(end.now);
  std::uint64_t sequence = 1;
  for (const auto wait : {1s, 2s, 4s, 8s, 8s, 8s}) {
    INFO("after " << wait.count() << " s");
    end.now += wait - 1us;
    CHECK(end.tick().send.empty());
    end.now += 1us;
    CHECK(only<worker_hello>(end.tick()).sequence == ++sequence);
  }
  const auto welcomed = end.welcome(sequence);
  CHECK(end.session.connected());
  CHECK(only<worker_heartbeat>(welcomed).session == end.number);
  CHECK(sent<worker_hello>(end.pass(5s)).empty());
}

TEST_CASE("a hello that had no connection is tried again soon") {
  worker_end end;
  end.session.begin(end.now);
  end.session.unsent(end.now);
  end.now += end.session.tick_every();
  CHECK(sent<worker_hello>(end.tick()).size() == 1);
}

TEST_CASE("only the answer to the latest hello is a welcome, and only once") {
  worker_end end;
  end.session.begin(end.now);
  end.now += 1s;
  CHECK(only<worker_hello>(end.tick()).sequence == 2);
  CHECK(end.welcome(1).send.empty());
  CHECK_FALSE(end.session.connected());
  CHECK(end.welcome(3).send.empty());
  CHECK_FALSE(end.session.connected());
  end.welcome(2);
  CHECK(end.session.connected());
  const auto session = end.number;
  end.welcome(2); // doubled, with another session
  end.now += 2s;
  CHECK(only<worker_heartbeat>(end.tick()).session == session);
}

TEST_CASE("the coordinator says how often to beat and how long a lease is") {
  worker_end end;
  const auto hello = only<worker_hello>(end.session.begin(end.now));
  worker_welcome welcome;
  welcome.hello = hello.sequence;
  welcome.session = 5;
  welcome.heartbeat_ms = 300;
  welcome.lease_ms = 900;
  CHECK(only<worker_heartbeat>(end.on(welcome)).sequence == 1);
  end.now += 300ms - 1us;
  CHECK(end.tick().send.empty());
  end.now += 1us;
  CHECK(only<worker_heartbeat>(end.tick()).sequence == 2);
  end.now += 600ms - 1us;
  CHECK(sent<worker_hello>(end.tick()).empty());
  end.now += 1us;
  CHECK(sent<worker_hello>(end.tick()).size() == 1);
}

TEST_CASE("times that the coordinator does not set stay the worker's own") {
  for (const std::uint64_t ms : {0, 1}) {
    INFO(ms << " ms");
    worker_end end;
    worker_welcome welcome;
    welcome.hello = only<worker_hello>(end.session.begin(end.now)).sequence;
    welcome.session = 5;
    welcome.lease_ms = welcome.heartbeat_ms = ms;
    end.on(welcome);
    end.now += 1ms;
    CHECK(end.tick().send.size() == ms); // a hello: the lease is over
  }
}

TEST_CASE("a heartbeat names what runs and what waits to be acknowledged") {
  worker_end end;
  end.connect();
  end.grant(key_of("a"));
  end.grant(key_of("b"));
  end.session.progress({"s"}, {"a"}, 4);
  end.session.progress({"s"}, {"unknown"}, 9);
  end.finish("b");
  end.now += 2s;
  const auto beat = only<worker_heartbeat>(end.tick());
  REQUIRE(beat.jobs.size() == 2);
  CHECK(beat.jobs[0] == worker_job{key_of("a"), false, 4});
  CHECK(beat.jobs[1] == worker_job{key_of("b"), true, 0});
  CHECK_FALSE(beat.draining);
  CHECK(end.session.running() == 1);
  CHECK(end.session.unacknowledged() == 1);
}

TEST_CASE("a granted job starts once however often the grant comes") {
  worker_end end;
  end.connect();
  const auto first = end.grant(key_of("a"));
  REQUIRE(first.start.size() == 1);
  CHECK(first.start[0].key == key_of("a"));
  CHECK(end.grant(key_of("a")).start.empty());
  CHECK(end.session.running() == 1);
  const auto done = end.finish("a");
  CHECK(only<result_report>(done).key == key_of("a"));
  // It was done already: what is wanted is the result.
  const auto again = end.grant(key_of("a"));
  CHECK(again.start.empty());
  CHECK(only<result_report>(again).result == "Ra");
  end.ack(key_of("a"));
  // A copy that was long on its way.
  const auto late = end.grant(key_of("a"));
  CHECK(late.start.empty());
  CHECK(late.send.empty());
  CHECK(end.session.running() == 0);
  // A new attempt is another matter.
  CHECK(end.grant(key_of("a", 2)).start.size() == 1);
}

TEST_CASE("a coordinator that counts anew may give a key that was there") {
  worker_end end;
  end.connect();
  end.grant(key_of("a"));
  end.finish("a");
  end.ack(key_of("a"));
  end.grant(key_of("b"));
  end.on(peer_refusal{end.number, "unknown session", true});
  CHECK(end.welcome(2).stop == std::vector{key_of("b")});
  // A late copy of the session before is still refused.
  const auto before = end.number - 1;
  CHECK(end.on(lease_grant{before, key_of("b"), "", "", 0}).start.empty());
  CHECK(end.grant(key_of("a")).start.size() == 1);
  CHECK(end.grant(key_of("b")).start.size() == 1);
}

TEST_CASE("a running job that is leased anew goes on under the new key") {
  worker_end end;
  end.connect();
  end.grant(key_of("a", 1));
  CHECK(end.grant(key_of("a", 2)).start.empty());
  CHECK(end.on(lease_cancel{end.number, key_of("a", 1)}).stop.empty());
  CHECK(only<result_report>(end.finish("a")).key == key_of("a", 2));
}

TEST_CASE("a cancelled job is stopped and its result is of no use") {
  for (const bool by_heartbeat : {false, true}) {
    INFO("by the reply to a heartbeat: " << by_heartbeat);
    worker_end end;
    end.connect();
    end.grant(key_of("a"));
    end.grant(key_of("b"));
    const auto step =
        by_heartbeat ? end.on(heartbeat_reply{end.number, 1, {key_of("a")}})
                     : end.on(lease_cancel{end.number, key_of("a")});
    CHECK(step.stop == std::vector{key_of("a")});
    CHECK(end.session.running() == 1);
    const auto late = end.finish("a");
    CHECK(late.send.empty());
    CHECK(end.session.unacknowledged() == 0);
    CHECK(end.grant(key_of("a")).start.empty());
  }
}

TEST_CASE("what belongs to another session is ignored") {
  worker_end end;
  end.connect();
  end.grant(key_of("a"));
  const auto other = end.number + 1;
  CHECK(end.on(lease_grant{other, key_of("b"), "", "", 0}).start.empty());
  CHECK(end.on(lease_cancel{other, key_of("a")}).stop.empty());
  CHECK(end.on(heartbeat_reply{other, 1, {key_of("a")}}).stop.empty());
  CHECK(end.on(result_ack{other, key_of("a"), {}}).stop.empty());
  CHECK_FALSE(end.on(drain_order{other, "x"}).leave);
  CHECK(end.on(peer_refusal{other, "x", true}).send.empty());
  CHECK_FALSE(end.on(peer_refusal{other, "x", false}).leave);
  CHECK_FALSE(end.session.draining());
  CHECK(end.session.running() == 1);
}

TEST_CASE("a refusal that says so is answered with a new hello") {
  worker_end end;
  end.connect();
  end.grant(key_of("a"));
  end.grant(key_of("b"));
  end.finish("b");
  const auto step = end.on(peer_refusal{end.number, "unknown session", true});
  const auto hello = only<worker_hello>(step);
  CHECK(hello.sequence == 2);
  REQUIRE(hello.jobs.size() == 2);
  CHECK(hello.jobs[0] == worker_job{key_of("a"), false, 0});
  CHECK(hello.jobs[1] == worker_job{key_of("b"), true, 0});
  CHECK(step.note
        == "the coordinator refused this session (unknown session): it has "
           "restarted, or waited for longer than a lease; joining again");
  CHECK(step.stop.empty());
  CHECK_FALSE(step.leave);
  CHECK_FALSE(end.session.connected());
  CHECK(end.session.running() == 1);
}

TEST_CASE("a hello refused for now is repeated at its time, not at once") {
  worker_end end;
  end.session.begin(end.now);
  const auto step = end.on(peer_refusal{0, "still starting", true});
  CHECK(step.send.empty());
  CHECK_FALSE(step.leave);
  end.now += 1s;
  CHECK(sent<worker_hello>(end.tick()).size() == 1);
}

TEST_CASE("a final refusal ends the session and says why") {
  worker_end end;
  end.session.begin(end.now);
  const auto step = end.on(peer_refusal{0, "another release", false});
  REQUIRE(step.leave);
  CHECK(*step.leave == "the coordinator refused this worker: another release");
  CHECK(end.pass(60s).send.empty());
  CHECK(end.welcome(1).send.empty());
  CHECK_FALSE(end.session.connected());
}

TEST_CASE("a final refusal loses no result that is finished") {
  worker_end end;
  end.connect();
  end.grant(key_of("a"));
  end.grant(key_of("b"));
  end.finish("a");
  const auto step = end.on(peer_refusal{end.number, "another release", false});
  REQUIRE(step.leave);
  REQUIRE(step.to_spool.size() == 1);
  CHECK(step.to_spool[0] == spooled_result{key_of("a"), "Ra", ""});
  CHECK(step.stop == std::vector{key_of("b")});
  CHECK(step.send.empty());
}

TEST_CASE("a silent coordinator is asked before its leases are relied on") {
  worker_end end;
  end.connect();
  end.grant(key_of("a"));
  end.now += 6s;
  end.on(heartbeat_reply{end.number, 1, {}});
  CHECK(sent<worker_hello>(end.pass(10s - 1us)).empty());
  end.now += 1us;
  const auto step = end.tick();
  CHECK(only<worker_hello>(step).jobs.size() == 1);
  CHECK_FALSE(step.note.empty());
  CHECK(end.session.running() == 1); // it goes on meanwhile
}

TEST_CASE("that nobody answers is said after a while and then every minute") {
  worker_end end;
  end.session.begin(end.now);
  end.pass(15s - 1us);
  CHECK(end.unanswered == 0);
  end.pass(1us);
  CHECK(end.unanswered == 1);
  end.pass(60s - 1us);
  CHECK(end.unanswered == 1);
  end.pass(1us);
  CHECK(end.unanswered == 2);
  auto hellos = sent<worker_hello>(end.pass(180s));
  CHECK(end.unanswered == 5);
  REQUIRE_FALSE(hellos.empty());
  end.welcome(hellos.back().sequence);
  REQUIRE(end.session.connected());
  end.pass(10s); // the lease: now it says hello again
  CHECK_FALSE(end.session.connected());
  end.pass(15s - 1us);
  CHECK(end.unanswered == 5);
  end.pass(1us);
  CHECK(end.unanswered == 6);
}

TEST_CASE("a temporary refusal counts as an answer") {
  worker_end end;
  end.session.begin(end.now);
  for (int i = 0; i < 4; ++i) {
    end.pass(10s);
    end.on(peer_refusal{0, "still starting", true});
  }
  CHECK(end.unanswered == 0);
  end.pass(15s);
  CHECK(end.unanswered == 1);
}

TEST_CASE("what is adopted goes on under new keys, the rest is dropped") {
  worker_end end;
  end.connect();
  for (const auto* job : {"run", "done", "drop run", "drop done"})
    end.grant(key_of(job));
  end.finish("done");
  end.finish("drop done");
  const auto hello =
      only<worker_hello>(end.on(peer_refusal{end.number, "restarted", true}));
  CHECK(hello.jobs.size() == 4);
  const auto step =
      end.welcome(hello.sequence, {key_of("run", 5, 8), key_of("done", 6, 8),
                                   key_of("never held", 7, 8)});
  CHECK(step.stop == std::vector{key_of("drop run")});
  CHECK(step.start.empty());
  const auto report = only<result_report>(step);
  CHECK(report.session == end.number);
  CHECK(report.key == key_of("done", 6, 8));
  const auto beat = only<worker_heartbeat>(step);
  CHECK(beat.sequence == 1);
  CHECK(beat.jobs.size() == 2);
  CHECK(only<result_report>(end.finish("run")).key == key_of("run", 5, 8));
  const auto late = lease_grant{end.number - 1, key_of("drop run"), "", "", 0};
  CHECK(end.on(late).start.empty());
}

TEST_CASE("lines of the log go with the next heartbeat, once, the last ones") {
  worker_end end;
  end.session.begin(end.now);
  end.session.log("before the session");
  end.welcome(1);
  end.session.log("a");
  end.now += 2s;
  CHECK(only<worker_heartbeat>(end.tick()).log
        == std::vector<std::string>{"a"});
  end.now += 2s;
  CHECK(only<worker_heartbeat>(end.tick()).log.empty());
  for (int i = 0; i < 1000; ++i)
    end.session.log(std::to_string(i));
  end.now += 2s;
  const auto log = only<worker_heartbeat>(end.tick()).log;
  CHECK(log.size() == worker_session::log_lines_max);
  CHECK(log.back() == "999");
}
