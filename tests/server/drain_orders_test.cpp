/// What becomes of an order to drain when its worker or the coordinator is
/// away. The test plays the workers.

#include "base/text.hpp"
#include "tests/server/coordinator_case.hpp"

#include <fstream>

using namespace brewery;
using namespace brewery::test;
using Catch::Contains;

namespace {

/// The next frame, which has to be of this kind.
template <class T>
T next(dealer& wire) {
  const auto message = wire::unframe(receive(wire));
  REQUIRE(message);
  REQUIRE(std::holds_alternative<T>(*message));
  return std::get<T>(*message);
}

struct played_worker {
  worker_hello hello;
  std::unique_ptr<dealer> wire;
  worker_welcome welcome{};

  explicit played_worker(const std::string& name) {
    hello.worker = name;
    hello.incarnation = random_id();
    hello.protocol_max = protocol_with_batches - 1; // a message a frame
    hello.roles = {"rollout"};
    hello.benchmarks = {{"toy", "*"}};
  }
  void join(const coordinator_case& c) {
    wire = connect(c.service->endpoint(), random_id());
    ++hello.sequence;
    test::send(*wire, wire::frame(hello));
    welcome = next<worker_welcome>(*wire);
  }
  void leave() {
    test::send(*wire, wire::frame(worker_goodbye{welcome.session, {}, "done"}));
  }
};

std::string only_worker_state(coordinator_case& c) {
  const auto workers = c.done("workers");
  REQUIRE(workers.size() == 1);
  return workers.at(0).at("state").get<std::string>();
}

fs::path drains(const coordinator_case& c) {
  return c.options.runs_dir / ".coordinator" / "draining";
}

std::string kept_drains(const coordinator_case& c) {
  const auto text = read_file(drains(c));
  REQUIRE(text);
  return *text;
}

} // namespace

TEST_CASE("an order to drain survives the coordinator") {
  coordinator_case c;
  played_worker w{"w"};
  w.join(c);
  CHECK(c.done("drain", {{"worker", "w"}}).at("workers") == 1);
  next<drain_order>(*w.wire);
  c.submit("night"); // there is work for it
  for (int restarts = 0; restarts < 2; ++restarts) {
    c.start();
    w.join(c);
    next<drain_order>(*w.wire); // before any job
    CHECK(only_worker_state(c) == "draining");
  }
  // Another process may have the name.
  played_worker other{"w"};
  c.start();
  other.join(c);
  next<lease_grant>(*other.wire);
}

TEST_CASE("a worker that has left is not kept among those that drain") {
  coordinator_case c;
  played_worker first{"first"}, second{"second"};
  first.join(c);
  second.join(c);
  c.done("drain", {{"worker", "first"}});
  CHECK(kept_drains(c) == first.hello.incarnation + "\n");
  first.leave();
  while (c.done("workers").size() > 1) {
  }
  c.done("drain", {{"worker", "second"}});
  CHECK(kept_drains(c) == second.hello.incarnation + "\n");
}

TEST_CASE("a worker that is away can be drained by its incarnation") {
  coordinator_case c;
  played_worker w{"w"};
  CHECK_THAT(c.refused("drain", {{"worker", w.hello.incarnation}}),
             Contains("should one of this incarnation come back, it drains"));
  c.start();
  w.join(c);
  next<drain_order>(*w.wire);
}

TEST_CASE("whatever is in the file of drains, a coordinator starts") {
  coordinator_case c;
  played_worker w{"w"};
  c.service.reset();
  const bool is_file = GENERATE(true, false);
  if (is_file)
    std::ofstream{drains(c)} << "w\n\n\xff\n"
                             << w.hello.incarnation << "\n0123";
  else
    fs::create_directory(drains(c));
  c.start();
  w.join(c);
  if (is_file) next<drain_order>(*w.wire);
  CHECK(only_worker_state(c) == (is_file ? "draining" : "idle"));
  // What cannot be noted is done all the same.
  CHECK(c.done("drain", {{"worker", "w"}}).at("workers") == 1);
}
