#include "actors/probes.hpp"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>

namespace brewery {

namespace {

using prometheus::Counter;
using prometheus::Gauge;
using prometheus::Histogram;
using prometheus::Registry;
using labels = prometheus::Labels;
using buckets = Histogram::BucketBoundaries;

/// A procedural rollout takes milliseconds, one of a language model minutes.
const buckets rollout_buckets{0.001, 0.005, 0.025, 0.1, 0.5, 1,    5,    10,
                              30,    60,    120,   300, 600, 1800, 3600, 7200};
const buckets wait_buckets{0.001, 0.01, 0.1, 1, 10, 60, 300, 1800, 7200};
const buckets retrieval_buckets{1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 1e-2, 0.1, 1};
const buckets commit_buckets{1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 1};

Counter& counter(Registry& registry, const char* name, const char* help,
                 const labels& with = {}) {
  return prometheus::BuildCounter()
      .Name(name)
      .Help(help)
      .Register(registry)
      .Add(with);
}

Gauge& gauge(Registry& registry, const char* name, const char* help,
             const labels& with = {}) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry).Add(
      with);
}

Histogram& histogram(Registry& registry, const char* name, const char* help,
                     const buckets& bounds) {
  return prometheus::BuildHistogram()
      .Name(name)
      .Help(help)
      .Register(registry)
      .Add({}, bounds);
}

double number(std::size_t value) {
  return static_cast<double>(value);
}

} // namespace

double efficiency(const barrier_sample& sample) {
  if (sample.elapsed_seconds <= 0 || sample.workers == 0) return 0;
  const auto bound = std::max(sample.work_seconds / number(sample.workers),
                              sample.longest_seconds);
  return bound / sample.elapsed_seconds;
}

double utilisation(const barrier_sample& sample) {
  if (sample.elapsed_seconds <= 0 || sample.workers == 0) return 0;
  return sample.work_seconds
         / (number(sample.workers) * sample.elapsed_seconds);
}

// References stay valid as long as the registry, the first member, does.
struct probes::series {
  Registry registry;

  static constexpr auto rollouts_name = "brewery_rollouts_total";
  static constexpr auto rollouts_help = "Rollouts that ended, by outcome.";
  Counter& graded =
      counter(registry, rollouts_name, rollouts_help, {{"outcome", "graded"}});
  Counter& broken = counter(registry, rollouts_name, rollouts_help,
                            {{"outcome", "environment_error"}});
  Counter& environment_errors =
      counter(registry, "brewery_environment_errors_total",
              "Rollouts whose environment broke; they count as no score.");
  Histogram& rollout_duration =
      histogram(registry, "brewery_rollout_duration_seconds",
                "Wall time of a rollout on its worker.", rollout_buckets);

  Gauge& queued =
      gauge(registry, "brewery_jobs_queued", "Jobs that wait for a worker.");
  Gauge& running =
      gauge(registry, "brewery_jobs_running", "Jobs that a worker is at.");
  Histogram& job_wait =
      histogram(registry, "brewery_job_wait_seconds",
                "Time a job waited for a worker.", wait_buckets);
  Gauge& oldest_inflight =
      gauge(registry, "brewery_oldest_inflight_seconds",
            "Age of the job that runs longest, 0 when none runs.");

  static constexpr auto workers_name = "brewery_workers";
  static constexpr auto workers_help = "Worker slots, by state.";
  Gauge& idle =
      gauge(registry, workers_name, workers_help, {{"state", "idle"}});
  Gauge& busy =
      gauge(registry, workers_name, workers_help, {{"state", "busy"}});

  Histogram& barrier_wait = histogram(
      registry, "brewery_barrier_wait_seconds",
      "First tree done to last tree done, per iteration.", wait_buckets);
  Gauge& barrier_efficiency =
      gauge(registry, "brewery_barrier_efficiency_ratio",
            "Shortest possible time of the last phase over its time.");
  Gauge& barrier_utilisation =
      gauge(registry, "brewery_barrier_utilisation_ratio",
            "Share of the worker time of the last phase spent in jobs.");

  static constexpr auto candidates_name = "brewery_candidates_total";
  static constexpr auto candidates_help =
      "Documents the integrator proposed, by what became of them.";
  Counter& added = counter(registry, candidates_name, candidates_help,
                           {{"outcome", "added"}});
  Counter& dropped = counter(registry, candidates_name, candidates_help,
                             {{"outcome", "dropped"}});
  Gauge& iteration = gauge(registry, "brewery_iteration",
                           "Iteration of the search that is running.");
  Gauge& best_reward =
      gauge(registry, "brewery_best_reward_ratio",
            "Mean over the trees of their best document's reward.");

  Histogram& retrieval_duration =
      histogram(registry, "brewery_retrieval_duration_seconds",
                "Time of one retrieval.", retrieval_buckets);
  Counter& journal_events = counter(registry, "brewery_journal_events_total",
                                    "Events written to the event log.");
  Histogram& journal_commit =
      histogram(registry, "brewery_journal_commit_seconds",
                "Time of one durable commit of the event log.", commit_buckets);

  Gauge& build_info =
      gauge(registry, "brewery_build_info", "1; the version is the label.",
            {{"version", BREWERY_VERSION}});
};

probes::probes() : series_(std::make_unique<series>()) {
  series_->build_info.Set(1);
}

probes::~probes() = default;

void probes::rollout_finished(rollout_outcome outcome, double seconds) {
  series_->rollout_duration.Observe(seconds);
  if (outcome == rollout_outcome::graded) {
    series_->graded.Increment();
  } else {
    series_->broken.Increment();
    series_->environment_errors.Increment();
  }
}

void probes::job_started(double waited_seconds) {
  series_->job_wait.Observe(waited_seconds);
}

void probes::set_jobs(std::size_t queued, std::size_t running) {
  series_->queued.Set(number(queued));
  series_->running.Set(number(running));
}

void probes::set_workers(std::size_t idle, std::size_t busy) {
  series_->idle.Set(number(idle));
  series_->busy.Set(number(busy));
}

void probes::set_oldest_inflight(double seconds) {
  series_->oldest_inflight.Set(seconds);
}

void probes::barrier_closed(const barrier_sample& sample) {
  series_->barrier_wait.Observe(sample.wait_seconds);
  series_->barrier_efficiency.Set(efficiency(sample));
  series_->barrier_utilisation.Set(utilisation(sample));
}

void probes::candidates_scored(std::size_t added, std::size_t dropped) {
  series_->added.Increment(number(added));
  series_->dropped.Increment(number(dropped));
}

void probes::retrieved(double seconds) {
  series_->retrieval_duration.Observe(seconds);
}

void probes::journal_committed(std::size_t events, double seconds) {
  series_->journal_events.Increment(number(events));
  series_->journal_commit.Observe(seconds);
}

void probes::set_iteration(std::size_t iteration) {
  series_->iteration.Set(number(iteration));
}

void probes::set_best_reward(double ratio) {
  series_->best_reward.Set(ratio);
}

std::string probes::exposition() const {
  return prometheus::TextSerializer{}.Serialize(series_->registry.Collect());
}

} // namespace brewery
