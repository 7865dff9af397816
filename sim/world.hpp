#pragma once
/// The processes of one simulated cluster, the faults, and the invariant
/// checks. The seed decides everything.

#include "sim/cluster_sim.hpp"
#include "sim/coordinator_node.hpp"
#include "sim/worker_node.hpp"

#include <fmt/format.h>

namespace brewery::simulated {

inline constexpr microseconds second{1'000'000};

class world {
public:
  world(const sim_options& options, const brew_settings& settings);

  sim_report run();
  [[nodiscard]] const std::optional<final_state>& outcome() const {
    return coordinator_->outcome();
  }

private:
  struct process {
    std::uint64_t generation = 0; ///< of the process now running
    bool alive = false;
    microseconds clock_ahead{0}; ///< ahead of the simulation's; grows at jumps
    std::vector<std::function<void()>> held_back; ///< while paused
  };
  struct worker_slot : process {
    simulated_spool spool;
    std::unique_ptr<worker_node> node;
    std::uint64_t starts = 0;
  };

  /// Which optional parts of a cluster this seed has.
  struct shape {
    bool models = false;        ///< jobs ask language models
    bool graders = false;       ///< rollouts ask for their grades
    bool players_grade = false; ///< one of them grades its own rollouts
    bool is_quick = false;      ///< jobs are short, so they are leased ahead
  };

  process& process_at(node_number n) {
    return n == 0 ? coordinator_process_ : workers_[n - 1];
  }
  node_port port_of(node_number n);
  /// Runs `what` when the process is alive and awake; never after its death.
  void run_at(node_number n, std::uint64_t generation,
              std::function<void()> what);
  void start_coordinator();
  void start_worker(node_number n);
  void kill(node_number n);
  worker_profile profile_of(node_number n);
  void ticks(node_number n, std::uint64_t generation);
  void check_questions(const worker_node& worker);
  [[nodiscard]] bool is_question_late() const;
  void pause_for(node_number n, microseconds length);
  void cut_for(node_number n, bool out, bool in, microseconds length);
  void one_fault();
  void plan_faults();
  void heal();
  void say(const std::string& what) {
    if (options_.trace)
      options_.trace(
          fmt::format("{:9.3f} s  {}",
                      static_cast<double>(time_.now().count()) * 1e-6, what));
  }
  void violate(std::string what) {
    if (violation_.empty()) violation_ = std::move(what);
  }
  microseconds up_to(microseconds longest) {
    return microseconds{1
                        + static_cast<std::int64_t>(draw_.below(
                            static_cast<std::uint64_t>(longest.count())))};
  }
  node_number any_worker() { return 1 + draw_.below(workers_.size()); }

  sim_options options_;
  rng draw_;
  shape shape_;
  event_queue time_;
  network net_;
  cluster_options cluster_;
  std::shared_ptr<const brew_settings> settings_;
  durable_log log_;
  process coordinator_process_;
  std::unique_ptr<coordinator_node> coordinator_;
  std::vector<worker_slot> workers_;
  std::vector<std::unique_ptr<coordinator_node>> dead_coordinators_;
  std::vector<std::unique_ptr<worker_node>> dead_workers_;
  microseconds fault_end_{0};
  microseconds disk_free_at_{0}; ///< also for a coordinator that starts then
  microseconds keys_back_at_{0}; ///< until then nobody can be let in
  std::optional<microseconds> calm_since_; ///< set once the faults have stopped
  std::string violation_;
  std::uint64_t faults_ = 0;
};

} // namespace brewery::simulated
