#include "run/run_lifecycle.hpp"

#include "config/print.hpp"
#include "messages/wire/codec.hpp"
#include "run/interrupt.hpp"
#include "run/metrics_endpoint.hpp"
#include "run/run_identity.hpp"
#include "run/run_pipeline.hpp"
#include "run/setup/job_runner_factory.hpp"
#include "run/setup/spreadsheet_setup.hpp"
#include "run/split_record.hpp"
#include "run/worker_children.hpp"
#include "store/run_status.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace brewery {

namespace {

/// Stops a run when its time is over or its models halt. Ends with its scope.
class run_deadline {
public:
  run_deadline(run_executor& machine, const run_inputs& in)
      : machine_(machine), broker_(in.models.broker) {
    if (broker_) broker_->when_halted([this] { machine_.stop(); });
    const double hours = in.options.budget.max_hours;
    if (hours <= 0) return;
    timer_ = std::thread{[this, hours] {
      std::unique_lock lock{mutex_};
      const std::chrono::duration<double, std::ratio<3600>> limit{hours};
      if (ended_.wait_for(lock, limit, [this] { return over_; })) return;
      why_ = error{ec::over_budget,
                   fmt::format("budget.max_hours = {} is used up", hours)};
      machine_.stop();
    }};
  }
  ~run_deadline() {
    if (broker_) broker_->when_halted({});
    {
      const std::lock_guard lock{mutex_};
      over_ = true;
    }
    ended_.notify_all();
    if (timer_.joinable()) timer_.join();
  }
  run_deadline(const run_deadline&) = delete;
  run_deadline& operator=(const run_deadline&) = delete;

  [[nodiscard]] std::optional<error> why() const {
    if (broker_)
      if (auto halted = broker_->halted()) return halted;
    const std::lock_guard lock{mutex_};
    return why_;
  }

private:
  run_executor& machine_;
  std::shared_ptr<model_broker> broker_;
  mutable std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::optional<error> why_;
  std::thread timer_;
};

/// Ends the session of a run with what it came to.
void end_session(run_status_file& session, const result<run_summary>& summary,
                 const run_models& models) {
  const auto stored = session.end_session(
      std::chrono::system_clock::now(), [&](run_status& status) {
        if (models.broker) status.cost_usd = spent_usd(models);
        if (summary) {
          status.state = run_state::finished;
          status.seconds = summary->seconds; // as the report says
          status.workers = summary->workers;
          status.failed_jobs = summary->failed_jobs;
          return;
        }
        const auto& why = summary.error();
        const bool may_continue =
            why.code == ec::cancelled || why.code == ec::over_budget;
        status.state =
            may_continue ? run_state::interrupted : run_state::failed;
        if (why.code != ec::cancelled) status.reason = why.message;
      });
  if (!stored) spdlog::warn("{}", stored.error().message);
}

result<run_summary>
play(cluster_runtime& on, run_inputs& inputs, const problem& what,
     const configured_runner& shop, memo_content known,
     const std::shared_ptr<run_status_file>& session,
     const std::function<void(run_executor*)>& on_executor) {
  // Workers don't see model names or goldens, but both affect results, so they
  // join the fingerprint.
  const auto& goldens = what.source->goldens();
  const auto fingerprint = shop.fingerprint + inputs.models.names
                           + (goldens.empty() ? "" : " goldens=" + goldens);
  if (extend(known, inputs.options)) {
    std::error_code ignored; // it marks the run as finished
    std::filesystem::remove(inputs.directory.report(), ignored);
  }
  const auto started = started_with(known, fingerprint, inputs.options);
  run_executor_inputs executor_in;
  executor_in.id = {inputs.directory.id()};
  executor_in.share = inputs.share;
  executor_in.benchmark = what.source->fingerprint();
  executor_in.goldens = goldens;
  executor_in.setup = wire::encode(
      run_setup{shop.fingerprint, to_toml(inputs.options), goldens});
  executor_in.log = inputs.log;
  executor_in.known = std::move(known);
  executor_in.patient = inputs.patient;
  executor_in.status = session;
  run_executor machine{on, std::move(executor_in)};
  std::optional<error> stopped;
  result<run_summary> summary = error{ec::internal, "not begun"};
  {
    const run_deadline watch{machine, inputs};
    on_executor(&machine);
    run_pipeline work{inputs, what, fingerprint, *on.documents(), machine};
    summary = work.run(started);
    if (!summary) stopped = watch.why();
    if (summary) {
      summary->seconds = session->seconds(std::chrono::system_clock::now());
      if (auto ok = work.write(*summary); !ok) summary = ok.error();
    } else if (stopped) {
      summary = stopped_because(inputs.models, *stopped);
      if (auto ok = work.write_unfinished(); !ok) summary = ok.error();
    }
    on_executor(nullptr);
  }
  return summary;
}

} // namespace

result<run_summary>
run_on_cluster(cluster_runtime& on, run_inputs inputs, const problem& what,
               const std::function<void(run_executor*)>& on_executor) {
  const auto& broker = inputs.models.broker;
  if (what.source->name() == spreadsheet::benchmark_name)
    if (auto ok = record_split(inputs.directory.path(), what); !ok)
      return ok.error();
  const auto shop = make_job_runner(inputs.options, what.source, on.documents(),
                                    on.metrics(), broker);
  if (!shop) return shop.error();
  auto known = load_memo(*inputs.log);
  if (!known) return known.error();
  const auto session = run_status_file::begin_session(
      inputs.directory.path(), std::chrono::system_clock::now());
  if (!session) return session.error();
  const run_id id{inputs.directory.id()};
  if (broker) on.models().open(id, broker);
  auto summary =
      play(on, inputs, what, *shop, std::move(*known), *session, on_executor);
  if (broker) {
    broker->close();
    on.models().close(id);
  }
  end_session(**session, summary, inputs.models);
  return summary;
}

namespace {

/// The workers of `brewery run`: threads of this process, or child processes
/// behind a private socket.
struct own_workers {
  std::unique_ptr<worker_children> children;
  std::unique_ptr<cluster_runtime> machine;
};

result<own_workers> start_own_workers(const config& options,
                                      const problem& what,
                                      std::shared_ptr<process_metrics> metrics,
                                      std::shared_ptr<model_port> models) {
  own_workers out;
  cluster_runtime_inputs inputs;
  inputs.metrics = std::move(metrics);
  inputs.blobs = std::make_shared<blob_registry>();
  inputs.cluster = options.cluster.options();
  if (options.run.workers == 0) {
    // All workers run on one machine with one program, so a retry would fail in
    // the same way.
    inputs.cluster.max_failures = 1;
    auto shop = make_job_runner(options, what.source, inputs.blobs->documents,
                                inputs.metrics, std::move(models));
    if (!shop) return shop.error();
    inputs.runner = shop->runner;
    inputs.threads = options.run.threads;
  } else {
    auto made = worker_children::make(options);
    if (!made) return made.error();
    out.children = std::move(*made);
    what.source->release_children();
    inputs.processes = options.run.workers;
    inputs.listen = {out.children->address(), {}, {}, false};
    inputs.peer_kind_of = [](const std::string&) {
      return std::string{"worker"};
    };
  }
  auto started = cluster_runtime::start(std::move(inputs));
  if (!started) return started.error();
  out.machine = std::move(*started);
  return out;
}

} // namespace

result<run_summary> run_to_end(run_inputs inputs, const problem& what,
                               const run_observer& observer) {
  const auto metrics = std::make_shared<process_metrics>();
  auto models = open_models(inputs.options, inputs.directory.path(),
                            inputs.replay, metrics);
  if (!models) return models.error();
  inputs.models = *models;
  auto workers =
      start_own_workers(inputs.options, what, metrics, models->broker);
  if (!workers) return workers.error();
  auto& on = *workers->machine;
  auto endpoint = serve_metrics(inputs.options.run.metrics_listen, on);
  if (!endpoint) return endpoint.error();
  std::mutex mutex;
  run_executor* machine = nullptr; // guarded by mutex
  result<run_summary> summary = error{ec::internal, "the run did not start"};
  {
    interrupt_watch watch{[&] {
                            observer.on_interrupt();
                            const std::lock_guard lock{mutex};
                            if (machine) machine->stop();
                          },
                          [&] {
                            if (workers->children)
                              workers->children->restart_ended();
                            const std::lock_guard lock{mutex};
                            if (!machine) return;
                            auto view = machine->board().view();
                            view.models = models_text(*models);
                            view.spent = cost_text(*models);
                            report_spending(*models, *metrics);
                            observer.on_progress(view);
                          }};
    summary =
        run_on_cluster(on, std::move(inputs), what, [&](run_executor* now) {
          {
            const std::lock_guard lock{mutex};
            machine = now;
            if (now && watch.interrupted()) now->stop();
          }
          if (!now || !workers->children) return;
          // The search is open now, so workers may join.
          if (auto ok = on.listen(); ok)
            workers->children->start();
          else
            spdlog::error("{}", ok.error().message);
        });
    if (!summary && watch.interrupted())
      summary = error{ec::cancelled, "stopped"};
  }
  return summary;
}

} // namespace brewery
