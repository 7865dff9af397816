#include "actors/run_metrics.hpp"

#include "actors/process_metrics.hpp"

#include <prometheus/gauge.h>
#include <prometheus/registry.h>

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace brewery {

using prometheus::Gauge;

// A family is registered once: later runs get the same one.
struct run_metrics::series {
  series(process_metrics& owner, std::string id)
      : of(owner), registry(owner.registry()), run(std::move(id)) {}
  ~series() {
    for (const auto& [family, gauge] : own)
      family->Remove(gauge);
    of.give_back_run_label();
  }
  series(const series&) = delete;
  series& operator=(const series&) = delete;

  void set(const char* name, const char* help, prometheus::Labels with,
           double value) {
    with.emplace("run", run);
    auto& family =
        prometheus::BuildGauge().Name(name).Help(help).Register(registry);
    auto& gauge = family.Add(with);
    gauge.Set(value);
    const std::lock_guard lock{mutex};
    if (std::find(own.begin(), own.end(), std::pair{&family, &gauge})
        == own.end())
      own.emplace_back(&family, &gauge);
  }

  process_metrics& of;
  prometheus::Registry& registry;
  const std::string run;
  std::mutex mutex;
  std::vector<std::pair<prometheus::Family<Gauge>*, Gauge*>> own; ///< guarded
};

run_metrics::run_metrics(process_metrics& of, const run_id& run) {
  if (of.take_run_label()) series_ = std::make_unique<series>(of, run.value);
}

run_metrics::~run_metrics() = default;

void run_metrics::set_gather_quorum(const std::string& strategy, double ratio) {
  if (!series_) return;
  series_->set("brewery_gather_quorum_ratio",
               "Share of the trees that a barrier waits for. Below 1, the seed "
               "alone does not reproduce the run.",
               {{"strategy", strategy}}, ratio);
}

void run_metrics::barrier_closed(const std::string& strategy,
                                 std::size_t iteration,
                                 std::optional<double> best_reward,
                                 const barrier_sample& sample) {
  if (!series_) return;
  const prometheus::Labels with{{"strategy", strategy}};
  series_->set("brewery_iteration", "Last iteration that a search gathered.",
               with, static_cast<double>(iteration));
  if (best_reward)
    series_->set("brewery_best_reward_ratio",
                 "Mean over the trees of their best document's reward.", with,
                 *best_reward);
  // What the log knew already took no time: it says nothing of the workers.
  if (sample.work_seconds <= 0) return;
  series_->set("brewery_barrier_efficiency_ratio",
               "Shortest possible time of the last phase over its time.", with,
               efficiency(sample));
  series_->set("brewery_barrier_utilisation_ratio",
               "Share of the slots' time of the last phase spent in the run's "
               "jobs.",
               with, utilisation(sample));
}

void run_metrics::set_model_spending(double usd, double limit_usd,
                                     std::uint64_t tokens,
                                     std::uint64_t calls) {
  if (!series_) return;
  series_->set("brewery_model_cost_usd",
               "Cost of language models, including earlier parts of the run.",
               {}, usd);
  if (limit_usd > 0)
    series_->set("brewery_model_budget_usd",
                 "Limit of the cost of language models; absent: none.", {},
                 limit_usd);
  series_->set(
      "brewery_model_tokens",
      "Tokens of prompts and replies, including earlier parts of the run.", {},
      static_cast<double>(tokens));
  series_->set("brewery_model_calls",
               "Model calls, including earlier parts of the run.", {},
               static_cast<double>(calls));
}

} // namespace brewery
