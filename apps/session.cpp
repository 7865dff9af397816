#include "apps/session.hpp"

#include "apps/interrupt.hpp"
#include "apps/metrics_endpoint.hpp"
#include "apps/run_identity.hpp"
#include "apps/run_steps.hpp"
#include "apps/split_record.hpp"
#include "apps/spreadsheet_setup.hpp"
#include "apps/worker_children.hpp"
#include "apps/workshop.hpp"
#include "config/print.hpp"
#include "messages/wire/codec.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace brewery {

namespace {

/// Stops an engine when its time is up or its models halt; ends with the scope.
class stop_watch {
public:
  stop_watch(engine& machine, const session_inputs& in)
      : machine_(machine), desk_(in.models.desk) {
    if (desk_) desk_->when_halted([this] { machine_.stop(); });
    const double hours = in.options.budget.max_hours;
    if (hours <= 0) return;
    timer_ = std::thread{[this, hours] {
      std::unique_lock lock{mutex_};
      const std::chrono::duration<double, std::ratio<3600>> limit{hours};
      if (ended_.wait_for(lock, limit, [this] { return over_; })) return;
      why_ = error{ec::over_budget,
                   fmt::format("budget.max_hours = {} is over", hours)};
      machine_.stop();
    }};
  }
  ~stop_watch() {
    if (desk_) desk_->when_halted({});
    {
      const std::lock_guard lock{mutex_};
      over_ = true;
    }
    ended_.notify_all();
    if (timer_.joinable()) timer_.join();
  }
  stop_watch(const stop_watch&) = delete;
  stop_watch& operator=(const stop_watch&) = delete;

  [[nodiscard]] std::optional<error> why() const {
    if (desk_)
      if (auto halted = desk_->halted()) return halted;
    const std::lock_guard lock{mutex_};
    return why_;
  }

private:
  engine& machine_;
  std::shared_ptr<model_desk> desk_;
  mutable std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::optional<error> why_;
  std::thread timer_;
};

result<run_summary> play(runtime& on, session_inputs& inputs,
                         const problem& what, const workshop& shop,
                         memo_content known,
                         const std::function<void(engine*)>& on_engine) {
  const auto began = std::chrono::steady_clock::now();
  // What a worker need not know: other models' names or other goldens make
  // other results all the same.
  const auto& goldens = what.source->goldens();
  const auto fingerprint = shop.fingerprint + inputs.models.names
                           + (goldens.empty() ? "" : " goldens=" + goldens);
  const auto started = started_with(known, fingerprint, inputs.options);
  engine_inputs engine_in;
  engine_in.id = {inputs.directory.id()};
  engine_in.share = inputs.share;
  engine_in.benchmark = what.source->fingerprint();
  engine_in.goldens = goldens;
  engine_in.setup = wire::encode(
      search_setup{shop.fingerprint, to_toml(inputs.options), goldens});
  engine_in.log = inputs.log;
  engine_in.known = std::move(known);
  engine_in.patient = inputs.patient;
  engine machine{on, std::move(engine_in)};
  std::optional<error> stopped;
  result<run_summary> summary = error{ec::internal, "not begun"};
  {
    const stop_watch watch{machine, inputs};
    on_engine(&machine);
    run_steps work{inputs, what, fingerprint, *on.documents(), machine};
    summary = work.run(started);
    if (!summary) stopped = watch.why();
    if (summary) {
      const std::chrono::duration<double> spent =
          std::chrono::steady_clock::now() - began;
      summary->seconds = spent.count();
      if (auto ok = work.write(*summary); !ok) summary = ok.error();
    } else if (stopped) {
      summary = stopped_because(inputs.models, *stopped);
      if (auto ok = work.write_unfinished(); !ok) summary = ok.error();
    }
    on_engine(nullptr);
  }
  return summary;
}

} // namespace

result<run_summary>
run_session_on(runtime& on, session_inputs inputs, const problem& what,
               const std::function<void(engine*)>& on_engine) {
  const auto& desk = inputs.models.desk;
  if (what.source->name() == spreadsheet::benchmark_name)
    if (auto ok = record_split(inputs.directory.path(), what); !ok)
      return ok.error();
  const auto shop = make_workshop(inputs.options, what.source, on.documents(),
                                  on.metrics(), desk);
  if (!shop) return shop.error();
  auto known = load_memo(*inputs.log);
  if (!known) return known.error();
  const search_id id{inputs.directory.id()};
  if (desk) on.models().open(id, desk);
  auto summary = play(on, inputs, what, *shop, std::move(*known), on_engine);
  if (desk) {
    desk->close();
    on.models().close(id);
  }
  return summary;
}

namespace {

/// Threads of this process, or processes of its own behind a private socket.
struct own_workers {
  std::unique_ptr<worker_children> children;
  std::unique_ptr<runtime> machine;
};

result<own_workers> hire(const config& options, const problem& what,
                         std::shared_ptr<probes> metrics,
                         std::shared_ptr<model_port> models) {
  own_workers out;
  runtime_inputs inputs;
  inputs.metrics = std::move(metrics);
  inputs.blobs = std::make_shared<blob_shelf>();
  inputs.cluster = options.cluster.options();
  if (options.run.workers == 0) {
    // One machine, one program: another try would fail alike.
    inputs.cluster.max_failures = 1;
    auto shop = make_workshop(options, what.source, inputs.blobs->documents,
                              inputs.metrics, std::move(models));
    if (!shop) return shop.error();
    inputs.runner = shop->runner;
    inputs.threads = options.run.threads;
  } else {
    auto made = worker_children::make(options);
    if (!made) return made.error();
    out.children = std::move(*made);
    what.source->rest();
    inputs.processes = options.run.workers;
    inputs.listen.push_back({out.children->address(), {}, {}, false});
    inputs.role_of = [](const std::string&) { return std::string{"worker"}; };
  }
  auto started = runtime::start(std::move(inputs));
  if (!started) return started.error();
  out.machine = std::move(*started);
  return out;
}

} // namespace

result<run_summary> run_session(session_inputs inputs, const problem& what,
                                progress_style progress) {
  const auto metrics = std::make_shared<probes>();
  auto models = open_models(inputs.options, inputs.directory.path(),
                            inputs.replay, metrics);
  if (!models) return models.error();
  inputs.models = *models;
  auto workers = hire(inputs.options, what, metrics, models->desk);
  if (!workers) return workers.error();
  auto& on = *workers->machine;
  auto endpoint = serve_metrics(inputs.options.run.metrics_listen, on);
  if (!endpoint) return endpoint.error();
  progress_printer printer{progress};
  std::mutex mutex;
  engine* machine = nullptr; // guarded by mutex
  result<run_summary> summary = error{ec::internal, "the run did not start"};
  {
    interrupt_watch watch{
        [&] {
          std::fputs("\nbrewery: stopping; running rollouts are finished and "
                     "kept (Ctrl-C again: stop at once)\n",
                     stderr);
          const std::lock_guard lock{mutex};
          if (machine) machine->stop();
        },
        [&] {
          if (workers->children) workers->children->look_after();
          const std::lock_guard lock{mutex};
          if (!machine) return;
          auto view = machine->board().view();
          view.models = models_text(*models);
          report_spending(*models, *metrics);
          printer.show(view, std::chrono::steady_clock::now());
        }};
    summary = run_session_on(on, std::move(inputs), what, [&](engine* now) {
      {
        const std::lock_guard lock{mutex};
        machine = now;
        if (now && watch.interrupted()) now->stop();
      }
      if (!now || !workers->children) return;
      // The search is known now, so workers may ask for its jobs.
      if (auto ok = on.listen(); ok)
        workers->children->start();
      else
        spdlog::error("{}", ok.error().message);
    });
    if (!summary && watch.interrupted())
      summary = error{ec::cancelled, "stopped"};
  }
  printer.finish();
  return summary;
}

} // namespace brewery
