#include "actors/process_metrics.hpp"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>

namespace brewery {

namespace {

using prometheus::Counter;
using prometheus::Gauge;
using prometheus::Histogram;
using prometheus::Registry;
using labels = prometheus::Labels;
using buckets = Histogram::BucketBoundaries;

/// A procedural rollout takes milliseconds, one with a language model takes
/// minutes.
const buckets rollout_buckets{0.001, 0.005, 0.025, 0.1, 0.5, 1,    5,    10,
                              30,    60,    120,   300, 600, 1800, 3600, 7200};
const buckets model_buckets{0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300};
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

/// Raises a counter to a total that is counted elsewhere.
void raise(Counter& series, std::uint64_t total) {
  const auto now = static_cast<double>(total);
  if (now > series.Value()) series.Increment(now - series.Value());
}

double number(std::size_t value) {
  return static_cast<double>(value);
}

} // namespace

// References stay valid as long as the registry, which is the first member.
struct process_metrics::series {
  Registry registry;
  std::atomic<std::size_t> labelled_runs{0}; ///< with a run_metrics

  static constexpr auto rollouts_name = "brewery_rollouts_total";
  static constexpr auto rollouts_help =
      "Rollouts of runs that ended, by outcome; one that several runs share "
      "counts in each of them.";
  Counter& graded =
      counter(registry, rollouts_name, rollouts_help, {{"outcome", "graded"}});
  Counter& broken = counter(registry, rollouts_name, rollouts_help,
                            {{"outcome", "environment_error"}});
  Counter& given_up = counter(registry, rollouts_name, rollouts_help,
                              {{"outcome", "quarantined"}});
  Counter& reused =
      counter(registry, rollouts_name, rollouts_help, {{"outcome", "reused"}});
  static constexpr auto checks_name = "brewery_reuse_checks_total";
  static constexpr auto checks_help =
      "Rollouts that were played though they could be reused, by whether they "
      "ended alike.";
  Counter& reuse_equal =
      counter(registry, checks_name, checks_help, {{"found", "equal"}});
  Counter& reuse_wrong =
      counter(registry, checks_name, checks_help, {{"found", "different"}});
  Counter& environment_errors =
      counter(registry, "brewery_environment_errors_total",
              "Rollouts whose environment failed; they have no score.");
  Histogram& rollout_duration = histogram(
      registry, "brewery_rollout_duration_seconds",
      "Wall time of a rollout on its worker; one that several runs share "
      "counts in each of them.",
      rollout_buckets);

  Gauge& queued =
      gauge(registry, "brewery_jobs_queued", "Jobs that wait for a worker.");
  Gauge& running =
      gauge(registry, "brewery_jobs_running", "Jobs that run on a worker.");
  Gauge& quarantined = gauge(registry, "brewery_jobs_quarantined",
                             "Jobs of open runs that were given up.");
  prometheus::Family<Gauge>& group_cost =
      prometheus::BuildGauge()
          .Name("brewery_group_cost_usd")
          .Help("Cost of language models of a group's runs, over all sessions.")
          .Register(registry);
  prometheus::Family<Gauge>& group_budget =
      prometheus::BuildGauge()
          .Name("brewery_group_budget_usd")
          .Help("Limit of the cost of a group's runs; absent: none.")
          .Register(registry);
  prometheus::Family<Gauge>& run_queued =
      prometheus::BuildGauge()
          .Name("brewery_run_jobs_queued")
          .Help("Jobs of open runs that wait for a worker, by run, role and "
                "benchmark.")
          .Register(registry);
  prometheus::Family<Gauge>& run_running =
      prometheus::BuildGauge()
          .Name("brewery_run_jobs_running")
          .Help("Jobs of open runs that run on a worker, by run, role and "
                "benchmark.")
          .Register(registry);
  prometheus::Family<Counter>& run_done =
      prometheus::BuildCounter()
          .Name("brewery_run_jobs_done_total")
          .Help("Jobs of open runs with a result since the start of the "
                "process, by run, role and benchmark.")
          .Register(registry);
  struct load_series {
    Gauge* queued = nullptr;
    Gauge* running = nullptr;
    Counter* done = nullptr;
  };
  std::mutex stuck_mutex;
  std::set<run_id> stuck; ///< whose log cannot be written, by stuck_mutex
  std::mutex loads_mutex;
  std::map<labels, load_series> loads; ///< guarded by loads_mutex

  Counter& stale = counter(registry, "brewery_results_stale_total",
                           "Results refused because their lease had ended.");
  Counter& expired =
      counter(registry, "brewery_lease_expirations_total",
              "Leases that expired because their worker was silent.");
  Counter& adopted = counter(
      registry, "brewery_jobs_adopted_total",
      "Jobs that reconnecting workers still had and that were adopted.");
  Counter& ahead =
      counter(registry, "brewery_leases_ahead_total",
              "Leases of short jobs to workers without a free slot.");
  static constexpr auto backups_name = "brewery_backups_total";
  static constexpr auto backups_help =
      "Backup copies of jobs that seemed to hang, by whether the copy finished "
      "first.";
  Counter& backups_won =
      counter(registry, backups_name, backups_help, {{"outcome", "won"}});
  Counter& backups_lost =
      counter(registry, backups_name, backups_help, {{"outcome", "lost"}});
  Counter& refused =
      counter(registry, "brewery_peers_refused_total",
              "Connections and messages that were refused or unreadable.");
  Histogram& job_wait =
      histogram(registry, "brewery_job_wait_seconds",
                "Time a job waited for a worker.", wait_buckets);
  Gauge& oldest_inflight =
      gauge(registry, "brewery_oldest_inflight_seconds",
            "Age of the longest-running job; 0 if none runs.");

  static constexpr auto workers_name = "brewery_workers";
  static constexpr auto workers_help = "Worker slots, by state.";
  Gauge& idle =
      gauge(registry, workers_name, workers_help, {{"state", "idle"}});
  Gauge& busy =
      gauge(registry, workers_name, workers_help, {{"state", "busy"}});

  Histogram& barrier_wait = histogram(
      registry, "brewery_barrier_wait_seconds",
      "First tree done to last tree done, per iteration.", wait_buckets);
  Counter& late = counter(registry, "brewery_reports_late_total",
                          "Reports of trees that missed their barrier and were "
                          "merged at the next; 0 without a quorum.");
  static constexpr auto candidates_name = "brewery_candidates_total";
  static constexpr auto candidates_help =
      "Documents that the integrator proposed, by outcome.";
  Counter& added = counter(registry, candidates_name, candidates_help,
                           {{"outcome", "added"}});
  Counter& dropped = counter(registry, candidates_name, candidates_help,
                             {{"outcome", "dropped"}});
  Histogram& retrieval_duration =
      histogram(registry, "brewery_retrieval_duration_seconds",
                "Time of one retrieval.", retrieval_buckets);
  prometheus::Family<Gauge>& runs =
      prometheus::BuildGauge()
          .Name("brewery_runs")
          .Help(
              "Runs that the coordinator has in hand and those of its groups, "
              "by state.")
          .Register(registry);
  Gauge& runs_unreadable =
      gauge(registry, "brewery_runs_unreadable",
            "Runs that could not be resumed, as their log is damaged.");
  Gauge& journal_stuck =
      gauge(registry, "brewery_journal_stuck",
            "1 while the event log cannot be written and no job is granted.");
  Counter& journal_events = counter(registry, "brewery_journal_events_total",
                                    "Events written to the event log.");
  Histogram& journal_commit =
      histogram(registry, "brewery_journal_commit_seconds",
                "Time of one durable commit of the event log.", commit_buckets);

  // Few labels: there are few servers, and outcomes are values of an enum.
  prometheus::Family<Histogram>& model_attempts =
      prometheus::BuildHistogram()
          .Name("brewery_model_attempt_seconds")
          .Help("Attempts of model calls, by server and outcome.")
          .Register(registry);
  prometheus::Family<Counter>& reply_troubles =
      prometheus::BuildCounter()
          .Name("brewery_reply_troubles_total")
          .Help("Replies of models that were no use in jobs with a result, by "
                "role and kind.")
          .Register(registry);
  prometheus::Family<Counter>& scoring =
      prometheus::BuildCounter()
          .Name("brewery_scoring_rollouts_total")
          .Help("Rollouts that score versions, by what was asked of them or "
                "saved.")
          .Register(registry);
  prometheus::Family<Counter>& model_pauses =
      prometheus::BuildCounter()
          .Name("brewery_model_pause_seconds_total")
          .Help("Time that model calls waited for a retry, by server.")
          .Register(registry);
  Gauge& build_info =
      gauge(registry, "brewery_build_info", "1; the version is the label.",
            {{"version", BREWERY_VERSION}});
};

process_metrics::process_metrics() : series_(std::make_unique<series>()) {
  series_->build_info.Set(1);
  for (const auto what : economy::all)
    series_->scoring.Add({{"what", std::string{what}}});
}

process_metrics::~process_metrics() = default;

void process_metrics::rollout_reused() {
  series_->reused.Increment();
}

void process_metrics::reuse_checked(bool is_equal) {
  (is_equal ? series_->reuse_equal : series_->reuse_wrong).Increment();
}

void process_metrics::rollout_finished(rollout_outcome outcome,
                                       double seconds) {
  series_->rollout_duration.Observe(seconds);
  if (outcome == rollout_outcome::graded) {
    series_->graded.Increment();
  } else if (outcome == rollout_outcome::quarantined) {
    series_->given_up.Increment();
  } else {
    series_->broken.Increment();
    series_->environment_errors.Increment();
  }
}

void process_metrics::job_started(double waited_seconds) {
  series_->job_wait.Observe(waited_seconds);
}

void process_metrics::set_cluster(const table_counts& counts) {
  auto& s = *series_;
  const auto free = counts.slots > counts.busy ? counts.slots - counts.busy : 0;
  s.queued.Set(number(counts.queued));
  s.running.Set(number(counts.leased));
  s.quarantined.Set(number(counts.quarantined));
  s.idle.Set(number(free));
  s.busy.Set(number(counts.busy));
  raise(s.stale, counts.stale);
  raise(s.expired, counts.expired);
  raise(s.adopted, counts.adopted);
  raise(s.ahead, counts.ahead);
  raise(s.backups_won, counts.backups_won);
  raise(s.backups_lost, counts.backups_lost);
}

void process_metrics::set_loads(const std::vector<run_load>& loads) {
  auto& s = *series_;
  std::set<std::string> runs;
  std::map<labels, run_load> wanted;
  for (const auto& load : loads) {
    if (runs.size() < labelled_runs_max) runs.insert(load.run.value);
    const bool named = runs.contains(load.run.value);
    auto& sum = wanted[{{"run", named ? load.run.value : "other"},
                        {"role", std::string{to_string(load.kind)}},
                        {"benchmark", load.benchmark}}];
    sum.queued += load.queued;
    sum.running += load.running;
    sum.done += load.done;
  }
  const std::lock_guard lock{s.loads_mutex};
  std::erase_if(s.loads, [&](const auto& known) {
    if (wanted.contains(known.first)) return false;
    s.run_queued.Remove(known.second.queued);
    s.run_running.Remove(known.second.running);
    s.run_done.Remove(known.second.done);
    return true;
  });
  for (const auto& [with, load] : wanted) {
    auto& own = s.loads[with];
    if (!own.queued)
      own = {&s.run_queued.Add(with), &s.run_running.Add(with),
             &s.run_done.Add(with)};
    own.queued->Set(number(load.queued));
    own.running->Set(number(load.running));
    raise(*own.done, load.done);
  }
}

void process_metrics::peer_refused() {
  series_->refused.Increment();
}

void process_metrics::set_runs_unreadable(std::size_t count) {
  series_->runs_unreadable.Set(static_cast<double>(count));
}

void process_metrics::set_runs(
    const std::map<std::string, std::size_t>& by_state) {
  for (const std::string state : run_states) {
    const auto found = by_state.find(state);
    series_->runs.Add({{"state", state}})
        .Set(found == by_state.end() ? 0 : number(found->second));
  }
}

void process_metrics::set_group_cost(const std::string& group, double usd,
                                     double limit_usd) {
  auto& s = *series_;
  const labels with{{"group", group}};
  s.group_cost.Add(with).Set(usd);
  if (limit_usd > 0)
    s.group_budget.Add(with, limit_usd).Set(limit_usd);
  else if (s.group_budget.Has(with))
    s.group_budget.Remove(&s.group_budget.Add(with));
}

void process_metrics::end_group(const std::string& group) {
  const labels with{{"group", group}};
  for (auto* family : {&series_->group_cost, &series_->group_budget})
    if (family->Has(with)) family->Remove(&family->Add(with));
}

void process_metrics::set_journal_stuck(const run_id& run, bool stuck) {
  auto& s = *series_;
  const std::lock_guard lock{s.stuck_mutex};
  if (stuck)
    s.stuck.insert(run);
  else
    s.stuck.erase(run);
  s.journal_stuck.Set(s.stuck.empty() ? 0 : 1);
}

void process_metrics::set_oldest_inflight(double seconds) {
  series_->oldest_inflight.Set(seconds);
}

void process_metrics::barrier_closed(const barrier_sample& sample) {
  series_->barrier_wait.Observe(sample.wait_seconds);
}

void process_metrics::reports_late(std::size_t trees) {
  series_->late.Increment(number(trees));
}

void process_metrics::scoring_counted(
    const std::vector<economy_count>& counts) {
  for (const auto& one : counts)
    series_->scoring.Add({{"what", one.what}})
        .Increment(static_cast<double>(one.rollouts));
}

void process_metrics::candidates_scored(std::size_t added,
                                        std::size_t dropped) {
  series_->added.Increment(number(added));
  series_->dropped.Increment(number(dropped));
}

void process_metrics::reply_noted(const reply_note& note) {
  // Notes come from workers: labels must not grow with what they send.
  static const std::set<std::string_view> roles{
      "agent", "judge", "reflector", "integrator", "user", "statement_judge"};
  static const std::set<std::string_view> kinds{
      reply_trouble::rejected,      reply_trouble::refused,
      reply_trouble::dropped,       reply_trouble::cut,
      reply_trouble::words,         reply_trouble::repaired,
      reply_trouble::bad_arguments, reply_trouble::overflowed,
      reply_trouble::shortened,     reply_trouble::left_out,
      reply_trouble::lost};
  const auto known = [](const auto& all, const std::string& one) {
    return all.contains(one) ? one : std::string{"other"};
  };
  series_->reply_troubles
      .Add({{"role", known(roles, note.role)},
            {"kind", known(kinds, note.what)}})
      .Increment(note.count);
}

void process_metrics::retrieved(double seconds) {
  series_->retrieval_duration.Observe(seconds);
}

void process_metrics::model_attempt(const std::string& server,
                                    std::string_view outcome, double seconds) {
  series_->model_attempts
      .Add({{"server", server}, {"outcome", std::string{outcome}}},
           model_buckets)
      .Observe(seconds);
}

void process_metrics::model_paused(const std::string& server, double seconds) {
  series_->model_pauses.Add({{"server", server}}).Increment(seconds);
}

void process_metrics::journal_committed(std::size_t events, double seconds) {
  series_->journal_events.Increment(number(events));
  series_->journal_commit.Observe(seconds);
}

prometheus::Registry& process_metrics::registry() {
  return series_->registry;
}

bool process_metrics::take_run_label() {
  if (++series_->labelled_runs <= labelled_runs_max) return true;
  --series_->labelled_runs;
  return false;
}

void process_metrics::give_back_run_label() {
  --series_->labelled_runs;
}

std::string process_metrics::exposition() const {
  return prometheus::TextSerializer{}.Serialize(series_->registry.Collect());
}

} // namespace brewery
