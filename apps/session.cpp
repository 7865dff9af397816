#include "apps/session.hpp"

#include "apps/baselines.hpp"
#include "apps/interrupt.hpp"
#include "apps/metrics_endpoint.hpp"
#include "apps/worker_children.hpp"
#include "base/file.hpp"
#include "config/print.hpp"
#include "messages/wire/codec.hpp"
#include "roles/procedural_agent.hpp"
#include "roles/procedural_embedder.hpp"
#include "roles/procedural_integrator.hpp"
#include "roles/procedural_judge.hpp"
#include "roles/procedural_reflector.hpp"
#include "store/folder.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <mutex>

namespace brewery {

namespace {

/// Raise when a role changes what it makes of the same input: results of older
/// rollouts are then not taken for new ones.
constexpr int roles_version = 1;

std::vector<doc_ref> refs_of(const search_outcome& outcome) {
  std::vector<doc_ref> refs;
  for (const auto& document : outcome.documents)
    refs.push_back({document.about.id, document.best.hash});
  return refs;
}

/// The steps of one run over a running engine.
class steps {
public:
  steps(session_inputs& in, const problem& what, std::string fingerprint,
        document_store& documents, engine& machine)
      : in_(in), what_(what), fingerprint_(std::move(fingerprint)),
        documents_(documents), machine_(machine) {}

  result<run_summary> run() {
    if (auto ok = record_start(); !ok) return ok.error();
    run_summary summary;
    summary.run_id = in_.directory.id();
    summary.documents = in_.directory.documents();
    summary.workers = machine_.workers();
    summary.gather_quorum = in_.options.search.gather_quorum;
    for (const auto& strategy : in_.options.search.strategies) {
      auto outcome = search(strategy);
      if (!outcome) return outcome.error();
      summary.searches.push_back(std::move(*outcome));
    }
    if (in_.options.search.final_evaluation)
      if (auto ok = evaluate(summary); !ok) return ok.error();
    summary.rollouts = machine_.rollouts();
    return summary;
  }

  result<void> write(run_summary& summary) {
    for (std::size_t i = 0; i < summary.searches.size(); ++i) {
      const auto& search = summary.searches[i];
      auto made = learned_from(
          search, documents_,
          [&](const job_id& rollout) { return machine_.task_of(rollout); },
          summary.run_id, in_.options.run.seed, summary.gather_quorum);
      if (!made) return made.error();
      // The first strategy's documents are the published ones.
      auto target = in_.directory.documents();
      if (i > 0)
        target = in_.directory.path() / "strategies" / search.strategy / "kb";
      if (auto ok = make_directories(target.parent_path()); !ok)
        return ok.error();
      auto written = write_knowledge_base(target, made->kb, made->about);
      if (!written) return written.error();
    }
    // Last: its presence says that the run is finished.
    return write_file_atomically(in_.directory.report(),
                                 report_text(summary, documents_));
  }

private:
  result<void> record_start() {
    const run_record started{fingerprint_, to_toml(in_.options)};
    return machine_.record(run_record::type_name, "run", wire::encode(started));
  }

  result<std::shared_ptr<const brew_settings>>
  settings(const std::string& strategy) {
    auto made = settings_for(in_.options, what_, strategy, fingerprint_);
    if (!made) return made.error();
    return std::make_shared<const brew_settings>(std::move(*made));
  }

  result<search_outcome> search(const std::string& strategy) {
    auto told = settings(strategy);
    if (!told) return told.error();
    spdlog::info("search_started strategy={} train={} eval={}", strategy,
                 what_.train.size(), what_.eval.size());
    return machine_.search(strategy, *told);
  }

  result<void> evaluate(run_summary& summary) {
    auto told = settings(in_.options.search.strategies.front());
    if (!told) return told.error();
    std::vector<evaluation_record> arms;
    const auto measure = [&](const std::string& name,
                             const std::vector<doc_ref>& kb,
                             std::string_view method = {}) -> result<void> {
      auto how = **told;
      how.method = method;
      auto arm =
          machine_.evaluate(name, in_.options.environment.test_split, how,
                            what_.test, in_.options.eval.test_trials, kb);
      if (!arm) return arm.error();
      auto kept = machine_.record(evaluation_record::type_name, name,
                                  wire::encode(*arm));
      if (!kept) return kept.error();
      arms.push_back(std::move(*arm));
      return {};
    };
    if (auto ok = measure("no KB", {}); !ok) return ok;
    for (const auto& method : in_.options.eval.baselines) {
      std::vector<doc_ref> examples;
      if (method == methods::in_context) {
        auto found = example_knowledge(in_.directory, **told, documents_);
        if (!found) return found.error();
        examples = std::move(*found);
        if (examples.empty()) {
          spdlog::warn("the baseline in-context is left out: no train task "
                       "was solved without knowledge, so it has no example");
          continue;
        }
      }
      if (auto ok = measure(method, examples, method); !ok) return ok;
    }
    for (const auto& search : summary.searches)
      if (auto ok = measure("learned, " + search.strategy, refs_of(search));
          !ok)
        return ok;
    summary.arms =
        compare_arms(arms, in_.options.run.seed, in_.options.eval.test_trials);
    return {};
  }

  session_inputs& in_;
  const problem& what_;
  std::string fingerprint_;
  document_store& documents_;
  engine& machine_;
};

} // namespace

workshop make_workshop(const config& options,
                       std::shared_ptr<const benchmark> source,
                       std::shared_ptr<document_store> documents,
                       std::shared_ptr<probes> metrics) {
  workshop out;
  auto actor =
      std::make_shared<procedural_agent>(options.agent, options.retrieval);
  out.fingerprint = fmt::format(
      "{} {}{} {} roles={} bm25={}/{} embedder={}", source->name(),
      source->fingerprint(), play_text(options.environment),
      actor->fingerprint(), roles_version, options.retrieval.bm25_k1,
      options.retrieval.bm25_b, options.embedder.dimensions);
  job_roles roles{
      actor, std::make_shared<procedural_judge>(),
      std::make_shared<procedural_reflector>(),
      std::make_shared<procedural_integrator>(),
      std::make_shared<procedural_embedder>(options.embedder.dimensions)};
  out.runner = std::make_shared<const job_runner>(
      std::move(source), std::move(roles), std::move(documents),
      options.retrieval, [metrics](double spent) { metrics->retrieved(spent); },
      std::chrono::milliseconds{options.environment.simulated_latency_ms});
  return out;
}

result<run_summary>
run_session_on(runtime& on, session_inputs inputs, const problem& what,
               const std::function<void(engine*)>& on_engine) {
  const auto began = std::chrono::steady_clock::now();
  const auto shop =
      make_workshop(inputs.options, what.source, on.documents(), on.metrics());
  auto known = load_memo(*inputs.log);
  if (!known) return known.error();
  engine_inputs engine_in;
  engine_in.id = {inputs.directory.id()};
  engine_in.share = inputs.share;
  engine_in.benchmark = what.source->fingerprint();
  engine_in.setup =
      wire::encode(search_setup{shop.fingerprint, to_toml(inputs.options)});
  engine_in.log = inputs.log;
  engine_in.known = std::move(*known);
  engine_in.patient = inputs.patient;
  engine machine{on, std::move(engine_in)};
  on_engine(&machine);
  steps work{inputs, what, shop.fingerprint, *on.documents(), machine};
  auto summary = work.run();
  if (summary) {
    const std::chrono::duration<double> spent =
        std::chrono::steady_clock::now() - began;
    summary->seconds = spent.count();
    if (auto ok = work.write(*summary); !ok) summary = ok.error();
  }
  on_engine(nullptr);
  return summary;
}

namespace {

/// Threads of this process, or processes of its own behind a private socket.
struct own_workers {
  std::unique_ptr<worker_children> children;
  std::unique_ptr<runtime> machine;
};

result<own_workers> hire(const config& options, const problem& what) {
  own_workers out;
  runtime_inputs inputs;
  inputs.metrics = std::make_shared<probes>();
  inputs.blobs = std::make_shared<blob_shelf>();
  inputs.cluster = options.cluster.options();
  if (options.run.workers == 0) {
    // One machine, one program: another try would fail alike.
    inputs.cluster.max_failures = 1;
    inputs.runner = make_workshop(options, what.source, inputs.blobs->documents,
                                  inputs.metrics)
                        .runner;
    inputs.threads = options.run.threads;
  } else {
    auto made = worker_children::make(options);
    if (!made) return made.error();
    out.children = std::move(*made);
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

result<run_summary> run_session(session_inputs inputs,
                                progress_style progress) {
  auto what = load_problem(inputs.options);
  if (!what) return what.error();
  auto workers = hire(inputs.options, *what);
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
          if (machine)
            printer.show(machine->board().view(),
                         std::chrono::steady_clock::now());
        }};
    summary = run_session_on(on, std::move(inputs), *what, [&](engine* now) {
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
