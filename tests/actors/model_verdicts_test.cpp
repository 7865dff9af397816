/// What a role refused is asked anew after its attempt failed (ADR 0024).

#include "tests/actors/broker_calls.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

model_call rejecting(std::uint32_t number) {
  model_call verdict;
  verdict.job = {"job"};
  verdict.number = number;
  verdict.verdict = model_call::rejected;
  return verdict;
}

} // namespace

TEST_CASE("a rejected reply is asked anew after a retry of its job, once") {
  const scratch run;
  auto transport = std::make_shared<talking_transport>();
  const auto with_seed = [](std::uint32_t number) {
    auto call = asking("x", number);
    std::get<chat_request>(call.request).seed = 5;
    return call;
  };
  const auto play = [&] {
    auto broker = model_broker::make(inputs_for(run.path(), transport));
    CHECK(ask(*broker, with_seed(0))->wait());
    CHECK(ask(*broker, with_seed(1))->wait());
    CHECK(ask(*broker, rejecting(1))->wait());
    broker->close();
  };
  play();
  CHECK(transport->sent == 2);
  play(); // without an order, the replies are kept
  CHECK(transport->sent == 2);
  REQUIRE(model_recording::ask_anew(run.path(), {{"another"}}));
  play();
  CHECK(transport->sent == 2);
  REQUIRE(model_recording::ask_anew(run.path(), {{"job"}}));
  play();
  CHECK(transport->sent == 3);
  CHECK(transport->last_seed != 5); // a server would repeat itself
  play();
  CHECK(transport->sent == 3);
}

TEST_CASE("an attempt after a failed one asks anew for what was rejected") {
  const scratch run;
  auto transport = std::make_shared<talking_transport>();
  auto broker = model_broker::make(inputs_for(run.path(), transport));
  const auto attempt = [&] {
    CHECK(ask(*broker, asking("good", 0))->wait());
    CHECK(ask(*broker, asking("bad", 1))->wait());
  };
  attempt();
  CHECK(ask(*broker, rejecting(1))->wait());
  attempt(); // the first was lost, it did not fail
  CHECK(transport->sent == 2);
  broker->ask_anew({"another"});
  attempt();
  CHECK(transport->sent == 2);
  broker->ask_anew({"job"});
  attempt();
  CHECK(transport->sent == 3);
  attempt();
  CHECK(transport->sent == 3);
  CHECK(broker->view().spent.calls == 3);
  broker->close();
  // After a restart as well.
  broker.reset();
  broker = model_broker::make(inputs_for(run.path(), transport));
  attempt();
  CHECK(transport->sent == 3);
  CHECK(broker->view().spent.calls == 3);
  broker->close();
}

TEST_CASE("a restart between a failed attempt and the next loses nothing") {
  const scratch run;
  auto transport = std::make_shared<talking_transport>();
  {
    auto broker = model_broker::make(inputs_for(run.path(), transport));
    CHECK(ask(*broker, asking("bad"))->wait());
    CHECK(ask(*broker, rejecting(0))->wait());
    broker->ask_anew({"job"});
    broker->close();
  }
  auto broker = model_broker::make(inputs_for(run.path(), transport));
  CHECK(ask(*broker, asking("bad"))->wait());
  CHECK(transport->sent == 2);
  broker->close();
}

TEST_CASE("a reply of the process before can be rejected") {
  const scratch run;
  auto transport = std::make_shared<talking_transport>();
  {
    auto broker = model_broker::make(inputs_for(run.path(), transport));
    CHECK(ask(*broker, asking("bad"))->wait());
    broker->close();
  }
  // The worker that got it outlives the coordinator.
  auto broker = model_broker::make(inputs_for(run.path(), transport));
  CHECK(ask(*broker, rejecting(0))->wait());
  CHECK(ask(*broker, rejecting(7))->wait()); // nobody asked this
  broker->ask_anew({"job"});
  CHECK(ask(*broker, asking("bad"))->wait());
  CHECK(transport->sent == 2);
  broker->close();
}

TEST_CASE("a replay knows what was asked anew since") {
  const scratch recorded, run;
  auto transport = std::make_shared<talking_transport>();
  {
    auto broker = model_broker::make(inputs_for(recorded.path(), transport));
    CHECK(ask(*broker, asking("x"))->wait());
    CHECK(ask(*broker, rejecting(0))->wait());
    broker->ask_anew({"job"});
    broker->close();
  }
  auto in = inputs_for(run.path(), nullptr);
  in.replay = *model_recording::open_for_replay(recorded.path());
  auto broker = model_broker::make(std::move(in));
  CHECK(said(ask(*broker, asking("x"))->wait()) == "to x");
  broker->close();
}
