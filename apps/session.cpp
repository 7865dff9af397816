#include "apps/session.hpp"

#include "apps/interrupt.hpp"
#include "apps/metrics_endpoint.hpp"
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
  steps(session_inputs& in, const problem& what, workshop& shop,
        engine& machine)
      : in_(in), what_(what), shop_(shop), machine_(machine) {}

  result<run_summary> run() {
    if (auto ok = record_start(); !ok) return ok.error();
    run_summary summary;
    summary.run_id = in_.directory.id();
    summary.documents = in_.directory.documents();
    summary.workers = machine_.workers();
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
          search, *shop_.documents,
          [&](const job_id& rollout) { return machine_.task_of(rollout); },
          summary.run_id, in_.options.run.seed);
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
                                 report_text(summary, *shop_.documents));
  }

private:
  result<void> record_start() {
    const run_record started{shop_.fingerprint, to_toml(in_.options)};
    return machine_.record(run_record::type_name, "run", wire::encode(started));
  }

  result<std::shared_ptr<const brew_settings>>
  settings(const std::string& strategy) {
    auto made = settings_for(in_.options, what_, strategy, shop_.fingerprint);
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
                             const std::vector<doc_ref>& kb) -> result<void> {
      auto arm =
          machine_.evaluate(name, in_.options.environment.test_split, **told,
                            what_.test, in_.options.eval.test_trials, kb);
      if (!arm) return arm.error();
      auto kept = machine_.record(evaluation_record::type_name, name,
                                  wire::encode(*arm));
      if (!kept) return kept.error();
      arms.push_back(std::move(*arm));
      return {};
    };
    if (auto ok = measure("no KB", {}); !ok) return ok;
    for (const auto& search : summary.searches)
      if (auto ok = measure("learned, " + search.strategy, refs_of(search));
          !ok)
        return ok;
    summary.arms = compare_arms(arms, in_.options.run.seed);
    return {};
  }

  session_inputs& in_;
  const problem& what_;
  workshop& shop_;
  engine& machine_;
};

} // namespace

workshop make_workshop(const config& options, const problem& what) {
  workshop out;
  out.documents = std::make_shared<document_store>();
  out.metrics = std::make_shared<probes>();
  auto actor =
      std::make_shared<procedural_agent>(options.agent, options.retrieval);
  out.fingerprint = fmt::format(
      "{} {} {} roles={} bm25={}/{} embedder={}", what.source->name(),
      what.source->fingerprint(), actor->fingerprint(), roles_version,
      options.retrieval.bm25_k1, options.retrieval.bm25_b,
      options.embedder.dimensions);
  job_roles roles{
      actor, std::make_shared<procedural_judge>(),
      std::make_shared<procedural_reflector>(),
      std::make_shared<procedural_integrator>(),
      std::make_shared<procedural_embedder>(options.embedder.dimensions)};
  out.runner = std::make_shared<const job_runner>(
      what.source, std::move(roles), out.documents, options.retrieval,
      [metrics = out.metrics](double spent) { metrics->retrieved(spent); });
  return out;
}

result<run_summary> run_session(session_inputs inputs) {
  const auto began = std::chrono::steady_clock::now();
  auto what = load_problem(inputs.options);
  if (!what) return what.error();
  auto shop = make_workshop(inputs.options, *what);
  auto known = load_memo(*inputs.log);
  if (!known) return known.error();
  engine machine{{shop.runner, shop.documents, shop.metrics, inputs.log,
                  std::move(*known), inputs.options.run.threads}};
  auto endpoint = serve_metrics(inputs.options.run.metrics_listen, machine);
  if (!endpoint) return endpoint.error();
  progress_printer printer{inputs.progress};
  result<run_summary> summary = error{ec::internal, "the run did not start"};
  {
    interrupt_watch watch{
        [&machine] {
          std::fputs("\nbrewery: stopping; running rollouts are finished and "
                     "kept (Ctrl-C again: stop at once)\n",
                     stderr);
          machine.stop();
        },
        [&] {
          printer.show(machine.board().view(),
                       std::chrono::steady_clock::now());
        }};
    steps work{inputs, *what, shop, machine};
    summary = work.run();
    if (summary) {
      const std::chrono::duration<double> spent =
          std::chrono::steady_clock::now() - began;
      summary->seconds = spent.count();
      if (auto ok = work.write(*summary); !ok) summary = ok.error();
    } else if (watch.interrupted()) {
      summary = error{ec::cancelled, "stopped"};
    }
  }
  printer.finish();
  return summary;
}

} // namespace brewery
