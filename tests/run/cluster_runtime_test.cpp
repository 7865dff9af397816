/// What the runtime of a process says while its parts begin, or hang.

#include "messages/wire/frame.hpp"
#include "run/cluster_runtime.hpp"
#include "tests/net/cluster_port.hpp"

#include <future>

using namespace brewery;
using namespace brewery::test;
using Catch::Contains;

namespace {

cluster_runtime_inputs without_workers() {
  cluster_runtime_inputs out;
  out.metrics = std::make_shared<process_metrics>();
  out.blobs = std::make_shared<blob_registry>();
  return out;
}

cluster_runtime_inputs listening_in(const scratch& folder) {
  auto out = without_workers();
  out.listen =
      gateway_options{"ipc://" + (folder.path() / "c").string(), {}, {}, false};
  return out;
}

std::unique_ptr<cluster_runtime> started(cluster_runtime_inputs inputs) {
  auto made = cluster_runtime::start(std::move(inputs));
  REQUIRE(made);
  return std::move(*made);
}

} // namespace

TEST_CASE("keys count as checked only when that is confirmed") {
  const scratch folder;
  std::promise<void> is_asked, goes_on;
  auto inputs = listening_in(folder);
  inputs.peer_kinds_of = [&](const std::vector<std::string>& keys) {
    if (!keys.empty()) { // a disk that hangs while a worker says hello
      is_asked.set_value();
      goes_on.get_future().wait();
    }
    return std::vector(keys.size(), result<std::string>{""});
  };
  const auto machine = started(std::move(inputs));
  REQUIRE(machine->listen());
  const auto wire = connect(machine->endpoint(), "w");
  worker_hello hello;
  hello.protocol_min = hello.protocol_max = 4;
  hello.worker = hello.incarnation = "w";
  hello.slots = 1;
  hello.roles = {"rollout"};
  send(*wire, wire::frame(hello));
  is_asked.get_future().wait();
  const auto hanging = machine->check_keys();
  goes_on.set_value();
  REQUIRE_FALSE(hanging);
  CHECK(hanging.error().code == ec::timeout);
  CHECK_THAT(hanging.error().message, Contains("not confirmed within 5 s"));
  const auto checked = machine->check_keys();
  REQUIRE(checked);
  CHECK(*checked == 0);
}

TEST_CASE("documents of a run are found until it has ended") {
  const auto machine = started(without_workers());
  auto run = machine->documents_of_run();
  const auto other = machine->documents_of_run();
  const auto mine = run->add("# A\n")->hash.value;
  const auto shared = run->add("# B\n")->hash.value;
  other->add("# B\n");
  CHECK(machine->blobs()->find(mine) == "# A\n");
  CHECK_FALSE(other->find({mine}));
  run.reset();
  CHECK_FALSE(machine->blobs()->find(mine));
  CHECK(machine->blobs()->find(shared) == "# B\n");
}

TEST_CASE("threads of the process find the documents of a run") {
  auto inputs = without_workers();
  inputs.runners = [](const run_id&) { return nullptr; };
  inputs.threads = 1;
  const auto blobs = inputs.blobs;
  const auto machine = started(std::move(inputs));
  const auto hash = machine->documents_of_run()->add("# A\n")->hash;
  CHECK(blobs->documents->find(hash));
}

TEST_CASE("health can be asked for while the port opens") {
  const scratch folder;
  auto inputs = listening_in(folder);
  inputs.peer_kinds_of = all_are_workers();
  const auto machine = started(std::move(inputs));
  CHECK_THAT(machine->why_not_ready(), Contains("not listening yet"));
  std::atomic<bool> is_open{false};
  auto asking = std::async(std::launch::async, [&] {
    bool alive = true;
    while (alive && !(is_open && machine->why_not_ready().empty()))
      alive = machine->alive();
    return alive;
  });
  REQUIRE(machine->listen());
  is_open = true;
  CHECK(asking.get());
}

TEST_CASE("a set-up is found while a run that has it goes on") {
  blob_registry blobs;
  auto first = blobs.add_setup("seed = 1\n");
  auto second = blobs.add_setup("seed = 1\n");
  const auto hash = first->hash;
  CHECK(second->hash == hash);
  first.reset();
  CHECK(blobs.find(hash) == "seed = 1\n");
  second.reset();
  CHECK_FALSE(blobs.find(hash));
}
