#include "sweep/sweep_workers.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

/// Whether a worker process that was started with `offered` computes what the
/// point needs.
bool is_served_by(const config& point, const config& offered) {
  if (point.environment != offered.environment) return false;
  if (point.embedder.kind != "sentence") return true;
  auto taken = point.embedder;
  taken.take_machine(offered.embedder);
  return offered.embedder.kind == "sentence" && taken == point.embedder;
}

} // namespace

result<config> options_of_workers(const sweep_plan& plan) {
  const auto* offers = &plan.points.front();
  for (const auto& point : plan.points)
    if (point.options.embedder.kind == "sentence") {
      offers = &point;
      break;
    }
  for (const auto& point : plan.points)
    if (!is_served_by(point.options, offers->options))
      return error{
          ec::invalid_config,
          fmt::format("point {}: run.workers: worker processes have one "
                      "[environment] and one sentence model, and those of "
                      "point {} differ: set run.workers = 0",
                      point.name, offers->name)};
  return offers->options;
}

result<std::unique_ptr<sweep_workers>>
sweep_workers::start(const sweep_plan& plan, runner_lookup runners) {
  std::unique_ptr<sweep_workers> out{new sweep_workers};
  const auto& options = plan.points.front().options;
  cluster_runtime_inputs inputs;
  inputs.metrics = std::make_shared<process_metrics>();
  inputs.blobs = std::make_shared<blob_registry>();
  inputs.cluster = options.cluster.options();
  if (options.run.workers == 0) {
    inputs.runners = std::move(runners);
    inputs.threads = options.run.threads;
  } else {
    const auto offered = options_of_workers(plan);
    if (!offered) return offered.error();
    auto made = worker_children::make(*offered);
    if (!made) return made.error();
    out->children_ = std::move(*made);
    inputs.processes = options.run.workers;
    inputs.listen = {out->children_->address(), {}, {}, false};
    inputs.peer_kinds_of = all_are_workers();
  }
  auto started = cluster_runtime::start(std::move(inputs));
  if (!started) return started.error();
  out->runtime_ = std::move(*started);
  if (!out->children_) return out;
  // Before any run is open: these workers bring no results from before.
  if (auto ok = out->runtime_->listen(); !ok) return ok.error();
  out->children_->start();
  return out;
}

void sweep_workers::restart_ended() {
  if (children_) children_->restart_ended();
}

} // namespace brewery
