#include "run/cluster_runtime.hpp"

#include "actors/scheduler_threads.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "net/once_a_minute.hpp"
#include "process/realtime.hpp"
#include "workers/local_worker_pool.hpp"
#include "workers/pool_actor.hpp"
#include "workers/worker_actor.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <set>
#include <thread>

namespace brewery {

namespace {

struct system_config : caf::actor_system_config {
  explicit system_config(bool realtime) {
    register_types(*this);
    if (realtime) add_thread_hook<scheduler_threads>(schedule_in_realtime);
    // The actors only pass messages; the workers' threads do the work.
    set("scheduler.max-threads", std::size_t{2});
    // The default policy polls while idle.
    set("scheduler.policy", caf::atom("sharing"));
  }
};

} // namespace

std::shared_ptr<const setup_blob> blob_registry::add_setup(std::string text) {
  auto hash = content_hash(text);
  auto out = std::make_shared<const setup_blob>(
      setup_blob{std::move(hash), std::move(text)});
  const std::lock_guard lock{mutex_};
  std::erase_if(setups_, [](const auto& one) { return one.expired(); });
  setups_.push_back(out);
  return out;
}

std::shared_ptr<document_store> blob_registry::open_documents() {
  auto out = std::make_shared<document_store>();
  const std::lock_guard lock{mutex_};
  std::erase_if(opened_, [](const auto& store) { return store.expired(); });
  opened_.push_back(out);
  return out;
}

std::optional<std::string> blob_registry::find(const std::string& hash) const {
  if (const auto doc = documents->find({hash})) return doc->body;
  const std::lock_guard lock{mutex_};
  for (const auto& opened : opened_)
    if (const auto store = opened.lock())
      if (const auto doc = store->find({hash})) return doc->body;
  for (const auto& known : setups_)
    if (const auto setup = known.lock(); setup && setup->hash == hash)
      return setup->text;
  return std::nullopt;
}

void grading_registry::open(const run_id& run, grading where) {
  const std::lock_guard lock{mutex_};
  open_[run] = std::move(where);
}

void grading_registry::close(const run_id& run) {
  const std::lock_guard lock{mutex_};
  open_.erase(run);
}

grading grading_registry::find(const run_id& run) const {
  const std::lock_guard lock{mutex_};
  const auto found = open_.find(run);
  return found == open_.end() ? grading{} : found->second;
}

struct cluster_runtime::state {
  explicit state(cluster_runtime_inputs inputs) : in(std::move(inputs)) {}

  cluster_runtime_inputs in;
  broker_registry models;
  system_config setup{in.listen && in.listen->realtime};
  caf::actor_system system{setup};
  grading_registry grades;
  std::vector<worker_actor> threads;
  worker_handle pool_workers;
  pool_actor pool;
  std::shared_ptr<slot_meter> slots = std::make_shared<slot_meter>();
  std::shared_ptr<peer_router> router = std::make_shared<peer_router>();
  worker_acceptor_actor worker_acceptor;
  std::unique_ptr<gateway> port;
  /// For other threads than the one that opens and closes it.
  std::atomic<gateway*> open_port{nullptr};
};

namespace {

pool_observer observe(const std::shared_ptr<process_metrics>& metrics) {
  pool_observer out;
  out.on_load = [metrics](const table_counts& counts,
                          const std::vector<run_load>& loads, double oldest) {
    metrics->set_cluster(counts);
    metrics->set_loads(loads);
    metrics->set_oldest_inflight(oldest);
  };
  out.on_start = [metrics](double waited) { metrics->job_started(waited); };
  out.on_quarantine = [](const quarantined_job& job) {
    spdlog::warn("job_quarantined run={} job={} reason=\"{}\"", job.run.value,
                 job.job.value, job.reason);
  };
  out.on_waiting = [](const std::vector<std::string>& why) {
    for (const auto& line : why) {
      const auto id_end = line.find(": ");
      spdlog::info("waiting run={} {}", line.substr(0, id_end),
                   line.substr(id_end + 2));
    }
  };
  return out;
}

} // namespace

cluster_runtime::cluster_runtime(std::unique_ptr<state> started)
    : state_(std::move(started)) {}

result<std::unique_ptr<cluster_runtime>>
cluster_runtime::start(cluster_runtime_inputs inputs) {
  auto made = std::make_unique<state>(std::move(inputs));
  auto pool_in = std::make_shared<pool_inputs>();
  pool_in->options = made->in.cluster;
  pool_in->epoch = made->in.epoch;
  pool_in->observer = observe(made->in.metrics);
  pool_in->observer.on_slots = [meter = made->slots](std::size_t slots) {
    meter->set(slots, slot_meter::clock::now());
  };
  pool_in->observer.on_retry = [brokers = &made->models](const run_id& run,
                                                         const job_id& job) {
    brokers->ask_anew(run, job);
  };
  made->pool = made->system.spawn(brewery::pool, pool_in);
  if (made->in.runners) {
    const std::size_t count =
        made->in.threads > 0
            ? made->in.threads
            : std::max(1u, std::thread::hardware_concurrency());
    for (std::size_t i = 0; i < count; ++i)
      made->threads.push_back(
          made->system.spawn<caf::detached>(worker, made->in.runners));
    made->pool_workers =
        made->system.spawn(local_worker_pool, made->pool, made->threads);
  }
  return std::unique_ptr<cluster_runtime>{new cluster_runtime{std::move(made)}};
}

result<void> cluster_runtime::listen() {
  auto* parts = state_.get();
  if (!parts->in.listen || parts->port) return {};
  auto inputs = std::make_shared<worker_acceptor_inputs>();
  inputs->options = parts->in.cluster;
  inputs->epoch = parts->in.epoch;
  inputs->cluster = parts->in.cluster_id;
  inputs->pool = parts->pool;
  inputs->router = parts->router;
  inputs->send = [parts](const std::string& peer,
                         std::shared_ptr<const std::string> frame) {
    if (auto* port = parts->open_port.load())
      port->send(peer, std::move(frame));
  };
  inputs->blobs = [kb_index = parts->in.blobs](const std::string& hash) {
    return kb_index->find(hash);
  };
  inputs->models = [brokers = &parts->models](
                       const run_id& run, const model_call& call,
                       std::function<void(result<model_answer>)> done) {
    brokers->ask(run, call, std::move(done));
  };
  inputs->grades = [grades = &parts->grades](const run_id& run) {
    return grades->find(run);
  };
  inputs->peer_kinds_of = parts->in.peer_kinds_of;
  inputs->operators = parts->in.operators;
  inputs->on_event = [](const std::string& what) { spdlog::info("{}", what); };
  inputs->on_log = parts->in.on_worker_log;
  // At debug level only; the level may change while it runs.
  inputs->on_lease = [](const std::string& worker, const lease_order& order) {
    spdlog::debug("lease_granted run={} job={} attempt={} worker={}",
                  order.key.run.value, order.key.job.value, order.key.attempt,
                  worker);
  };
  inputs->on_refused = [metrics = parts->in.metrics](std::string_view) {
    metrics->peer_refused();
  };
  parts->worker_acceptor = parts->system.spawn(worker_acceptor, inputs);
  parts->router->open(parts->worker_acceptor);
  auto port = gateway::start(
      *parts->in.listen,
      {[router = parts->router](const peer_name& peer, std::string_view key,
                                std::string frame) {
         router->frame(peer, key, std::move(frame));
       },
       [router = parts->router](const peer_name& peer) { router->gone(peer); },
       [metrics = parts->in.metrics,
        named = std::set<std::string, std::less<>>{}](
           std::string_view key) mutable {
         metrics->peer_refused();
         // Limits the log lines, because a refused peer may try again and
         // again.
         constexpr std::size_t max_named = 1000;
         if (named.size() < max_named && named.emplace(key).second)
           spdlog::warn("refused key {}: it is not on the list; `brewery keys "
                        "list` shows who is",
                        key);
       },
       [metrics = parts->in.metrics,
        unjudged = once_a_minute{}](std::string_view why) mutable {
         metrics->peer_refused();
         if (!unjudged.happened(std::chrono::steady_clock::now())) return;
         spdlog::warn("nobody new can connect: {}; peers will try again", why);
       },
       [metrics = parts->in.metrics] { metrics->peer_refused(); },
       [exhausted = once_a_minute{}]() mutable {
         if (!exhausted.happened(std::chrono::steady_clock::now())) return;
         spdlog::error("nobody new can connect: the process has no descriptors "
                       "left; raise `ulimit -Hn`, peers will try again");
       }});
  if (!port) return port.error();
  parts->port = std::move(*port);
  parts->open_port = parts->port.get();
  return {};
}

cluster_runtime::~cluster_runtime() {
  auto& parts = *state_;
  parts.open_port = nullptr;
  parts.port.reset(); // no frame arrives any more
  {
    caf::scoped_actor self{parts.system};
    // Every actor must end, because ~actor_system waits for all of them.
    const auto stop = [&](const auto& actor) {
      if (actor) self->send_exit(actor, caf::exit_reason::user_shutdown);
    };
    stop(parts.worker_acceptor);
    for (const auto& peer : parts.router->all())
      stop(peer.proxy);
    stop(parts.pool);
    stop(parts.pool_workers);
    for (const auto& thread : parts.threads)
      stop(thread);
  }
  parts.router.reset();
  parts.worker_acceptor = worker_acceptor_actor{};
  parts.pool = pool_actor{};
  parts.pool_workers = worker_handle{};
  parts.threads.clear();
}

broker_registry& cluster_runtime::models() {
  return state_->models;
}

grading_registry& cluster_runtime::grades() {
  return state_->grades;
}

void cluster_runtime::disconnect() {
  constexpr std::chrono::seconds calls_end_within{3};
  state_->open_port = nullptr;
  state_->port.reset();
  state_->models.end_calls(calls_end_within);
}

caf::actor_system& cluster_runtime::system() {
  return state_->system;
}

const pool_actor& cluster_runtime::pool() const {
  return state_->pool;
}

const std::shared_ptr<process_metrics>& cluster_runtime::metrics() const {
  return state_->in.metrics;
}

std::shared_ptr<document_store> cluster_runtime::documents_of_run() const {
  const auto& blobs = state_->in.blobs;
  return state_->in.runners ? blobs->documents : blobs->open_documents();
}

const std::shared_ptr<blob_registry>& cluster_runtime::blobs() const {
  return state_->in.blobs;
}

std::size_t cluster_runtime::workers() const {
  return state_->threads.size() + state_->in.processes;
}

const std::shared_ptr<slot_meter>& cluster_runtime::slots() const {
  return state_->slots;
}

std::string cluster_runtime::endpoint() const {
  return state_->port ? state_->port->endpoint() : std::string{};
}

pool_status_ptr cluster_runtime::status() const {
  caf::scoped_actor self{state_->system};
  pool_status_ptr out;
  self->request(state_->pool, std::chrono::seconds{5}, atom::status_v)
      .receive([&](const pool_status_ptr& status) { out = status; },
               [](const caf::error&) {});
  return out;
}

void cluster_runtime::set_share(const run_id& run, run_share share) {
  caf::anon_send(state_->pool, share_change{run, share});
}

std::uint64_t cluster_runtime::drain(const std::string& worker) {
  caf::scoped_actor self{state_->system};
  std::uint64_t out = 0;
  self->request(state_->pool, std::chrono::seconds{5}, atom::drain_v, worker)
      .receive([&](std::uint64_t count) { out = count; },
               [](const caf::error&) {});
  return out;
}

namespace {

error not_confirmed(const checked_sessions& checked) {
  return {ec::malformed,
          fmt::format("not confirmed: {} ended, but of {} it cannot be said "
                      "whether the key is revoked: {}",
                      counted(checked.ended, "session"),
                      counted(checked.unknown, "session"), checked.why)};
}

} // namespace

result<std::uint64_t> cluster_runtime::check_keys() {
  result<std::uint64_t> out{0};
  if (!state_->worker_acceptor) return out;
  constexpr std::chrono::seconds patience{5};
  caf::scoped_actor self{state_->system};
  self->request(state_->worker_acceptor, patience, atom::check_v)
      .receive(
          [&](const checked_sessions& checked) {
            out = checked.ended;
            if (checked.unknown > 0) out = not_confirmed(checked);
          },
          [&](const caf::error&) {
            out = error{ec::timeout,
                        fmt::format("not confirmed within {} s; the keys "
                                    "are still to be checked",
                                    patience.count())};
          });
  return out;
}

bool cluster_runtime::alive() const {
  constexpr std::chrono::seconds stuck{10};
  const auto* port = state_->open_port.load();
  return !port || std::chrono::steady_clock::now() - port->last_turn() < stuck;
}

std::string cluster_runtime::why_not_ready() const {
  if (state_->in.listen && !state_->open_port.load())
    return "not listening yet: runs are being resumed";
  const auto now = status();
  if (!now) return "the pool does not answer";
  return now->paused ? "the disk is full: no event log can be written" : "";
}

} // namespace brewery
