#include "bench/cluster/cluster_fixture.hpp"

#include "actors/journal_actor.hpp"
#include "actors/ledger_actor.hpp"
#include "bench/cluster/process.hpp"
#include "config/print.hpp"
#include "run/setup/job_runner_factory.hpp"
#include "run/setup/problem.hpp"

#include <thread>

namespace brewery::bench {

namespace {

const run_id bench_run{"bench"};

template <class T>
T need(result<T> maybe) {
  if (!maybe) stop(to_string(maybe.error()));
  return std::move(*maybe);
}

/// A set-up as a run of the toy benchmark gives it to its workers.
std::string toy_setup() {
  config options;
  options.environment.kind = "toy";
  const auto shop =
      need(make_job_runner(options, need(load_benchmark(options.environment)),
                           std::make_shared<document_store>(),
                           std::make_shared<process_metrics>(), nullptr));
  return wire::encode(run_setup{shop.fingerprint, to_toml(options)});
}

} // namespace

cluster_fixture::cluster_fixture(bool durable, bool realtime) {
  cluster_runtime_inputs inputs;
  inputs.metrics = std::make_shared<process_metrics>();
  inputs.blobs = std::make_shared<blob_registry>();
  gateway_options port;
  port.listen = "tcp://127.0.0.1:*";
  port.realtime = realtime;
  inputs.listen = std::move(port);
  inputs.peer_kinds_of = all_are_workers();
  machine_ = need(cluster_runtime::start(std::move(inputs)));
  if (durable) {
    log_ = need(event_log::create(folder_.path()));
    journal_ =
        system().spawn<caf::detached>(journal, journal_inputs{log_, {}, {}});
    auto in = std::make_shared<ledger_inputs>();
    in->run = bench_run;
    in->pool = machine_->pool();
    in->journal = journal_;
    in->rest = log_rest;
    in->board = std::make_shared<progress_board>();
    ledger_ = system().spawn(ledger, in);
  }
  run_opening opening;
  opening.run = bench_run;
  setup_ = machine_->blobs()->add_setup(toy_setup());
  opening.setup = setup_->hash;
  if (durable) opening.ledger = ledger_;
  caf::anon_send(machine_->pool(), opening);
  if (auto ok = machine_->listen(); !ok) stop(to_string(ok.error()));
}

cluster_fixture::~cluster_fixture() {
  if (ledger_) caf::anon_send_exit(ledger_, caf::exit_reason::kill);
  if (journal_) caf::anon_send_exit(journal_, caf::exit_reason::kill);
  ledger_ = ledger_actor{};
  journal_ = journal_actor{};
}

feed cluster_fixture::new_feed() const {
  feed out;
  out.run = bench_run;
  out.pool = machine_->pool();
  out.ledger = ledger_;
  return out;
}

void cluster_fixture::wait_for_workers(std::size_t count) const {
  for (;;) {
    const auto now = status();
    if (now && now->workers.size() >= count) return;
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
}

} // namespace brewery::bench
