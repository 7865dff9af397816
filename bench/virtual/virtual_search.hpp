#pragma once
/// A search of 18 trees on a virtual cluster. A stage of a tree begins when its
/// stage before has ended; trees do not wait for each other but at the barrier.
///
/// Assumed, in one iteration of a tree:
///   train      12 of 50 tasks; trees share the rollouts of a task
///   embed      1 job of about a second
///   integrate  a job for each candidate
///   evaluate   12 of 24 held-out tasks for each candidate; none is shared
/// All durations are lognormal with sigma 1, rollouts and integrations with a
/// median of 20 s. The table predicts from earlier iterations, with an error of
/// sigma 0.5.

#include "bench/virtual/virtual_cluster.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace brewery {

constexpr std::size_t virtual_trees = 18, tasks_of_tree = 12;
constexpr double sigma_task = 0.89, sigma_attempt = 0.46; // together 1

/// What jobs of one task or concept take at the median.
struct virtual_durations {
  std::vector<double> train, held_out, writing;

  explicit virtual_durations(rng& draw)
      : train(typical(draw, 50)), held_out(typical(draw, 24)),
        writing(typical(draw, virtual_trees)) {}

  static std::vector<double> typical(rng& draw, std::size_t count) {
    constexpr double median_seconds = 20;
    std::vector<double> out(count);
    for (auto& each : out)
      each = median_seconds * std::exp(sigma_task * normal(draw));
    return out;
  }
};

class virtual_search {
public:
  /// `name` begins the ids of jobs that no other search asks for.
  virtual_search(virtual_cluster& on, run_id run, std::string name,
                 const virtual_durations& durations, std::size_t candidates,
                 rng draw)
      : on_(on), run_(std::move(run)), name_(std::move(name)),
        durations_(durations), candidates_(candidates), draw_(draw) {
    for (auto& tree : trees_)
      tree = {some_tasks(draw_, durations.train.size()),
              some_tasks(draw_, durations.held_out.size())};
  }

  /// `at_barrier` is called when the last tree has ended its iteration.
  void iterate(std::function<void()> at_barrier) {
    ++iteration_;
    at_barrier_ = std::move(at_barrier);
    trees_busy_ = virtual_trees;
    for (auto& tree : trees_)
      tree.chain = 0;
    for (std::size_t k = 0; k < virtual_trees; ++k)
      begin(k, stage::train);
  }

  /// The longest jobs of all stages of the tree for which that is most.
  [[nodiscard]] double longest_chain() const {
    double out = 0;
    for (const auto& tree : trees_)
      out = std::max(out, tree.chain);
    return out;
  }

  [[nodiscard]] const run_id& run() const { return run_; }

  /// One job, with the noise of its attempt.
  void submit(const std::string& id, job_kind kind, const std::string& key,
              job_urgency urgency, double median,
              std::function<void(double)> done) {
    on_.submit(
        run_, {id, kind, key, urgency},
        [&] { return median * std::exp(sigma_attempt * normal(draw_)); },
        std::move(done));
  }

private:
  enum class stage { train, embed, integrate, evaluate, done };
  struct one_tree {
    std::vector<std::size_t> train, eval;
    stage at = stage::done;
    std::size_t open = 0; ///< jobs of its stage
    double chain = 0;     ///< the longest jobs of its stages so far
    double longest = 0;   ///< of this stage
  };

  static std::vector<std::size_t> some_tasks(rng& draw, std::size_t of) {
    std::vector<std::size_t> out(of);
    for (std::size_t i = 0; i < of; ++i)
      out[i] = i;
    draw.shuffle(out);
    out.resize(tasks_of_tree);
    return out;
  }

  void submit_for(std::size_t k, const std::string& id, job_kind kind,
                  const std::string& key, double median) {
    auto& tree = trees_[k];
    ++tree.open;
    // As in cluster/job_spec.hpp.
    const auto urgency = tree.at == stage::evaluate ? job_urgency::none
                                                    : job_urgency::next_stage;
    submit(id, kind, key, urgency, median, [this, k](double seconds) {
      auto& now = trees_[k];
      now.longest = std::max(now.longest, seconds);
      if (--now.open == 0) begin_next(k);
    });
  }

  void begin_next(std::size_t k) {
    auto& tree = trees_[k];
    tree.chain += std::exchange(tree.longest, 0);
    begin(k, static_cast<stage>(static_cast<int>(tree.at) + 1));
  }

  void begin(std::size_t k, stage next) {
    auto& tree = trees_[k];
    tree.at = next;
    if (next == stage::done) {
      if (--trees_busy_ == 0) at_barrier_();
      return;
    }
    // A job that has ended already must not end the stage before all are asked.
    ++tree.open;
    submit_stage(k);
    if (--tree.open == 0) begin_next(k);
  }

  void submit_stage(std::size_t k) {
    const auto& tree = trees_[k];
    const auto name = fmt::format("{} {}", name_, iteration_);
    if (tree.at == stage::train)
      for (const auto task : tree.train)
        submit_for(k, fmt::format("{} train {}", name, task), job_kind::rollout,
                   fmt::format("train{}", task), durations_.train[task]);
    if (tree.at == stage::embed)
      submit_for(k, fmt::format("{} embed {}", name, k), job_kind::embed, "",
                 std::exp(sigma_task * normal(draw_)));
    for (std::size_t j = 0; j < candidates_; ++j) {
      const auto candidate = fmt::format("{} {} {}", name, k, j);
      if (tree.at == stage::integrate)
        submit_for(k, candidate, job_kind::integrate, std::to_string(k),
                   durations_.writing[k]);
      if (tree.at == stage::evaluate)
        for (const auto task : tree.eval)
          submit_for(k, fmt::format("{} {}", candidate, task),
                     job_kind::rollout, fmt::format("eval{}", task),
                     durations_.held_out[task]);
    }
  }

  virtual_cluster& on_;
  const run_id run_;
  const std::string name_;
  const virtual_durations& durations_;
  const std::size_t candidates_;
  rng draw_;
  std::vector<one_tree> trees_{virtual_trees};
  std::function<void()> at_barrier_;
  std::size_t trees_busy_ = 0;
  int iteration_ = 0;
};

} // namespace brewery
