/// When a broker halts, whom it tells, and what it leaves of its calls.

#include "tests/actors/broker_calls.hpp"

#include <csignal>
#include <future>
#include <sys/resource.h>

using namespace brewery;
using namespace brewery::test;

TEST_CASE("a spent budget halts the broker, fails nobody and is told once") {
  const scratch run;
  auto transport = std::make_shared<manual_transport>();
  auto broker = model_broker::make(
      inputs_for(run.path(), transport, budget{{0, 500, 0}, {}}));
  int calls = 0;
  broker->when_halted([&] { ++calls; });
  const auto first = ask(*broker, asking("a"));
  const auto second = ask(*broker, asking("b"));
  const auto third = ask(*broker, asking("c"));
  // The first two fit side by side, the third waits for what they leave.
  REQUIRE(transport->open() == 2);
  CHECK(broker->view().waiting == 1);
  transport->take().done({saying("a", 190), 0});
  CHECK(said(first->wait()) == "a");
  transport->take().done({saying("b", 190), 0});
  CHECK(said(second->wait()) == "b");
  CHECK(calls == 1);
  REQUIRE(broker->halted());
  CHECK(broker->halted()->code == ec::over_budget);
  const auto fourth = ask(*broker, asking("d"));
  CHECK(transport->open() == 0);
  // What is on record is still answered.
  CHECK(said(ask(*broker, asking("a"))->wait()) == "a");
  broker->close();
  CHECK(third->wait().error().code == ec::cancelled);
  CHECK(fourth->wait().error().code == ec::cancelled);
  CHECK(calls == 1);
}

TEST_CASE("attempts that may be charged keep within the budget, too") {
  const scratch run;
  auto transport = std::make_shared<manual_transport>();
  auto broker = model_broker::make(
      inputs_for(run.path(), transport, budget{{3, 0, 0}, {}}));
  const auto first = ask(*broker, asking("a"));
  const auto second = ask(*broker, asking("b"));
  auto a = transport->take();
  auto b = transport->take();
  CHECK(a.pays_again());
  CHECK_FALSE(b.pays_again()); // two of the first, one of its own
  const error broken{ec::io, "broken"};
  b.done({broken, 1, call_fault::unclear, {}, {}, true});
  CHECK(transport->open() == 0); // it waits for what the first one leaves
  CHECK_FALSE(second->done());
  CHECK_FALSE(broker->halted());
  a.done({saying("a"), 0});
  CHECK(said(first->wait()) == "a");
  REQUIRE(transport->open() == 1);
  auto again = transport->take();
  CHECK_FALSE(again.pays_again());
  again.done({broken, 1, call_fault::unclear, {}, {}, true});
  REQUIRE(broker->halted());
  CHECK(broker->halted()->code == ec::over_budget);
  CHECK(broker->halted()->message.find("4 of 3 calls") != std::string::npos);
  CHECK(second->wait().error().code == ec::cancelled);
  CHECK(broker->view().spent.calls == 3);
  CHECK(broker->view().reserved == spending{});
  broker->close();
  CHECK(broker->spend().total().lost == 2); // on record: a resume counts them
}

TEST_CASE("a call that fails by itself does not take what others can use") {
  const scratch run;
  auto transport = std::make_shared<manual_transport>();
  auto broker = model_broker::make(
      inputs_for(run.path(), transport, budget{{9, 0, 0}, {}}));
  const auto other = ask(*broker, asking("a"));
  const auto bad = ask(*broker, asking("b"));
  auto held = transport->take();
  for (int attempt = 1; attempt <= 3; ++attempt) {
    REQUIRE(transport->open() == 1);
    transport->take().done(
        {error{ec::io, "broken"}, 1, call_fault::call, {}, {}, true});
  }
  CHECK(said(bad->wait()) == "error: broken");
  CHECK_FALSE(broker->halted());
  CHECK(broker->view().failed == 1);
  held.done({saying("a"), 0});
  CHECK(said(other->wait()) == "a");
  CHECK(broker->view().spent.calls == 4);
  broker->close();
}

TEST_CASE("at the end of the process calls at a server are not waited for") {
  const scratch run;
  auto transport = std::make_shared<manual_transport>();
  auto broker = model_broker::make(inputs_for(run.path(), transport));
  const auto open = ask(*broker, asking("a"));
  const auto quick = ask(*broker, asking("b"));
  REQUIRE(transport->open() == 2);
  broker->refuse_calls();
  CHECK(transport->stopped == "run");
  CHECK(ask(*broker, asking("c"))->wait().error().code == ec::cancelled);
  CHECK(transport->open() == 2); // they are paid: those have a while
  broker->end_calls(std::chrono::steady_clock::now());
  CHECK(open->wait().error().code == ec::cancelled);
  CHECK(quick->wait().error().code == ec::cancelled);
  CHECK_FALSE(broker->halted());          // the run can go on elsewhere
  CHECK(broker->view().spent.tokens > 0); // the servers may charge them
  broker->close();                        // at once
}

TEST_CASE("a refused key halts the broker") {
  const scratch run;
  auto transport = std::make_shared<manual_transport>();
  auto broker = model_broker::make(inputs_for(run.path(), transport));
  const auto asked = ask(*broker, asking("a"));
  transport->take().done(
      {error{ec::unauthorized, "wrong key"}, 0, call_fault::server});
  REQUIRE(broker->halted());
  CHECK(broker->halted()->message == "wrong key");
  broker->close();
  CHECK(asked->wait().error().code == ec::cancelled);
}

TEST_CASE("a server that answers nobody halts the broker and fails no call") {
  const auto fault = GENERATE(call_fault::unclear, call_fault::server);
  const scratch run;
  auto transport = std::make_shared<manual_transport>();
  auto broker = model_broker::make(inputs_for(run.path(), transport));
  const auto first = ask(*broker, asking("a"));
  const auto second = ask(*broker, asking("b"));
  transport->take().done({error{ec::io, "HTTP 500"}, 0, fault});
  REQUIRE(broker->halted());
  CHECK(broker->halted()->code == ec::exhausted);
  CHECK(broker->halted()->message == "HTTP 500");
  CHECK(transport->stopped == "run");
  CHECK(first->wait().error().code == ec::cancelled);
  // A reply that was under way is paid, so it is kept.
  transport->take().done({saying("late"), 0});
  CHECK(said(second->wait()) == "late");
  CHECK(ask(*broker, asking("c"))->wait().error().code == ec::cancelled);
  broker->close();
}

TEST_CASE("a call that stopped the run twice costs its job instead") {
  const scratch run;
  for (int session = 0; session < 3; ++session) {
    INFO("session " << session);
    auto transport = std::make_shared<manual_transport>();
    auto broker = model_broker::make(inputs_for(run.path(), transport));
    const auto asked = ask(*broker, asking("poison"));
    transport->take().done({error{ec::io, "HTTP 500"}, 0, call_fault::unclear});
    CHECK(broker->halted().has_value() == (session < 2));
    if (session == 2)
      CHECK_THAT(said(asked->wait()), Catch::Contains("HTTP 500; the run "));
    broker->close();
  }
  // A server that is down is no fault of the call, however often it stops.
  for (int session = 0; session < 4; ++session) {
    auto transport = std::make_shared<manual_transport>();
    auto broker = model_broker::make(inputs_for(run.path(), transport));
    const auto asked = ask(*broker, asking("other"));
    transport->take().done({error{ec::io, "gone"}, 0, call_fault::server});
    CHECK(broker->halted());
    broker->close();
  }
}

TEST_CASE("a call that fails by itself halts nobody") {
  const scratch run;
  auto transport = std::make_shared<manual_transport>();
  auto broker = model_broker::make(inputs_for(run.path(), transport));
  const auto asked = ask(*broker, asking("a"));
  transport->take().done({error{ec::refused_content, "filtered"}, 0});
  CHECK(said(asked->wait()) == "error: filtered");
  CHECK_FALSE(broker->halted());
  broker->close();
}

TEST_CASE("a run that is told to stop begins no call") {
  const scratch run;
  auto transport = std::make_shared<manual_transport>();
  auto in = inputs_for(run.path(), transport);
  in.owner = "r";
  auto broker = model_broker::make(std::move(in));
  int calls = 0;
  broker->when_halted([&] { ++calls; });
  const auto under_way = ask(*broker, asking("a"));
  broker->stop({ec::over_budget, "its time is over"});
  CHECK(calls == 1);
  CHECK(transport->stopped == "r");
  REQUIRE(broker->halted());
  CHECK(broker->halted()->message == "its time is over");
  const auto later = ask(*broker, asking("b"));
  CHECK(transport->open() == 1); // that of before, which is paid for
  transport->take().done({saying("a", 10), 0});
  CHECK(said(under_way->wait()) == "a");
  broker->close();
  CHECK(later->wait().error().code == ec::cancelled);
}

TEST_CASE("who is told no more is not being told either") {
  const scratch run;
  auto broker = model_broker::make(
      inputs_for(run.path(), std::make_shared<manual_transport>()));
  std::promise<void> begun, may_end;
  std::atomic<bool> told{false};
  broker->when_halted([&] {
    begun.set_value();
    may_end.get_future().wait();
    told = true;
  });
  const auto halting = std::async(std::launch::async, [&] {
    broker->stop({ec::over_budget, "over"});
  });
  begun.get_future().wait();
  auto leaving = std::async(std::launch::async, [&] {
    broker->when_halted({});
    return told.load();
  });
  CHECK(leaving.wait_for(std::chrono::milliseconds{50})
        == std::future_status::timeout);
  may_end.set_value();
  halting.wait();
  CHECK(leaving.get());
  broker->close();
}

TEST_CASE("who is being told may say that it wants to be told no more") {
  const scratch run;
  auto broker = model_broker::make(
      inputs_for(run.path(), std::make_shared<manual_transport>()));
  int calls = 0;
  broker->when_halted([&] {
    broker->when_halted({});
    ++calls;
  });
  broker->stop({ec::over_budget, "over"});
  CHECK(calls == 1);
  broker->close();
}

namespace {

/// A limit on files is the full disk that needs no privilege.
class full_disk {
public:
  full_disk() {
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before_) == 0);
    rlimit low = before_;
    low.rlim_cur = 100;
    ::setrlimit(RLIMIT_FSIZE, &low);
  }
  ~full_disk() { end(); }
  full_disk(const full_disk&) = delete;
  full_disk& operator=(const full_disk&) = delete;
  void end() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

private:
  rlimit before_{};
  void (*handler_)(int) = std::signal(SIGXFSZ, SIG_IGN);
};

} // namespace

TEST_CASE("a full disk gives no job up that waits for a reply") {
  const scratch run;
  auto transport = std::make_shared<manual_transport>();
  auto broker = model_broker::make(inputs_for(run.path(), transport));
  const auto asked = ask(*broker, asking("x"));
  SECTION("it halts the run, which can go on later") {
    const full_disk full;
    transport->take().done({saying("paid"), 0});
    CHECK(said(asked->wait()) == "error: the run ends");
    REQUIRE(broker->halted());
    CHECK(broker->halted()->code == ec::exhausted);
    broker->close();
  }
  SECTION("who is patient waits for space") {
    std::promise<std::string> told;
    broker->wait_for_space(
        [&told](const error& why) { told.set_value(why.message); });
    full_disk full;
    transport->take().done({saying("paid"), 0});
    CHECK_FALSE(told.get_future().get().empty());
    full.end();
    CHECK(said(asked->wait()) == "paid");
    CHECK_FALSE(broker->halted());
    broker->close();
  }
  SECTION("and no longer than the run") {
    std::promise<void> told;
    broker->wait_for_space([&told](const error&) { told.set_value(); });
    const full_disk full;
    transport->take().done({saying("paid"), 0});
    told.get_future().wait();
    broker->close();
    CHECK(said(asked->wait()) == "error: the run ends");
  }
}

TEST_CASE("a full disk halts a replay, which has no servers") {
  const scratch recorded, run;
  {
    auto broker = model_broker::make(
        inputs_for(recorded.path(), std::make_shared<talking_transport>()));
    CHECK(ask(*broker, asking("x"))->wait());
    broker->close();
  }
  auto in = inputs_for(run.path(), nullptr);
  auto replay = model_recording::open_for_replay(recorded.path());
  REQUIRE(replay);
  in.replay = *replay;
  auto broker = model_broker::make(std::move(in));
  const full_disk full;
  CHECK(said(ask(*broker, asking("x"))->wait()) == "error: the run ends");
  REQUIRE(broker->halted());
  CHECK(broker->halted()->code == ec::exhausted);
  broker->close();
}
