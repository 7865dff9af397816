#include "run/run_lifecycle.hpp"

#include "config/print.hpp"
#include "messages/wire/codec.hpp"
#include "run/guarded.hpp"
#include "run/interrupt.hpp"
#include "run/metrics_endpoint.hpp"
#include "run/resume/earlier_runs.hpp"
#include "run/run_identity.hpp"
#include "run/run_pipeline.hpp"
#include "run/run_watch.hpp"
#include "run/setup/disk_patience.hpp"
#include "run/setup/job_runner_factory.hpp"
#include "run/setup/run_checks.hpp"
#include "run/setup/split_record.hpp"
#include "run/setup/spreadsheet_setup.hpp"
#include "run/worker_children.hpp"
#include "store/run_status.hpp"

#include <spdlog/spdlog.h>

#include <mutex>
#include <optional>

namespace brewery {

namespace {

struct played_run {
  result<run_summary> summary = error{ec::internal, "not begun"};
  bool stopped = false;   ///< by a limit, or by its models
  std::size_t failed = 0; ///< jobs
};

/// Ends the session of a run with what it came to.
void end_session(run_status_file& session, const played_run& played,
                 const run_inputs& inputs) {
  const auto& models = inputs.models;
  const auto& summary = played.summary;
  const auto stored = session.end_session(
      std::chrono::system_clock::now(), [&](run_status& status) {
        if (models.broker) status.cost_usd = spent_usd(models);
        status.failed_jobs = played.failed;
        if (summary) {
          status.state = run_state::finished;
          status.seconds = summary->seconds; // as the report says
          status.workers = summary->workers;
          return;
        }
        const auto& why = summary.error();
        const bool may_continue =
            why.code == ec::cancelled || (played.stopped && may_go_on(why));
        status.state = inputs.cancelled && inputs.cancelled()
                           ? run_state::cancelled
                       : may_continue ? run_state::interrupted
                                      : run_state::failed;
        if (why.code != ec::cancelled) status.reason = why.message;
        status.spent = status.state == run_state::interrupted
                       && why.code == ec::over_budget;
      });
  if (!stored) spdlog::warn("{}", stored.error().message);
}

struct prepared_run {
  fingerprints prints;
  configured_runner shop;
  memo_content known;                     ///< from the log
  std::unique_ptr<rollout_reuse> reuse{}; ///< null: every rollout is played
  std::shared_ptr<document_store> documents{};
};

/// Before a session begins, so a run that is refused keeps its status.
result<prepared_run> prepare(cluster_runtime& on, const run_inputs& inputs,
                             const problem& what) {
  auto documents = on.documents_of_run();
  auto shop = make_job_runner(inputs.options, what.source, documents,
                              on.metrics(), inputs.models.broker);
  if (!shop) return shop.error();
  auto known = load_memo(*inputs.log);
  if (!known) return known.error();
  auto prints =
      as_recorded(*known, fingerprints_of(*shop, inputs.models, what));
  prepared_run out{std::move(prints), std::move(*shop), std::move(*known)};
  const auto longer = extend(out.known, out.prints.whole, inputs.options);
  if (!longer) return longer.error();
  if (*longer)
    if (auto ok = inputs.directory.reopen(); !ok) return ok.error();
  auto reuse =
      make_reuse({inputs.directory.path(), inputs.options, out.prints.playing},
                 inputs.siblings, !out.known.logged.empty(), documents);
  if (!reuse) return reuse.error();
  out.documents = std::move(documents);
  out.reuse = std::move(*reuse);
  return out;
}

/// Shows the executor to whoever asks, as long as it is there.
class shown_executor {
public:
  shown_executor(const std::function<void(run_executor*)>& to,
                 run_executor& now)
      : to_(to) {
    to_(&now);
  }
  ~shown_executor() { to_(nullptr); }
  shown_executor(const shown_executor&) = delete;
  shown_executor& operator=(const shown_executor&) = delete;

private:
  const std::function<void(run_executor*)>& to_;
};

/// Whether nobody waits until there is space on the disk again.
std::function<bool()> impatience_of(const run_inputs& inputs) {
  return [&inputs] {
    return !inputs.patient || (inputs.abandoned && inputs.abandoned());
  };
}

played_run play(cluster_runtime& on, run_inputs& inputs, const problem& what,
                prepared_run made,
                const std::shared_ptr<run_status_file>& session,
                const std::function<void(run_executor*)>& on_executor) {
  const auto started = started_with(made.known, made.prints, inputs.options);
  const auto& goldens = what.source->goldens();
  run_executor_inputs executor_in;
  executor_in.id = {inputs.directory.id()};
  executor_in.share = inputs.share;
  executor_in.benchmark = what.source->fingerprint();
  executor_in.goldens = goldens;
  executor_in.benchmark_name = inputs.options.environment.kind;
  executor_in.needs = inputs.options.environment.needs;
  executor_in.setup = wire::encode(
      run_setup{made.shop.fingerprint, to_toml(inputs.options), goldens});
  executor_in.log = inputs.log;
  executor_in.known = std::move(made.known);
  executor_in.patient = inputs.patient;
  executor_in.reuse = std::move(made.reuse);
  executor_in.status = session;
  executor_in.jobs_of_others = inputs.jobs_of_others;
  if (inputs.models.broker)
    executor_in.cost_usd = [models = inputs.models] {
      return spent_usd(models);
    };
  if (inputs.hold_after && inputs.options.search.learner == "brew"
      && !inputs.options.search.strategies.empty())
    executor_in.hold = {inputs.options.search.strategies.front(),
                        *inputs.hold_after};
  if (inputs.log) executor_in.snapshots = inputs.directory.snapshots();
  executor_in.documents = std::move(made.documents);
  executor_in.embedder = inputs.options.embedder.key();
  run_executor machine{on, std::move(executor_in)};
  played_run out;
  auto& summary = out.summary;
  const auto& broker = inputs.models.broker;
  if (broker) broker->name_jobs(machine.names());
  if (broker && inputs.patient)
    broker->wait_for_space([run = inputs.directory.id()](const error& full) {
      spdlog::warn("replies_wait run={} {}", run, full.message);
    });
  {
    const run_watch watch{machine, inputs.models,
                          inputs.options.budget.max_hours, inputs.why_stop,
                          session ? inputs.directory.path()
                                  : std::filesystem::path{}};
    const shown_executor shown{on_executor, machine};
    run_pipeline work{inputs, what, made.prints, *machine.documents(), machine};
    summary = guarded([&] { return work.run(started); });
    std::optional<error> stopped;
    if (!summary) stopped = watch.why();
    const auto written = [&](const auto& write) {
      // As the journal waits. What is written is the same each time.
      return with_space(
          [&]() -> result<void> {
            // Else it would be half a run in a new directory.
            if (auto ok = inputs.log->in_place(); !ok) return ok;
            return guarded(write);
          },
          impatience_of(inputs), true);
    };
    if (summary) {
      if (broker) {
        broker->close(); // so that no call is missing from the sums
        summary->spend = broker->spend();
      }
      summary->seconds = session->seconds(std::chrono::system_clock::now());
      if (auto ok = written([&] { return work.write(*summary); }); !ok)
        summary = ok.error();
    } else if (stopped) {
      out.stopped = true;
      summary = stopped_because(inputs.models, *stopped);
      if (auto ok = written([&] { return work.write_unfinished(); }); !ok)
        summary = ok.error();
    }
  }
  out.failed = machine.failed().size();
  return out;
}

} // namespace

result<run_summary>
run_on_cluster(cluster_runtime& on, run_inputs inputs, const problem& what,
               const std::function<void(run_executor*)>& on_executor) {
  const auto& broker = inputs.models.broker;
  if (what.source->name() == spreadsheet::benchmark_name
      || !inputs.options.environment.draw_from.empty())
    if (auto ok = record_split(inputs.directory.path(), what); !ok)
      return ok.error();
  auto prepared = prepare(on, inputs, what);
  if (!prepared) return prepared.error();
  const auto session = with_space(
      [&] {
        return run_status_file::begin_session(inputs.directory.path(),
                                              std::chrono::system_clock::now());
      },
      impatience_of(inputs));
  if (!session) return session.error();
  const run_id id{inputs.directory.id()};
  if (broker) on.models().open(id, broker);
  if (inputs.on_runner) inputs.on_runner(prepared->shop.runner);
  played_run played;
  if (auto ok = guarded([&]() -> result<void> {
        played =
            play(on, inputs, what, std::move(*prepared), *session, on_executor);
        return {};
      });
      !ok)
    played.summary = ok.error();
  if (inputs.on_runner) inputs.on_runner(nullptr);
  if (broker) {
    broker->close();
    on.models().close(id);
    // Of calls that were under way, too: the next run of a group asks then.
    if (inputs.why_stop) (void)inputs.why_stop(spent_usd(inputs.models));
  }
  end_session(**session, played, inputs);
  return std::move(played.summary);
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
    auto shop = make_job_runner(options, what.source, inputs.blobs->documents,
                                inputs.metrics, std::move(models));
    if (!shop) return shop.error();
    inputs.runners = [runner = shop->runner](const run_id&) { return runner; };
    inputs.threads = options.run.threads;
  } else {
    auto made = worker_children::make(options);
    if (!made) return made.error();
    out.children = std::move(*made);
    what.source->release_children();
    inputs.processes = options.run.workers;
    inputs.listen = {out.children->address(), {}, {}, false};
    inputs.peer_kinds_of = all_are_workers();
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
  // Its workers are those of this machine, which was chosen.
  inputs.options.environment.needs.clear();
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
                            // Attempts would wait for a server's pause, which
                            // takes as long as it says.
                            if (models->broker)
                              models->broker->stop({ec::cancelled, "stopped"});
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
