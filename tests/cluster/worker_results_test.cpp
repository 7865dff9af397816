#include "base/compression.hpp"
#include "tests/cluster/worker_session_support.hpp"

#include <map>

using namespace brewery;
using namespace std::chrono_literals;

TEST_CASE("a result is sent ever more rarely until it is acknowledged") {
  worker_end end;
  end.connect();
  end.grant(key_of("a"));
  const auto first = only<result_report>(end.finish("a"));
  CHECK(first.session == end.number);
  CHECK(first.result == "Ra");
  CHECK(first.error.empty());
  for (const auto wait : {1s, 2s, 4s, 8s, 8s}) {
    INFO("after " << wait.count() << " s");
    end.on(heartbeat_reply{end.number, 1, {}});
    CHECK(sent<result_report>(end.pass(wait - 1us)).empty());
    end.now += 1us;
    CHECK(only<result_report>(end.tick()) == first);
  }
  end.ack(key_of("a"));
  CHECK(end.session.unacknowledged() == 0);
  CHECK(sent<result_report>(end.pass(9s)).empty());
}

TEST_CASE("a report says what the job took on its slot, if it has room") {
  worker_end end;
  end.connect();
  const std::vector<std::pair<microseconds, std::uint32_t>> all = {
      {0us, 0},
      {1us, 1},
      {4'294'967'295us, 4'294'967'295},
      {90min, 0},
      {-1us, 0}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto id = std::to_string(i);
    end.grant(key_of(id));
    const auto done =
        end.session.finished({"s"}, {id}, "R", {}, end.now, all[i].first);
    CHECK(only<result_report>(done).played_us == all[i].second);
  }
}

TEST_CASE("a coordinator that reads no compressed results gets plain ones") {
  const std::string whole(5000, 'R');
  const auto protocol = GENERATE(protocol_with_grades, protocol_newest);
  worker_end end{{{key_of("a"), compress(whole), {}}}};
  worker_welcome hello_back;
  hello_back.hello = only<worker_hello>(end.session.begin(end.now)).sequence;
  hello_back.protocol = protocol;
  hello_back.session = ++end.number;
  hello_back.adopted = {key_of("a")};
  const auto report = only<result_report>(end.on(hello_back));
  CHECK(report.result
        == (protocol == protocol_newest ? compress(whole) : whole));
}

TEST_CASE("a coordinator that reads no packed insights gets a list of them") {
  rollout_result rollout;
  rollout.insights = {insight{{"i"}, "fan", "It hums.", {}, {}}};
  const auto whole = make_result(std::move(rollout));
  const auto protocol = GENERATE(protocol_with_grades, protocol_newest);
  worker_end end{{{key_of("a"), wire::encode(whole), {}}}};
  worker_welcome hello_back;
  hello_back.hello = only<worker_hello>(end.session.begin(end.now)).sequence;
  hello_back.protocol = protocol;
  hello_back.session = ++end.number;
  hello_back.adopted = {key_of("a")};
  const auto report = only<result_report>(end.on(hello_back));
  CHECK(report.result
        == (protocol == protocol_newest
                ? wire::encode(whole)
                : wire::encode(whole, wire::writer::form::plain)));
  const auto got = wire::decode<job_result>(report.result);
  REQUIRE(got);
  CHECK(*got == whole);
}

TEST_CASE("an acknowledgement of another attempt does not count") {
  worker_end end;
  end.connect();
  end.grant(key_of("a", 2));
  end.finish("a");
  end.ack(key_of("a", 1));
  end.ack(key_of("a", 2, 6));
  CHECK(end.session.unacknowledged() == 1);
  end.ack(key_of("a", 2));
  CHECK(end.session.unacknowledged() == 0);
}

TEST_CASE("a stale result is forgotten like one that counts") {
  worker_end end;
  end.connect();
  end.grant(key_of("a"));
  end.finish("a");
  end.on(result_ack{end.number, key_of("a"), result_verdict::stale});
  CHECK(end.session.unacknowledged() == 0);
  CHECK(sent<result_report>(end.pass(9s)).empty());
}

TEST_CASE("a failure is reported like a result") {
  worker_end end;
  end.connect();
  end.grant(key_of("a"));
  const auto report = only<result_report>(end.finish("a", "no such task"));
  CHECK(report.error == "no such task");
  CHECK(report.result.empty());
  CHECK(end.session.unacknowledged() == 1);
}

TEST_CASE("a result that is not acknowledged for long is spooled, once") {
  worker_end end;
  end.connect();
  end.grant(key_of("a"));
  end.finish("a");
  end.now += 500ms - 1us;
  CHECK(end.tick().to_spool.empty());
  end.now += 1us;
  const auto step = end.tick();
  REQUIRE(step.to_spool.size() == 1);
  CHECK(step.to_spool[0] == spooled_result{key_of("a"), "Ra", ""});
  CHECK(end.pass(9s).to_spool.empty());
  // Then it is taken out again.
  CHECK(end.ack(key_of("a")).unspool == std::vector{key_of("a")});
}

TEST_CASE("a result that could not be spooled is spooled later") {
  worker_end worker;
  worker.connect();
  worker.grant(key_of("a"));
  worker.finish("a");
  REQUIRE(worker.pass(600ms).to_spool.size() == 1);
  worker.session.not_spooled(key_of("a"), worker.now);
  CHECK(worker.pass(29s).to_spool.empty());
  CHECK(worker.pass(1s).to_spool.size() == 1);
  worker.session.not_spooled(key_of("a"), worker.now);
  CHECK(worker.session.hand_back("end", worker.now).to_spool.size() == 1);
}

TEST_CASE("a result that is acknowledged in time never touches the disk") {
  worker_end end;
  end.connect();
  end.grant(key_of("a"));
  end.finish("a");
  end.now += 400ms;
  end.tick();
  const auto step = end.ack(key_of("a"));
  CHECK(step.unspool.empty());
  CHECK(end.pass(9s).to_spool.empty());
}

TEST_CASE("without a coordinator results are spooled and reported later") {
  worker_end end;
  end.connect();
  end.grant(key_of("a"));
  end.on(peer_refusal{end.number, "restarting", true});
  CHECK(end.finish("a").send.empty());
  const auto alone = end.pass(2s);
  CHECK(alone.to_spool.size() == 1);
  CHECK(sent<result_report>(alone).empty());
  const auto hellos = sent<worker_hello>(alone);
  REQUIRE_FALSE(hellos.empty());
  CHECK(hellos.back().jobs.front().finished);
  const auto step = end.welcome(hellos.back().sequence, {key_of("a", 9, 8)});
  CHECK(only<result_report>(step).key == key_of("a", 9, 8));
}

TEST_CASE("a new session is sent results as eagerly as the first") {
  worker_end end;
  end.connect();
  end.grant(key_of("a"));
  end.finish("a");
  end.pass(8s); // it is at its longest wait
  const auto hello =
      only<worker_hello>(end.on(peer_refusal{end.number, "restarted", true}));
  CHECK(
      sent<result_report>(end.welcome(hello.sequence, {key_of("a", 2)})).size()
      == 1);
  CHECK(sent<result_report>(end.pass(1s)).size() == 1);
}

TEST_CASE("results of a process before are offered and reported") {
  worker_end end{
      {{key_of("a", 3, 6), "old", ""}, {key_of("b", 4, 6), "", "e"}}};
  CHECK(end.session.unacknowledged() == 2);
  const auto hello = only<worker_hello>(end.session.begin(end.now));
  REQUIRE(hello.jobs.size() == 2);
  CHECK(hello.jobs[0] == worker_job{key_of("a", 3, 6), true, 0});
  const auto step = end.welcome(hello.sequence, {key_of("a", 1, 7)});
  CHECK(only<result_report>(step).result == "old");
  CHECK(step.unspool.size() == 1); // nobody wants the other
  CHECK(step.stop.empty());
  CHECK(end.pass(5s).to_spool.empty()); // it is there already
  CHECK(end.ack(key_of("a", 1, 7)).unspool.size() == 1);
}

TEST_CASE("a failure of a process before is reported as one") {
  worker_end end{{{key_of("b", 4, 6), "", "broke"}}};
  const auto hello = only<worker_hello>(end.session.begin(end.now));
  const auto step = end.welcome(hello.sequence, {key_of("b", 1, 7)});
  CHECK(only<result_report>(step).error == "broke");
}

TEST_CASE("a draining worker leaves when its last result is acknowledged") {
  for (const bool ordered : {false, true}) {
    INFO("by order of the coordinator: " << ordered);
    worker_end end;
    end.connect();
    end.grant(key_of("a"));
    const auto step = ordered ? end.on(drain_order{end.number, "maintenance"})
                              : end.session.drain("maintenance", end.now);
    CHECK(only<worker_heartbeat>(step).draining);
    CHECK_FALSE(step.leave);
    CHECK(end.session.draining());
    end.finish("a");
    CHECK_FALSE(end.pass(3s).leave);
    const auto last = end.ack(key_of("a"));
    REQUIRE(last.leave);
    CHECK(*last.leave == "maintenance");
    const auto goodbye = only<worker_goodbye>(last);
    CHECK(goodbye.session == end.number);
    CHECK(goodbye.handed_back.empty());
    CHECK(goodbye.reason == "maintenance");
    // Nothing is said after that.
    CHECK(end.pass(60s).send.empty());
    CHECK(end.grant(key_of("b")).start.empty());
    CHECK(end.session.hand_back("again", end.now).send.empty());
  }
}

TEST_CASE("a worker that has nothing leaves as soon as it drains") {
  worker_end end;
  end.connect();
  const auto step = end.session.drain("enough", end.now);
  CHECK(step.leave);
  CHECK(sent<worker_goodbye>(step).size() == 1);
}

TEST_CASE("a draining worker whose last job is cancelled leaves") {
  worker_end end;
  end.connect();
  end.grant(key_of("a"));
  end.session.drain("enough", end.now);
  const auto step = end.on(lease_cancel{end.number, key_of("a")});
  CHECK(step.stop.size() == 1);
  CHECK(step.leave);
}

TEST_CASE("a draining worker leaves when a heartbeat's reply takes its last") {
  worker_end end;
  end.connect();
  end.grant(key_of("a"));
  end.session.drain("enough", end.now);
  CHECK(end.on(heartbeat_reply{end.number, 1, {key_of("a")}}).leave);
}

TEST_CASE("a draining worker leaves when a new session wants nothing of it") {
  worker_end end;
  end.connect();
  end.grant(key_of("a"));
  end.session.drain("enough", end.now);
  end.on(peer_refusal{end.number, "restarted", true});
  CHECK(end.welcome(2).leave);
}

TEST_CASE("a draining worker stays while there is nobody to report to") {
  worker_end end;
  end.connect();
  end.grant(key_of("a"));
  end.on(peer_refusal{end.number, "restarting", true});
  CHECK(end.session.drain("enough", end.now).send.empty());
  end.finish("a");
  const auto alone = end.pass(3s);
  CHECK_FALSE(alone.leave);
  // Welcomed, it still drains.
  const auto step =
      end.welcome(sent<worker_hello>(alone).back().sequence, {key_of("a", 2)});
  CHECK(only<worker_heartbeat>(step).draining);
  CHECK(end.ack(key_of("a", 2)).leave);
}

TEST_CASE("handing back names what runs and spools what is finished") {
  worker_end end;
  end.connect();
  for (const auto* job : {"run1", "run2", "done", "spooled", "acked"})
    end.grant(key_of(job));
  end.finish("spooled");
  end.now += 500ms;
  CHECK(end.tick().to_spool.size() == 1);
  end.finish("done", "broke");
  end.finish("acked");
  end.ack(key_of("acked"));
  const auto step = end.session.hand_back("told to stop", end.now);
  const auto goodbye = only<worker_goodbye>(step);
  CHECK(goodbye.session == end.number);
  CHECK(goodbye.reason == "told to stop");
  CHECK(goodbye.handed_back == std::vector{key_of("run1"), key_of("run2")});
  CHECK(step.stop == goodbye.handed_back);
  REQUIRE(step.to_spool.size() == 1);
  CHECK(step.to_spool[0] == spooled_result{key_of("done"), "", "broke"});
  CHECK(step.unspool.empty());
  REQUIRE(step.leave);
  CHECK(*step.leave == "told to stop");
}

TEST_CASE("without a session there is nobody to hand back to") {
  worker_end end;
  end.connect();
  end.grant(key_of("a"));
  end.on(peer_refusal{end.number, "restarting", true});
  const auto step = end.session.hand_back("told to stop", end.now);
  CHECK(step.send.empty());
  CHECK(step.stop.size() == 1);
  CHECK(step.leave);
}

TEST_CASE("contents are asked for until they come") {
  worker_end end;
  end.connect();
  const auto first = end.session.fetch({"x", "y"}, end.now);
  CHECK(only<blob_request>(first).session == end.number);
  CHECK(only<blob_request>(first).hashes == std::vector<std::string>{"x", "y"});
  CHECK(end.session.fetch({"x"}, end.now).send.empty()); // under way
  CHECK(sent<blob_request>(end.pass(1s - 1us)).empty());
  end.now += 1us;
  CHECK(only<blob_request>(end.tick()).hashes.size() == 2);
  const auto came = end.on(blob_content{"x", true, "content of x"});
  REQUIRE(came.blobs.size() == 1);
  CHECK(came.blobs[0].content == "content of x");
  // Twice, and one that nobody asked for.
  CHECK(end.on(blob_content{"x", true, "content of x"}).blobs.empty());
  CHECK(end.on(blob_content{"z", true, "content of z"}).blobs.empty());
  for (int round = 0; round < 3; ++round) {
    end.now += 1s;
    CHECK(only<blob_request>(end.tick()).hashes
          == std::vector<std::string>{"y"});
    CHECK(end.tick().send.empty());
  }
  end.on(blob_content{"y", false, ""});
  CHECK(sent<blob_request>(end.pass(5s)).empty());
}

TEST_CASE("contents wanted without a session are asked for in the next") {
  worker_end end;
  end.session.begin(end.now);
  CHECK(end.session.fetch({"x"}, end.now).send.empty());
  end.welcome(1);
  CHECK(only<blob_request>(end.tick()).hashes == std::vector<std::string>{"x"});
}
