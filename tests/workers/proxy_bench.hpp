#pragma once
/// One proxy, between a stub pool and a worker that the test plays.

#include "tests/workers/remote_bench.hpp"

#include <algorithm>

namespace brewery::test {

inline constexpr std::uint64_t session = 42;

struct proxy_bench {
  deterministic_system actors;
  std::shared_ptr<stub_pool> pool = std::make_shared<stub_pool>();
  std::vector<std::string> frames; ///< to the worker
  std::vector<std::string> log;
  std::vector<std::string> worker_log;
  std::optional<std::string> blob_store{"content"};
  std::size_t looked_up = 0;
  grading grades; ///< of every run
  microseconds now{0};
  cluster_options options;
  pool_actor pool_handle;
  remote_worker_actor proxy;
  std::shared_ptr<bool> over = std::make_shared<bool>(false);

  explicit proxy_bench(worker_hello hello = hello_of("w"),
                       std::vector<job_table::adoption> adopts = {}) {
    pool->adopts = std::move(adopts);
    auto inputs = std::make_shared<remote_worker_inputs>();
    inputs->options = options;
    inputs->hello = std::move(hello);
    inputs->session = session;
    inputs->epoch = 7;
    pool_handle = actors.own(actors.system().spawn(stub_pool::run, pool));
    inputs->pool = pool_handle;
    inputs->send = [this](std::shared_ptr<const std::string> frame) {
      frames.push_back(*frame);
    };
    inputs->blobs = [this](const std::string& hash) {
      ++looked_up;
      return hash == "known" ? blob_store : std::nullopt;
    };
    inputs->grades = [this](const run_id&) { return grades; };
    inputs->on_event = [this](const std::string& what) { log.push_back(what); };
    inputs->on_log = [this](const std::string& who, const std::string& line) {
      worker_log.push_back(who + ": " + line);
    };
    inputs->now = [this] { return now; };
    proxy = actors.own(actors.system().spawn(remote_worker, inputs));
    actors.own(caf::actor{actors.system().spawn(
        [down = over, watched = proxy](caf::event_based_actor* self) {
          self->set_down_handler([down](caf::down_msg&) { *down = true; });
          self->monitor(watched);
          self->become([](int) {});
        })});
    actors.run();
  }
  ~proxy_bench() {
    pool->joined.clear();
    pool_handle = pool_actor{};
    grades = {};
  }

  bool ended() const { return *over; }
  void arrives(std::string bytes) {
    actors.send(proxy, arrived_message{std::make_shared<const std::string>(
                           std::move(bytes))});
    actors.run();
  }
  void says(const wire::message& body) { arrives(wire::frame(body)); }
  void says_together(const std::vector<wire::message>& bodies) {
    std::vector<wire::shared_frame> all;
    for (const auto& body : bodies)
      all.push_back(bytes_of(body));
    arrives(*wire::batched(std::move(all)).front());
  }
  void orders_of(std::vector<worker_order> what) {
    actors.send(proxy, to_worker{std::move(what)});
    actors.run();
  }
  template <class T>
  void orders(T what) {
    orders_of({std::move(what)});
  }
  void connection_breaks() {
    actors.send(proxy, atom::gone_v);
    actors.run();
  }
  void pass(std::chrono::milliseconds time) {
    actors.pass(time, [this](std::chrono::milliseconds step) { now += step; });
  }
  void grant(const std::string& job) {
    orders(lease_order{lease_of(job), std::make_shared<const brewery::job>(),
                       "setup"});
  }
  void beat(std::uint64_t number, std::vector<worker_job> jobs) {
    says(worker_heartbeat{session, number, std::move(jobs), false});
  }
  template <class T>
  std::vector<T> sent() const {
    return among<T>(frames);
  }
  bool logged(const std::string& part) const {
    return std::any_of(log.begin(), log.end(), [&](const auto& line) {
      return line.find(part) != line.npos;
    });
  }
};

} // namespace brewery::test
