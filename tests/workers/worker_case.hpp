#pragma once
/// A worker process inside the test, at a ROUTER socket on a local path; the
/// test plays the coordinator. Every wait ends with what was waited for, or
/// fails the test.

#include "base/hash.hpp"
#include "messages/wire/codec.hpp"
#include "tests/fixtures/toy_search.hpp"
#include "tests/net/cluster_port.hpp"
#include "workers/worker_process.hpp"

#include <future>

namespace brewery::test {

using namespace std::chrono_literals;

inline constexpr std::chrono::seconds longest{60};
inline const std::string setup_text = "the set-up";
inline const std::string setup_hash = content_hash(setup_text);

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
  worker_hello welcome(std::uint64_t number,
                       std::vector<lease_key> adopted = {},
                       std::chrono::milliseconds heartbeat = 15s) {
    auto hello = next<worker_hello>();
    worker_welcome out;
    out.hello = hello.sequence;
    out.session = number;
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

/// As workers are called that have a spool.
inline constexpr const char* first_id = "0000000000000001";
inline constexpr const char* second_id = "0000000000000002";

/// A worker process on a thread, on the toy benchmark.
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

  job rollout(std::uint32_t trial = 0) const {
    return make_job(make_rollout_job(settings_for(*tasks), {"train-000"}, trial,
                                     {}, false));
  }
  lease_key lease(std::uint64_t attempt = 1) const {
    return {{"s"}, rollout().id, attempt, 7};
  }
  void grant(std::uint64_t number) {
    coordinator->say(
        lease_grant{number, lease(), setup_hash, wire::encode(rollout()), 0});
  }
  lease_key grant_trial(std::uint64_t number, std::uint32_t trial) {
    const auto work = rollout(trial);
    const lease_key key{{"s"}, work.id, trial + 1, 7};
    coordinator->say(
        lease_grant{number, key, setup_hash, wire::encode(work), 0});
    return key;
  }
  /// Until the worker knows that its result is in the log.
  void acknowledge(std::uint64_t number) {
    coordinator->say(result_ack{number, lease(), result_verdict::counted});
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

} // namespace brewery::test
