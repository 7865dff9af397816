/// The coordinator's port and a worker's connection over real sockets. Nothing
/// sleeps: every wait ends when what it waits for has happened.

#include "messages/wire/frame.hpp"
#include "tests/net/cluster_port.hpp"

#include <set>

using namespace brewery;
using namespace brewery::test;
using std::chrono::milliseconds;

TEST_CASE("frames pass both ways as they are, whatever is in them") {
  port here;
  const auto wire = connect(here.address(), "w1");
  const std::vector<std::string> frames = {"hello", std::string(1, '\0'), "",
                                           std::string(1 << 20, '\xff')};
  for (const auto& frame : frames) {
    send(*wire, frame);
    const auto got = here.next();
    CHECK(got.peer == "w1");
    CHECK(got.key.empty()); // plaintext: nobody knows who this is
    CHECK(got.frame == frame);
    here.send("w1", frame);
    CHECK(receive(*wire) == frame);
  }
  CHECK(here.out().dropped() == 0);
}

TEST_CASE("frames of one peer arrive in their order") {
  port here;
  const auto wire = connect(here.address(), "w1");
  for (int i = 0; i < 500; ++i)
    send(*wire, std::to_string(i));
  for (int i = 0; i < 500; ++i) {
    const auto got = here.next();
    REQUIRE(got.frame == std::to_string(i));
    here.send("w1", got.frame);
  }
  for (int i = 0; i < 500; ++i)
    REQUIRE(receive(*wire) == std::to_string(i));
}

TEST_CASE("frames that waited for a slow reader keep their order") {
  port here;
  const auto wire = connect(here.address(), "w1");
  send(*wire, "x");
  here.next();
  int sent = 0, last = -1, taken = 0;
  const auto more = [&](int count) {
    for (const int end = sent + count; sent < end; ++sent)
      here.send("w1", std::to_string(sent) + std::string(20'000, ' '));
  };
  more(4000);
  for (int i = 0; i < 1200; ++i) {
    const int number = std::stoi(receive(*wire));
    REQUIRE(number > last); // what was dropped leaves a gap
    last = number;
    if (++taken % 10 == 0) more(5);
  }
}

TEST_CASE("each peer gets its own frames") {
  port here;
  std::vector<std::unique_ptr<dealer>> wires;
  for (int i = 0; i < 20; ++i) {
    wires.push_back(connect(here.address(), "w" + std::to_string(i)));
    send(*wires.back(), "from " + std::to_string(i));
  }
  std::set<std::string> names;
  for (int i = 0; i < 20; ++i) {
    const auto got = here.next();
    names.insert(got.peer);
    here.send(got.peer, "for " + got.peer);
  }
  CHECK(names.size() == 20);
  for (int i = 0; i < 20; ++i)
    CHECK(receive(*wires[i]) == "for w" + std::to_string(i));
}

TEST_CASE("a local socket serves like a port") {
  const scratch folder;
  port here{"ipc://" + (folder.path() / "s").string()};
  const auto wire = connect(here.address(), "w1");
  send(*wire, "x");
  CHECK(here.next().frame == "x");
  here.send("w1", "y");
  CHECK(receive(*wire) == "y");
}

TEST_CASE("a frame to a peer that never came is reported, not dropped") {
  port here;
  here.send("nobody", "x");
  CHECK(here.is_told_gone("nobody"));
  CHECK(here.out().dropped() == 0);
}

TEST_CASE("a peer that goes is told of, without sending to it") {
  port here;
  {
    const auto wire = connect(here.address(), "w1");
    send(*wire, "x");
    here.next();
    CHECK(here.times_gone() == 0);
  }
  CHECK(here.is_told_gone("w1"));
}

TEST_CASE("a peer that comes back at once under its name is not gone") {
  port here;
  auto wire = connect(here.address(), "w1");
  send(*wire, "first");
  here.next();
  REQUIRE(wire->reconnect());
  send(*wire, "second");
  CHECK(here.next().frame == "second");
  here.send("w1", "answer");
  // The probe after the break reaches it too: no news for a worker.
  for (auto got = receive(*wire); got != "answer"; got = receive(*wire))
    CHECK(wire::kind_name(got) == heartbeat_reply::type_name);
  here.send("nobody", "x"); // what is told after the probes
  CHECK(here.is_told_gone("nobody"));
  CHECK_FALSE(here.times_gone() > 1);
}

TEST_CASE("without a coordinator nothing is taken to be sent") {
  const auto wire = connect("tcp://127.0.0.1:9", "w1");
  CHECK_FALSE(wire->send("x"));
  wire->wait(milliseconds{20});
  CHECK_FALSE(wire->send("x"));
  CHECK_FALSE(wire->receive());
  CHECK_FALSE(wire->refused());
}

TEST_CASE("a dealer finds its coordinator again after a restart") {
  // It is bound twice: no other test may get its number in between.
  auto here = std::make_unique<port>("tcp://127.0.0.4:*");
  const auto address = here->address();
  const auto wire = connect(address, "w1");
  send(*wire, "before");
  CHECK(here->next().frame == "before");
  here.reset();
  // The break is noticed: what is sent now must not wait for the next start,
  // which knows nothing of this session.
  REQUIRE(wait_until(*wire, [&] { return !wire->send("between"); }));
  here = std::make_unique<port>(address);
  send(*wire, "after");
  CHECK(here->next().frame == "after");
  here->send("w1", "answer");
  CHECK(receive(*wire) == "answer");
}

TEST_CASE("a wake-up from another thread ends a wait") {
  port here;
  const auto wire = connect(here.address(), "w1");
  const auto begun = std::chrono::steady_clock::now();
  std::thread other{[&] { wire->wake(); }};
  wire->wait(milliseconds{60'000});
  other.join();
  CHECK(std::chrono::steady_clock::now() - begun < patience);
}

TEST_CASE("a frame above the limit ends its sender's connection only") {
  port here;
  const auto good = connect(here.address(), "good");
  const auto bad = connect(here.address(), "bad");
  send(*good, "x");
  send(*bad, "x");
  here.next();
  here.next();
  send(*bad, std::string(wire::max_frame_bytes + 1, 'x'));
  CHECK(here.is_told_gone("bad"));
  send(*good, "still here");
  CHECK(here.next().frame == "still here");
  // At the limit it is taken.
  send(*good, std::string(wire::max_frame_bytes, 'x'));
  CHECK(here.next().frame.size() == wire::max_frame_bytes);
}

TEST_CASE("a peer that does not read delays nobody else, and is counted") {
  port here;
  const auto slow = connect(here.address(), "slow");
  const auto good = connect(here.address(), "good");
  send(*slow, "x");
  send(*good, "x");
  here.next();
  here.next();
  // More than its pipe, both buffers and the backlog hold.
  const auto big = std::make_shared<const std::string>(1 << 16, 'x');
  for (int i = 0; i < 4000; ++i)
    here.out().send("slow", big);
  here.send("good", "for the good one");
  CHECK(receive(*good) == "for the good one");
  CHECK(wait_until(*good, [&] { return here.out().dropped() > 0; }));
  here.send("good", "and another");
  CHECK(receive(*good) == "and another");
  CHECK(here.times_gone() == 0);
}

TEST_CASE("an address that is taken, wrong or open to others is refused") {
  port here;
  const auto start = [](const std::string& listen, bool anywhere = false) {
    gateway_options options;
    options.listen = listen;
    options.insecure_plaintext_anywhere = anywhere;
    return gateway::start(options, {});
  };
  const auto taken = start(here.address());
  REQUIRE_FALSE(taken);
  CHECK(taken.error().code == ec::in_use);
  CHECK(taken.error().message.find(here.address()) != std::string::npos);
  CHECK(start("nonsense").error().code == ec::invalid_argument);
  for (const auto* open : {"tcp://0.0.0.0:*", "tcp://*:*"}) {
    INFO(open);
    const auto got = start(open);
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ec::invalid_argument);
    CHECK(got.error().message.find("--insecure-plaintext-anywhere")
          != std::string::npos);
    CHECK(start(open, true).has_value());
  }
  CHECK(dealer::open({"nonsense", "w1", {}, {}}).error().code
        == ec::invalid_argument);
}
