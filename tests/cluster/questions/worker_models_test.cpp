#include "tests/cluster/worker_session_support.hpp"

using namespace brewery;
using namespace std::chrono_literals;

namespace {

model_reply reply_to(const model_ask& ask) {
  model_reply out;
  out.session = ask.session;
  out.run = ask.run;
  out.job = ask.job;
  out.number = ask.number;
  out.answer = "answer";
  return out;
}

worker_step ask(worker_end& end, const std::string& job,
                std::uint32_t number = 0) {
  return end.session.ask_model({"s"}, {job}, number, "call of " + job, end.now);
}

/// Connected under this protocol, with job "a" running.
worker_end speaking(std::uint32_t protocol) {
  worker_end end;
  worker_welcome welcome;
  welcome.hello = only<worker_hello>(end.session.begin(end.now)).sequence;
  welcome.session = ++end.number;
  welcome.protocol = protocol;
  end.on(welcome);
  end.grant(key_of("a"));
  return end;
}

worker_end running() {
  return speaking(protocol_newest);
}

/// The coordinator is heard, so that time may pass in the session.
worker_step later(worker_end& end, microseconds span) {
  end.on(heartbeat_reply{end.number, 1, {}});
  end.now += span;
  return end.tick();
}

} // namespace

TEST_CASE("a running job's question is sent at once and with its number") {
  auto end = running();
  const auto sent_ask = only<model_ask>(ask(end, "a", 3));
  CHECK(sent_ask.session == end.number);
  CHECK(sent_ask.run == run_id{"s"});
  CHECK(sent_ask.job == job_id{"a"});
  CHECK(sent_ask.number == 3);
  CHECK(sent_ask.call == "call of a");
}

TEST_CASE("a question is repeated every lease until its reply comes") {
  auto end = running();
  const auto first = only<model_ask>(ask(end, "a"));
  for (int round = 0; round < 3; ++round) {
    CHECK(sent<model_ask>(later(end, 5s)).empty());
    CHECK(sent<model_ask>(later(end, 5s - 1us)).empty());
    CHECK(only<model_ask>(later(end, 1us)) == first);
  }
  const auto step = end.on(reply_to(first));
  REQUIRE(step.replies.size() == 1);
  CHECK(step.replies[0].answer == "answer");
  CHECK(end.on(reply_to(first)).replies.empty()); // a copy
  CHECK(sent<model_ask>(later(end, 9s)).empty());
  CHECK(sent<model_ask>(later(end, 9s)).empty());
}

TEST_CASE("a reply of another session is not taken") {
  auto end = running();
  auto reply = reply_to(only<model_ask>(ask(end, "a")));
  ++reply.session;
  CHECK(end.on(reply).replies.empty());
  --reply.session;
  CHECK(end.on(reply).replies.size() == 1);
}

TEST_CASE("a job that does not run asks nothing") {
  auto end = running();
  CHECK(ask(end, "unknown").send.empty());
  end.finish("a");
  CHECK(ask(end, "a").send.empty());
}

TEST_CASE("a job that two runs have in common asks for the run it is of") {
  auto end = running();
  end.grant({{"other"}, {"a"}, 1, 7});
  const auto first =
      only<model_ask>(end.session.ask_model({"s"}, {"a"}, 0, "mine", end.now));
  const auto second = only<model_ask>(
      end.session.ask_model({"other"}, {"a"}, 0, "another", end.now));
  CHECK(first.run == run_id{"s"});
  CHECK(first.call == "mine");
  CHECK(second.run == run_id{"other"});
  CHECK(second.call == "another");
}

TEST_CASE("questions of a job that ended or was cancelled are dropped") {
  for (const bool cancelled : {false, true}) {
    INFO("cancelled: " << cancelled);
    auto end = running();
    const auto open = only<model_ask>(ask(end, "a"));
    if (cancelled)
      end.on(lease_cancel{end.number, key_of("a")});
    else
      end.finish("a");
    CHECK(end.on(reply_to(open)).replies.empty());
    CHECK(sent<model_ask>(later(end, 9s)).empty());
    CHECK(sent<model_ask>(later(end, 9s)).empty());
  }
}

TEST_CASE("questions asked without a session are sent in the next") {
  auto end = running();
  ask(end, "a", 0);
  end.on(peer_refusal{end.number, "restarting", true});
  CHECK(ask(end, "a", 1).send.empty());
  const auto step = end.welcome(2, {key_of("a")});
  const auto asks = sent<model_ask>(step);
  REQUIRE(asks.size() == 2); // the one that was sent before too
  CHECK(asks[0].session == end.number);
  CHECK(asks[1].number == 1);
}

TEST_CASE("a coordinator that knows no models is not asked") {
  auto old = speaking(protocol_with_models - 1);
  const auto step = ask(old, "a", 2);
  CHECK(step.send.empty());
  REQUIRE(step.replies.size() == 1);
  CHECK(step.replies[0].run == run_id{"s"});
  CHECK(step.replies[0].job == job_id{"a"});
  CHECK(step.replies[0].number == 2);
  CHECK(step.replies[0].code == ec::version_mismatch);
  CHECK_FALSE(step.replies[0].error.empty());
  // That was its reply: there is no other.
  CHECK(later(old, 9s).replies.empty());
  CHECK(later(old, 9s).replies.empty());
  auto first_with_models = speaking(protocol_with_models);
  CHECK(only<model_ask>(ask(first_with_models, "a")).number == 0);
}

TEST_CASE("whatever the coordinator says shows that it lives") {
  const auto blob = wire::message{blob_content{"x", true, "content"}};
  const std::vector<std::function<wire::message(const worker_end&)>> all{
      [](const auto& end) {
        return lease_grant{end.number, key_of("b"), "", "", 0};
      },
      [](const auto& end) {
        return heartbeat_reply{end.number, 1, {}};
      },
      [](const auto& end) {
        return result_ack{end.number, key_of("x"), result_verdict::counted};
      },
      [](const auto& end) {
        return lease_cancel{end.number, key_of("x")};
      },
      [](const auto& end) {
        return model_reply{end.number, {"s"}, {"x"}, 0, "", ec::ok, ""};
      },
      [&](const auto&) { return blob; }};
  for (std::size_t i = 0; i < all.size(); ++i) {
    INFO("message " << i);
    auto end = running();
    end.now += 9s;
    end.on(all[i](end));
    end.now += 10s - 1us;
    CHECK(sent<worker_hello>(end.tick()).empty());
    end.now += 1us;
    CHECK(sent<worker_hello>(end.tick()).size() == 1);
  }
}

TEST_CASE("the session is looked after twice per heartbeat or spool time") {
  worker_end end;
  CHECK(end.session.tick_every() == 50ms); // a hello may be due soon
  end.connect();
  CHECK(end.session.tick_every() == 250ms);
}

TEST_CASE("a hello without connection is not put off") {
  worker_end end;
  end.session.begin(end.now);
  end.now = 999ms;
  end.session.unsent(end.now); // it is due in a millisecond anyway
  end.now = 1s;
  CHECK(sent<worker_hello>(end.tick()).size() == 1);
}

TEST_CASE("late copies of the last 256 ended grants are ignored") {
  worker_end end;
  end.connect();
  for (int i = 0; i < 257; ++i) {
    const auto key =
        key_of("j" + std::to_string(i), static_cast<std::uint64_t>(i + 1));
    REQUIRE(end.grant(key).start.size() == 1);
    end.on(lease_cancel{end.number, key});
  }
  CHECK(end.grant(key_of("j1", 2)).start.empty());
  CHECK(end.grant(key_of("j0", 1)).start.size() == 1);
}

TEST_CASE("hellos begin again at the shortest wait after every session") {
  worker_end end;
  end.session.begin(end.now);
  end.now += 1s;
  end.tick();
  end.now += 2s;
  end.tick(); // the third; the next would be after four seconds
  end.welcome(3);
  end.on(peer_refusal{end.number, "restarting", true});
  end.now += 1s - 1us;
  CHECK(end.tick().send.empty());
  end.now += 1us;
  CHECK(only<worker_hello>(end.tick()).sequence == 5);
}
