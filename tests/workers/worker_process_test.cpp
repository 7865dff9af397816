/// A worker process inside the test, at a ROUTER socket on a local path; the
/// test plays the coordinator. Every wait ends with what was waited for, or
/// fails the test.

#include "base/compression.hpp"
#include "base/hash.hpp"
#include "cluster/packed_result.hpp"
#include "messages/wire/codec.hpp"
#include "tests/fixtures/toy_search.hpp"
#include "tests/net/cluster_port.hpp"
#include "workers/worker_process.hpp"

#include <future>

using namespace brewery;
using namespace brewery::test;
using namespace std::chrono_literals;

namespace {

constexpr std::chrono::seconds longest{60};
const std::string setup_text = "the set-up";
const std::string setup_hash = content_hash(setup_text);

/// A coordinator played by hand.
class acted_coordinator {
public:
  explicit acted_coordinator(const std::filesystem::path& folder,
                             const key_ring* ring = nullptr)
      : wire_("ipc://" + (folder / "c").string(), ring) {}

  /// The next message of this kind; others are passed over.
  template <class T>
  T next() {
    const auto end = std::chrono::steady_clock::now() + longest;
    while (std::chrono::steady_clock::now() < end) {
      if (came_.empty()) read();
      const auto message = wire::unframe(came_.front());
      came_.pop_front();
      REQUIRE(message);
      if (const auto* one = std::get_if<T>(&*message)) return *one;
    }
    FAIL("no " << T::type_name << " came");
    return {};
  }
  template <class T>
  void say(const T& message) {
    wire_.send(peer_, wire::frame(message));
  }
  void say_bytes(const std::string& frame) { wire_.send(peer_, frame); }
  std::string address() const { return wire_.address(); }

  /// Opens a session for the hello that comes next.
  worker_hello welcome(std::uint64_t session,
                       std::vector<lease_key> adopted = {},
                       std::chrono::milliseconds heartbeat = 15s) {
    auto hello = next<worker_hello>();
    worker_welcome out;
    out.hello = hello.sequence;
    out.session = session;
    out.epoch = 7;
    out.lease_ms = 60'000; // no pause of this machine ends the session
    out.heartbeat_ms = static_cast<std::uint64_t>(heartbeat.count());
    out.adopted = std::move(adopted);
    say(out);
    return hello;
  }

private:
  void read() {
    const auto came = wire_.next();
    peer_ = came.peer;
    const auto frames = wire::frames_in(came.frame);
    REQUIRE(frames);
    came_.assign(frames->begin(), frames->end());
  }

  port wire_;
  std::string peer_;
  std::deque<std::string> came_; ///< not looked at yet
};

/// A worker process on a thread, on the toy benchmark. `gate`, where there is
/// one, holds every rollout until the test lets go.
/// As workers are called that have a spool.
constexpr const char* first_id = "0000000000000001";
constexpr const char* second_id = "0000000000000002";

struct worker_case {
  scratch folder;
  std::optional<acted_coordinator> coordinator{folder.path()};
  std::promise<void> let_go, reached;
  std::shared_ptr<const benchmark> tasks = make_toy_benchmark({});
  std::mutex mutex;
  std::vector<std::string> log; ///< guarded by mutex
  std::optional<worker_process> worker;
  std::future<result<void>> ended;
  bool hangs = false;

  ~worker_case() {
    if (hangs) let_go.set_value();
    if (worker) worker->stop();
    if (ended.valid()) (void)ended.get();
  }

  worker_process_inputs inputs(const std::string& incarnation = first_id) {
    worker_process_inputs in;
    in.profile.name = "w";
    in.profile.incarnation = incarnation;
    in.profile.slots = 2;
    in.profile.roles = {job_kind::rollout};
    in.options.resend = 1s; // its hello is answered before it says another
    in.connection = {coordinator->address(), incarnation, {}, {}};
    in.spool_root = folder.path() / "spool";
    in.grace = 0ms;
    in.make_runner = [source = tasks](const std::string& setup)
        -> result<std::shared_ptr<const job_runner>> {
      if (setup != setup_text)
        return error{ec::version_mismatch, "not this set-up"};
      return std::make_shared<const job_runner>(
          source, procedural_roles({}, {}), std::make_shared<document_store>(),
          retrieval_options{});
    };
    in.on_event = [this](const std::string& line) {
      const std::lock_guard lock{mutex};
      log.push_back(line);
    };
    return in;
  }
  void start(worker_process_inputs in) {
    worker.emplace(std::move(in));
    ended = std::async(std::launch::async, [this] { return worker->run(); });
  }
  /// Rollouts hang until `resume`.
  void hang() {
    hangs = true;
    tasks = std::make_shared<breaking_benchmark>(
        tasks, [this, gate = let_go.get_future().share(),
                once = std::make_shared<std::once_flag>()](const task_id&) {
          std::call_once(*once, [this] { reached.set_value(); });
          gate.wait();
          return false;
        });
  }
  void resume() {
    hangs = false;
    let_go.set_value();
  }
  bool begun() {
    return reached.get_future().wait_for(longest) == std::future_status::ready;
  }
  result<void> end() {
    REQUIRE(ended.wait_for(longest) == std::future_status::ready);
    return ended.get();
  }
  bool said(const std::string& part) {
    const std::lock_guard lock{mutex};
    return std::any_of(log.begin(), log.end(), [&](const auto& line) {
      return line.find(part) != std::string::npos;
    });
  }

  job rollout() const {
    return make_job(
        make_rollout_job(settings_for(*tasks), {"train-000"}, 0, {}, false));
  }
  lease_key lease(std::uint64_t attempt = 1) const {
    return {{"s"}, rollout().id, attempt, 7};
  }
  void grant(std::uint64_t session) {
    coordinator->say(
        lease_grant{session, lease(), setup_hash, wire::encode(rollout()), 0});
  }
  /// Until the worker knows that its result is in the log.
  void acknowledge(std::uint64_t session) {
    coordinator->say(result_ack{session, lease(), result_verdict::counted});
    while (!coordinator->next<worker_heartbeat>().jobs.empty())
      ;
  }
  void give_setup() {
    const auto asked = coordinator->next<blob_request>();
    CHECK(asked.hashes == std::vector<std::string>{setup_hash});
    coordinator->say(blob_content{setup_hash, true, setup_text});
  }
  std::size_t spooled() const {
    std::size_t out = 0;
    std::error_code none;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             folder.path() / "spool", none))
      out += entry.path().filename().string().starts_with("result-");
    return out;
  }
};

} // namespace

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
