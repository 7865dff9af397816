#include "sweep/sweep_runner.hpp"

#include "actors/job_share.hpp"
#include "base/file.hpp"
#include "config/model_use.hpp"
#include "run/interrupt.hpp"
#include "run/run_lifecycle.hpp"
#include "run/setup/model_service.hpp"
#include "run/setup/run_checks.hpp"
#include "store/directory_lock.hpp"
#include "sweep/run_table.hpp"
#include "sweep/shared_logs.hpp"
#include "sweep/sweep_folder.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace brewery {

namespace {

using steady = std::chrono::steady_clock;

/// One run to be played: where it stands in the state, and its options.
struct turn {
  std::size_t point, run;
  config options;
};

/// All points of a seed, then the next seed: those beside each other share
/// most.
std::vector<turn> turns_of(const sweep_plan& plan, const sweep_state& state,
                           const std::filesystem::path& directory) {
  std::vector<turn> out;
  for (std::size_t s = 0; s < plan.seeds.size(); ++s)
    for (std::size_t p = 0; p < plan.points.size(); ++p)
      out.push_back({p, s,
                     options_of_run(plan.points[p],
                                    state.points[p].runs[s].seed, directory)});
  return out;
}

std::optional<double> score_of(const run_summary& summary,
                               std::string_view arm) {
  for (const auto& one : summary.arms)
    if (one.record.name.starts_with(arm) && is_graded(one))
      return one.success.value;
  return std::nullopt;
}

void note_end(sweep_run& run, const result<run_summary>& summary,
              const std::filesystem::path& directory) {
  if (summary) {
    run.state = sweep_run_state::finished;
    run.reason.clear();
    run.score = score_of(*summary, "learned, ");
    run.without_documents = score_of(*summary, "no KB");
    run.rollouts = summary->rollouts;
  } else if (summary.error().code != ec::cancelled) {
    run.state = sweep_run_state::failed;
    run.reason = summary.error().message;
  }
  if (const auto status = read_run_status(directory / run.run)) {
    run.rollouts = std::max(run.rollouts, status->rollouts);
    run.cost_usd = status->cost_usd;
  }
}

/// The runtime and what its runs share. Its threads are those of the process.
class sweep_machine {
public:
  sweep_machine(const sweep_plan& plan, std::filesystem::path directory,
                sweep_state state)
      : plan_(plan), directory_(std::move(directory)), state_(std::move(state)),
        turns_(turns_of(plan, state_, directory_)) {}

  ~sweep_machine() {
    if (!share_) return;
    caf::scoped_actor self{runtime_->system()};
    self->send_exit(share_, caf::exit_reason::user_shutdown);
    self->wait_for(share_);
    share_ = job_share_actor{};
  }
  sweep_machine(const sweep_machine&) = delete;
  sweep_machine& operator=(const sweep_machine&) = delete;

  result<void> start() {
    cluster_runtime_inputs inputs;
    const auto& options = turns_.front().options;
    inputs.metrics = std::make_shared<process_metrics>();
    inputs.blobs = std::make_shared<blob_registry>();
    inputs.cluster = options.cluster.options();
    inputs.runners = [this](const run_id& run) { return table_.runner(run); };
    inputs.threads = options.run.threads;
    auto started = cluster_runtime::start(std::move(inputs));
    if (!started) return started.error();
    runtime_ = std::move(*started);
    start_share();
    return {};
  }

  /// Ends when no run is left, or all are stopped.
  void play() {
    std::vector<std::thread> threads;
    for (std::size_t i = 0;
         i < std::min<std::size_t>(plan_.at_once, turns_.size()); ++i)
      threads.emplace_back([this] {
        while (!table_.stopped()) {
          const auto next = next_.fetch_add(1);
          if (next >= turns_.size()) return;
          play_one(turns_[next]);
        }
      });
    for (auto& thread : threads)
      thread.join();
  }

  void stop() { table_.stop_all(); }

  /// The runs under way count with what they came to by now.
  [[nodiscard]] sweep_view view() const {
    auto open = table_.under_way();
    sweep_view out;
    out.runs = turns_.size();
    out.rollouts = open.rollouts;
    out.cost_usd = open.cost_usd;
    out.running = std::move(open.running);
    out.shared = shared_;
    const std::lock_guard lock{mutex_};
    for (const auto& point : state_.points)
      for (const auto& run : point.runs) {
        out.finished += run.state == sweep_run_state::finished;
        out.failed += run.state == sweep_run_state::failed;
        if (std::ranges::find(out.running, run.run) != out.running.end())
          continue;
        out.rollouts += run.rollouts;
        out.cost_usd += run.cost_usd;
      }
    return out;
  }

  /// Why the sweep must not go on; empty: it may.
  [[nodiscard]] std::string over_budget(const sweep_view& now,
                                        steady::duration since) const {
    const auto& limit = plan_.budget;
    const auto hours =
        std::chrono::duration<double, std::ratio<3600>>(since).count();
    if (limit.max_cost_usd > 0 && now.cost_usd >= limit.max_cost_usd)
      return fmt::format("budget.max_cost_usd = {}: ${:.2f} are spent",
                         limit.max_cost_usd, now.cost_usd);
    if (limit.max_hours > 0 && hours >= limit.max_hours)
      return fmt::format("budget.max_hours = {} have passed", limit.max_hours);
    return {};
  }

  [[nodiscard]] sweep_state state() const {
    const std::lock_guard lock{mutex_};
    return state_;
  }
  [[nodiscard]] std::optional<error> broken() const {
    const std::lock_guard lock{mutex_};
    return broken_;
  }

private:
  void start_share() {
    auto inputs = std::make_shared<job_share_inputs>();
    const auto logs = std::make_shared<shared_logs>(directory_);
    for (const auto& point : state_.points)
      for (const auto& run : point.runs)
        logs->add_known({run.run}, inputs->known);
    inputs->pool = runtime_->pool();
    inputs->read = [logs](const shared_place& place) {
      return logs->read(place);
    };
    inputs->on_shared = [this](const job_result& one) {
      if (std::holds_alternative<rollout_result>(one.output)) ++shared_;
    };
    share_ = runtime_->system().spawn<caf::detached>(job_share, inputs);
  }

  void play_one(const turn& now) {
    note(now, [](sweep_run& run) { run.state = sweep_run_state::begun; });
    const auto summary = summary_of(now);
    if (!summary && summary.error().code != ec::cancelled)
      spdlog::error("sweep_run_failed run={} {}", id_of(now),
                    summary.error().message);
    note(now, [&](sweep_run& run) { note_end(run, summary, directory_); });
  }

  result<run_summary> summary_of(const turn& now) {
    const run_id id{id_of(now)};
    auto opened = open_run(directory_, id.value, now.options);
    if (!opened) return opened.error();
    if (opened->summary) return std::move(*opened->summary);
    const auto what = load_problem(now.options);
    if (!what) return what.error();
    auto models = models_for(now.options, opened->directory.path());
    if (!models) return models.error();
    run_inputs inputs{now.options,
                      opened->directory,
                      std::move(opened->log),
                      {},
                      false,
                      *models,
                      {}};
    inputs.options.environment.needs.clear(); // this machine was chosen
    inputs.jobs_of_others = share_;
    inputs.on_runner = [this, id](std::shared_ptr<const job_runner> runner) {
      table_.set_runner(id, std::move(runner));
    };
    return run_on_cluster(*runtime_, std::move(inputs), *what,
                          [&](run_executor* executor) {
                            table_.set_executor(id, executor, *models);
                          });
  }

  /// Runs of one catalog share its servers' limits.
  result<run_models> models_for(const config& options,
                                const std::filesystem::path& run) {
    if (models_used(options).empty()) return run_models{};
    std::shared_ptr<model_service> service;
    {
      const std::lock_guard lock{services_mutex_};
      auto& known = services_[options.models.catalog];
      if (!known) {
        auto made =
            model_service::start(options.models.catalog, runtime_->metrics());
        if (!made) return made.error();
        known = std::move(*made);
      }
      service = known;
    }
    return models_of(std::move(service), options, run, {});
  }

  [[nodiscard]] std::string id_of(const turn& now) const {
    const std::lock_guard lock{mutex_};
    return state_.points[now.point].runs[now.run].run;
  }

  /// Changes what sweep.json says of a run.
  template <class Change>
  void note(const turn& now, const Change& change) {
    const std::lock_guard lock{mutex_};
    change(state_.points[now.point].runs[now.run]);
    if (const auto ok = write_sweep_state(directory_, state_); !ok) {
      if (!broken_) broken_ = ok.error();
      table_.stop_all();
    }
  }

  const sweep_plan& plan_;
  const std::filesystem::path directory_;
  mutable std::mutex mutex_;
  sweep_state state_;           ///< guarded by mutex_
  std::optional<error> broken_; ///< guarded by mutex_
  const std::vector<turn> turns_;
  run_table table_;
  std::mutex services_mutex_;
  std::map<std::filesystem::path, std::shared_ptr<model_service>> services_;
  std::atomic<std::size_t> next_{0};
  std::atomic<std::uint64_t> shared_{0};
  std::unique_ptr<cluster_runtime> runtime_;
  job_share_actor share_;
};

} // namespace

result<void> can_sweep(const sweep_plan& plan, const sweep_state& before,
                       const std::filesystem::path& directory) {
  if (auto ok = extended(plan, before); !ok) return ok.error();
  for (const auto& point : plan.points) {
    const auto refuse = [&](const error& why) {
      return error{why.code,
                   fmt::format("point {}: {}", point.name, why.message)};
    };
    const auto options = options_of_run(point, plan.seeds.front(), directory);
    if (options.run.workers > 0)
      return refuse({ec::invalid_config,
                     "run.workers: a sweep has threads for workers; set "
                     "run.threads"});
    if (const auto what = load_problem(options); !what)
      return refuse(what.error());
    if (auto ok = can_begin(options, {}); !ok) return refuse(ok.error());
    for (const auto seed : plan.seeds)
      if (auto ok = can_go_on_in(directory, sweep_run_id(point.name, seed),
                                 options_of_run(point, seed, directory));
          !ok)
        return ok;
  }
  return {};
}

result<sweep_outcome> play_sweep(const sweep_plan& plan,
                                 const std::filesystem::path& directory,
                                 const sweep_observer& observer) {
  const auto lock = directory_lock::take(directory);
  if (!lock) return lock.error();
  auto before = read_sweep_state(directory);
  if (!before && before.error().code != ec::not_found) return before.error();
  auto state = extended(plan, before ? *before : sweep_state{});
  if (!state) return state.error();
  if (auto ok = write_sweep_state(directory, *state); !ok) return ok.error();
  sweep_machine machine{plan, directory, std::move(*state)};
  if (auto ok = machine.start(); !ok) return ok.error();
  std::string limit;
  {
    const auto began = steady::now();
    const interrupt_watch watch{[&] {
                                  observer.on_interrupt();
                                  machine.stop();
                                },
                                [&] {
                                  const auto now = machine.view();
                                  observer.on_progress(now);
                                  if (!limit.empty()) return;
                                  limit = machine.over_budget(now, steady::now()
                                                                       - began);
                                  if (!limit.empty()) machine.stop();
                                }};
    machine.play();
    if (watch.interrupted()) return error{ec::cancelled, "stopped"};
  }
  if (const auto broken = machine.broken()) return *broken;
  if (!limit.empty()) return error{ec::over_budget, limit};
  return sweep_outcome{machine.state(), machine.view().shared};
}

} // namespace brewery
