#pragma once
/// The runs of a sweep under way: which is next, what they share, and what they
/// came to. One thread makes it and plays; `stop`, `tick` and `view` may be
/// called on another.

#include "actors/job_share.hpp"
#include "sweep/run_player.hpp"
#include "sweep/rung_reward.hpp"
#include "sweep/state_keeper.hpp"
#include "sweep/sweep_count.hpp"
#include "sweep/sweep_runner.hpp"
#include "sweep/sweep_workers.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace brewery {

class sweep_machine {
public:
  /// As `run_player::play`.
  using play_run = std::function<result<run_summary>(
      const std::string& run, const config& options,
      std::optional<std::uint32_t> hold_after)>;

  /// The plan must outlive it. `how` lets tests play without workers: then it
  /// is not started.
  sweep_machine(const sweep_plan& plan, std::filesystem::path directory,
                sweep_state state, play_run how = {});
  ~sweep_machine();
  sweep_machine(const sweep_machine&) = delete;
  sweep_machine& operator=(const sweep_machine&) = delete;

  result<void> start();
  /// Ends when no run is left, or all are stopped.
  void play();

  void stop() { table_.stop_all(); }
  /// Call it a few times per second.
  void tick() { workers_->restart_ended(); }
  /// The runs under way count with what they came to by now.
  [[nodiscard]] sweep_view view() const;
  /// Whether a run of the plan waits, or has begun and not ended.
  [[nodiscard]] bool has_open_runs() const;

  [[nodiscard]] sweep_state state() const { return state_.state(); }
  [[nodiscard]] std::optional<error> broken() const { return state_.broken(); }

private:
  /// One run to be played: where it stands in the state, and its options.
  struct turn {
    run_place place;
    config options;
    std::optional<std::uint32_t> hold_after{}; ///< empty: to its end
  };

  void start_share();
  /// Of these points.
  [[nodiscard]] std::vector<turn>
  turns_of(const std::vector<std::size_t>& points) const;
  /// What the run had come to at a barrier; see sweep/rung_reward.hpp.
  [[nodiscard]] result<rung_figures> reward_of(const turn& one,
                                               std::uint32_t iteration) const;
  /// Plays the points to a rung, and leaves those that go on. False: it was
  /// stopped before that was decided.
  bool play_rung(std::size_t rung, std::vector<std::size_t>& points);
  /// Empty for a point of which a run has no barrier or no score there: it
  /// waits.
  [[nodiscard]] std::optional<point_at_rung> ranked_at(std::size_t point,
                                                       std::uint32_t iteration);
  void cut(std::size_t point, const sweep_cut& where);
  void play_all(const std::vector<turn>& turns);
  void play_one(const turn& now);
  void note(const turn& now, const std::function<void(sweep_run&)>& how);

  const sweep_plan& plan_;
  const std::filesystem::path directory_;
  state_keeper state_;
  run_table table_;
  std::atomic<std::uint64_t> shared_{0};
  mutable std::mutex count_mutex_;
  mutable sweep_count count_; ///< guarded by count_mutex_
  std::unique_ptr<sweep_workers> workers_;
  job_share_actor share_;
  std::unique_ptr<run_player> player_;
  play_run how_;
};

} // namespace brewery
