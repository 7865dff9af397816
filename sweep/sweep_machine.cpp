#include "sweep/sweep_machine.hpp"

#include "run/guarded.hpp"
#include "sweep/run_end.hpp"
#include "sweep/shared_logs.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <numeric>
#include <thread>

namespace brewery {

namespace {

/// A run that was killed has come further than the sweep had noted.
sweep_state caught_up(sweep_state state,
                      const std::filesystem::path& directory) {
  for (auto& point : state.points)
    for (auto& run : point.runs)
      if (run.state == sweep_run_state::waiting
          || run.state == sweep_run_state::begun)
        note_status(run, directory);
  return state;
}

} // namespace

sweep_machine::sweep_machine(const sweep_plan& plan,
                             std::filesystem::path directory, sweep_state state,
                             play_run how)
    : plan_(plan), directory_(std::move(directory)),
      state_(directory_, caught_up(std::move(state), directory_)),
      how_(std::move(how)) {}

sweep_machine::~sweep_machine() {
  player_.reset();
  if (!share_) return;
  caf::scoped_actor self{workers_->runtime().system()};
  self->send_exit(share_, caf::exit_reason::user_shutdown);
  self->wait_for(share_);
  share_ = job_share_actor{};
}

result<void> sweep_machine::start() {
  auto started = sweep_workers::start(
      plan_, [this](const run_id& run) { return table_.runner(run); });
  if (!started) return started.error();
  workers_ = std::move(*started);
  start_share();
  player_ = std::make_unique<run_player>(workers_->runtime(), share_, table_,
                                         directory_);
  how_ = [this](const auto&... what) { return player_->play(what...); };
  return {};
}

void sweep_machine::start_share() {
  auto inputs = std::make_shared<job_share_inputs>();
  const auto logs = std::make_shared<shared_logs>(directory_);
  for (const auto& point : state_.state().points)
    for (const auto& run : point.runs)
      logs->add_known({run.run}, inputs->known);
  inputs->pool = workers_->runtime().pool();
  inputs->read = [logs](const shared_place& place) {
    return logs->read(place);
  };
  inputs->on_shared = [this](const job_result& one) {
    if (std::holds_alternative<rollout_result>(one.output)) ++shared_;
  };
  share_ = workers_->runtime().system().spawn<caf::detached>(job_share, inputs);
}

/// All points of a seed, then the next seed: those beside each other share
/// most.
std::vector<sweep_machine::turn>
sweep_machine::turns_of(const std::vector<std::size_t>& points) const {
  std::vector<turn> out;
  for (std::size_t s = 0; s < plan_.seeds.size(); ++s)
    for (const auto p : points)
      out.push_back(
          {{p, s},
           options_of_run(plan_.points[p], plan_.seeds[s], directory_)});
  return out;
}

void sweep_machine::play() {
  std::vector<std::size_t> points(plan_.points.size());
  std::iota(points.begin(), points.end(), std::size_t{0});
  if (plan_.halving)
    for (std::size_t rung = 0; rung < plan_.halving->after.size(); ++rung)
      if (!play_rung(rung, points)) return;
  play_all(turns_of(points));
}

result<rung_figures> sweep_machine::reward_of(const turn& one,
                                              std::uint32_t iteration) const {
  return reward_at(directory_ / state_.run(one.place).run,
                   one.options.search.strategies.front(), iteration);
}

bool sweep_machine::play_rung(std::size_t rung,
                              std::vector<std::size_t>& points) {
  if (points.size() < 2) return true;
  const auto after = plan_.halving->after[rung];
  auto turns = turns_of(points);
  std::erase_if(turns, [&](const turn& one) {
    return reward_of(one, after).has_value();
  });
  for (auto& one : turns)
    one.hold_after = after;
  play_all(turns);
  if (table_.stopped()) return false;
  std::vector<point_at_rung> reached;
  for (const auto point : points)
    if (auto ranked = ranked_at(point, after))
      reached.push_back(std::move(*ranked));
  const auto decided = decide_rung(reached, plan_.halving->keep);
  for (const auto& out : decided.cut)
    cut(out.point, {rung + 1, after, out.score});
  points = decided.kept;
  spdlog::info("sweep_rung after={} kept={} cut={}", after, decided.kept.size(),
               decided.cut.size());
  return !table_.stopped();
}

std::optional<point_at_rung> sweep_machine::ranked_at(std::size_t point,
                                                      std::uint32_t iteration) {
  std::optional<point_at_rung> out{{point, {}}};
  for (const auto& one : turns_of({point})) {
    const auto reward = reward_of(one, iteration);
    if (reward && reward->reward) {
      if (out) out->rewards.push_back(*reward->reward);
      continue;
    }
    out.reset();
    const auto why = reward ? no_score_at(iteration) : reward.error().message;
    if (state_.run(one.place).state != sweep_run_state::failed)
      note(one, [&](sweep_run& run) {
        run.state = sweep_run_state::failed;
        run.reason = why;
      });
  }
  return out;
}

/// A run that finished before, in a smaller sweep, keeps what it came to.
void sweep_machine::cut(std::size_t point, const sweep_cut& where) {
  for (const auto& one : turns_of({point}))
    note(one, [&](sweep_run& run) {
      if (run.state == sweep_run_state::finished) return;
      run.state = sweep_run_state::cut;
      run.cut = where;
      run.reason.clear();
      note_status(run, directory_);
    });
}

void sweep_machine::play_all(const std::vector<turn>& turns) {
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (std::size_t i = 0;
       i < std::min<std::size_t>(plan_.at_once.value_or(1), turns.size()); ++i)
    threads.emplace_back([&] {
      while (!table_.stopped()) {
        const auto mine = next.fetch_add(1);
        if (mine >= turns.size()) return;
        play_one(turns[mine]);
      }
    });
  for (auto& thread : threads)
    thread.join();
}

void sweep_machine::play_one(const turn& now) {
  note(now, [](sweep_run& run) {
    run.state = sweep_run_state::begun;
    run.reason.clear();
    forget_end(run);
  });
  const auto id = state_.run(now.place).run;
  const auto summary =
      guarded([&] { return how_(id, now.options, now.hold_after); });
  if (!summary && summary.error().code != ec::cancelled)
    spdlog::error("sweep_run_failed run={} {}", id, summary.error().message);
  note(now, [&](sweep_run& run) {
    note_end(run, summary, now.options, directory_);
  });
}

void sweep_machine::note(const turn& now,
                         const std::function<void(sweep_run&)>& how) {
  if (!state_.change(now.place, how)) table_.stop_all();
}

bool sweep_machine::has_open_runs() const {
  const auto state = state_.state();
  for (std::size_t p = 0; p < plan_.points.size(); ++p)
    for (std::size_t s = 0; s < plan_.seeds.size(); ++s) {
      const auto now = state.points[p].runs[s].state;
      if (now == sweep_run_state::waiting || now == sweep_run_state::begun)
        return true;
    }
  return false;
}

sweep_view sweep_machine::view() const {
  const auto open = table_.under_way();
  const auto state = state_.state();
  const std::lock_guard lock{count_mutex_};
  auto out = count_.of(plan_, state, open);
  out.shared = shared_;
  return out;
}

} // namespace brewery
