#pragma once
/// A search of 18 trees on a virtual cluster. A stage of a tree begins when its
/// stage before has ended, but a candidate's score when it is written; trees do
/// not wait for each other but at the barrier.
///
/// Assumed, in one iteration of a tree:
///   train    12 of 50 tasks; trees share the rollouts of a task
///   embed    1 job of about a second
///   write    a job for each candidate
///   score    12 of 24 held-out tasks for each candidate; none is shared. In
///            waves: so many tasks, and more when it has played them, at most a
///            wave ahead of its siblings; none is stopped, so that is the most
///            there can be to do
/// All durations are lognormal with sigma 1, rollouts and integrations with a
/// median of 20 s. The table predicts from earlier iterations, with an error of
/// sigma 0.5.

#include "bench/virtual/least_time.hpp"
#include "bench/virtual/virtual_cluster.hpp"

#include <algorithm>
#include <span>
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

/// What an iteration of a tree does.
struct virtual_plan {
  std::size_t candidates = 3;
  std::size_t wave = tasks_of_tree; ///< tasks of a candidate at a time
  /// A candidate waits for each wave of its siblings, as if any could beat it.
  bool together = false;
  /// Besides, candidates are scored once all of their tree are written, and
  /// what comes before scores is not ordered by its stage.
  bool as_before = false;
};

class virtual_search {
public:
  /// `name` begins the ids of jobs that no other search asks for.
  virtual_search(virtual_cluster& on, run_id run, std::string name,
                 const virtual_durations& durations, virtual_plan plan,
                 rng draw)
      : on_(on), run_(std::move(run)), name_(std::move(name)),
        durations_(durations), plan_(plan) {
    for (auto& tree : trees_) {
      tree.train = some_tasks(draw, durations.train.size());
      tree.eval = some_tasks(draw, durations.held_out.size());
    }
    seed_ = rng_key(draw.below(1'000'000'000), name_);
  }

  /// `at_barrier` is called when the last tree has ended its iteration.
  void iterate(std::function<void()> at_barrier) {
    ++iteration_;
    at_barrier_ = std::move(at_barrier);
    trees_busy_ = virtual_trees;
    for (auto& tree : trees_)
      tree.played = {};
    for (std::size_t k = 0; k < virtual_trees; ++k)
      train(k);
  }

  /// Of the iteration that has ended, with what they wait for.
  [[nodiscard]] std::vector<placed_job> jobs() const {
    std::vector<placed_job> out;
    std::map<std::size_t, placed_job> training; // trees share it
    for (const auto& tree : trees_) {
      const auto after = add_jobs(tree.played, out);
      for (std::size_t i = 0; i < tree.train.size(); ++i) {
        auto& shared = training[tree.train[i]];
        shared = {0, tree.played.train[i], std::max(shared.tail, after)};
      }
    }
    for (const auto& [task, job] : training)
      out.push_back(job);
    return out;
  }

  [[nodiscard]] const run_id& run() const { return run_; }

  /// One job, with the noise of its attempt, which depends on its id only.
  void submit(const virtual_job& job, double median,
              std::function<void(double)> done) {
    on_.submit(
        run_, job,
        [&] {
          rng draw{rng_key(seed_, job.id)};
          return median * std::exp(sigma_attempt * normal(draw));
        },
        std::move(done));
  }

private:
  /// What the jobs of an iteration took, in seconds.
  struct iteration {
    std::vector<double> train, write;
    double embed = 0;
    std::vector<std::vector<double>> score; ///< by candidate and task
    std::size_t training = 0, writing = 0;  ///< not yet done
    std::vector<std::size_t> asked;         ///< waves, by candidate
    std::vector<std::size_t> scoring;       ///< of the last one, not yet done

    /// Waves that all candidates have played.
    [[nodiscard]] std::size_t looks() const {
      auto out = asked.empty() ? 0 : asked[0];
      for (std::size_t j = 0; j < asked.size(); ++j)
        out = std::min(out, asked[j] - (scoring[j] > 0));
      return out;
    }
  };
  struct one_tree {
    std::vector<std::size_t> train, eval;
    iteration played;
  };

  static std::vector<std::size_t> some_tasks(rng& draw, std::size_t of) {
    std::vector<std::size_t> out(of);
    for (std::size_t i = 0; i < of; ++i)
      out[i] = i;
    draw.shuffle(out);
    out.resize(tasks_of_tree);
    return out;
  }

  static double longest(std::span<const double> of) {
    return *std::ranges::max_element(of);
  }

  [[nodiscard]] std::size_t waves() const {
    return (tasks_of_tree + plan_.wave - 1) / plan_.wave;
  }

  /// When the waves of an iteration begin at the earliest, and what follows
  /// them at least, in seconds.
  struct chains {
    std::vector<std::vector<double>> begins, after; ///< by wave and candidate
    double second = 0; ///< what follows when all are written
  };

  [[nodiscard]] std::span<const double>
  wave_of(const iteration& played, std::size_t j, std::size_t w) const {
    const auto begin = w * plan_.wave;
    return std::span{played.score[j]}.subspan(
        begin, std::min(plan_.wave, tasks_of_tree - begin));
  }

  /// A candidate's wave waits for its own before and, from the third on, for
  /// all waves two before.
  [[nodiscard]] chains chains_of(const iteration& played, double begun) const {
    const auto count = played.write.size();
    const auto takes = [&](std::size_t w, std::size_t j) {
      return longest(wave_of(played, j, w));
    };
    chains out;
    out.begins.resize(waves(), std::vector<double>(count));
    out.after = out.begins;
    const double written = begun + longest(played.write);
    for (std::size_t w = 0; w < waves(); ++w) {
      double look = w > 0 ? written : 0;
      for (std::size_t j = 0; w > 1 && j < count; ++j)
        look = std::max(look, out.begins[w - 2][j] + takes(w - 2, j));
      for (std::size_t j = 0; j < count; ++j)
        out.begins[w][j] =
            w == 0 ? begun + played.write[j]
                   : std::max(look, out.begins[w - 1][j] + takes(w - 1, j));
    }
    for (std::size_t w = waves(); w-- > 0;) {
      double all = 0; // of the waves that wait for everybody's
      for (std::size_t j = 0; w + 2 < waves() && j < count; ++j)
        all = std::max(all, takes(w + 2, j) + out.after[w + 2][j]);
      for (std::size_t j = 0; j < count; ++j)
        out.after[w][j] =
            w + 1 < waves()
                ? std::max(all, takes(w + 1, j) + out.after[w + 1][j])
                : 0;
    }
    for (std::size_t j = 0; waves() > 1 && j < count; ++j)
      out.second = std::max(out.second, takes(1, j) + out.after[1][j]);
    return out;
  }

  /// All but the training, whose rollouts this must follow.
  double add_jobs(const iteration& played, std::vector<placed_job>& out) const {
    const double trained = longest(played.train);
    const double begun = trained + played.embed;
    const auto chain = chains_of(played, begun);
    double after = 0;
    for (std::size_t j = 0; j < played.write.size(); ++j) {
      for (std::size_t w = 0; w < waves(); ++w)
        for (const double score : wave_of(played, j, w))
          out.push_back({chain.begins[w][j], score, chain.after[w][j]});
      const double follows = std::max(
          chain.second, longest(wave_of(played, j, 0)) + chain.after[0][j]);
      out.push_back({begun, played.write[j], follows});
      after = std::max(after, played.write[j] + follows);
    }
    out.push_back({trained, played.embed, after});
    return played.embed + after;
  }

  [[nodiscard]] std::string of_iteration(const char* what) const {
    return fmt::format("{} {} {}", name_, iteration_, what);
  }

  /// As cluster/job_spec.hpp says it; before, all that is no score was alike.
  [[nodiscard]] std::uint32_t stages(std::uint32_t after_writing) const {
    return plan_.as_before ? 1 : 1 + after_writing;
  }

  void train(std::size_t k) {
    auto& played = trees_[k].played;
    const auto& tasks = trees_[k].train;
    played.train.resize(tasks.size());
    played.training = tasks.size();
    for (std::size_t i = 0; i < tasks.size(); ++i)
      submit({fmt::format("{} {}", of_iteration("train"), tasks[i]),
              job_kind::rollout, fmt::format("train{}", tasks[i]), stages(2)},
             durations_.train[tasks[i]], [this, k, i](double seconds) {
               auto& now = trees_[k].played;
               now.train[i] = seconds;
               if (--now.training == 0) embed(k);
             });
  }

  void embed(std::size_t k) {
    const auto id = fmt::format("{} {}", of_iteration("embed"), k);
    rng draw{rng_key(seed_, id, 1)};
    submit({id, job_kind::embed, "", stages(1)},
           std::exp(sigma_task * normal(draw)), [this, k](double seconds) {
             trees_[k].played.embed = seconds;
             write(k);
           });
  }

  void write(std::size_t k) {
    auto& played = trees_[k].played;
    played.write.resize(plan_.candidates);
    played.score.assign(plan_.candidates, std::vector<double>(tasks_of_tree));
    played.writing = plan_.candidates;
    played.asked.assign(plan_.candidates, 0);
    played.scoring.assign(plan_.candidates, 0);
    for (std::size_t j = 0; j < plan_.candidates; ++j)
      submit({fmt::format("{} {} {}", of_iteration("write"), k, j),
              job_kind::integrate, std::to_string(k), stages(0)},
             durations_.writing[k],
             [this, k, j](double seconds) { written(k, j, seconds); });
  }

  void written(std::size_t k, std::size_t j, double seconds) {
    auto& played = trees_[k].played;
    played.write[j] = seconds;
    --played.writing;
    if (!plan_.as_before) score(k, j);
    if (played.writing == 0) go_on(k);
  }

  /// The next wave of a candidate.
  void score(std::size_t k, std::size_t j) {
    auto& played = trees_[k].played;
    const auto from = played.asked[j]++ * plan_.wave;
    const auto to = std::min(tasks_of_tree, from + plan_.wave);
    std::vector<std::vector<std::string>> then;
    for (auto i = to; i < tasks_of_tree && !plan_.as_before; ++i) {
      if ((i - to) % plan_.wave == 0) then.emplace_back();
      then.back().push_back(fmt::format("eval{}", trees_[k].eval[i]));
    }
    played.scoring[j] = to - from;
    for (auto i = from; i < to; ++i) {
      const auto task = trees_[k].eval[i];
      submit({fmt::format("{} {} {} {}", of_iteration("score"), k, j, task),
              job_kind::rollout, fmt::format("eval{}", task), 0, then},
             durations_.held_out[task], [this, k, j, i](double seconds) {
               auto& now = trees_[k].played;
               now.score[j][i] = seconds;
               if (--now.scoring[j] == 0 && now.writing == 0) go_on(k);
             });
    }
  }

  /// A wave ahead of the others, unless they go together.
  void go_on(std::size_t k) {
    auto& played = trees_[k].played;
    const auto looks = played.looks();
    if (looks == waves()) {
      if (--trees_busy_ == 0) at_barrier_();
      return;
    }
    const auto most = looks + (is_together() ? 1 : 2);
    for (std::size_t j = 0; j < played.asked.size(); ++j)
      if (played.scoring[j] == 0 && played.asked[j] < std::min(most, waves()))
        score(k, j);
  }

  [[nodiscard]] bool is_together() const {
    return plan_.together || plan_.as_before;
  }

  virtual_cluster& on_;
  const run_id run_;
  const std::string name_;
  const virtual_durations& durations_;
  const virtual_plan plan_;
  std::uint64_t seed_ = 0;
  std::vector<one_tree> trees_{virtual_trees};
  std::function<void()> at_barrier_;
  std::size_t trees_busy_ = 0;
  int iteration_ = 0;
};

} // namespace brewery
