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
///            waves: so many tasks, and more when all candidates have played
///            theirs; none is stopped, so that is the most there can be to do
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
  /// Candidates are scored once all of their tree are written, and what comes
  /// before scores is not ordered by its stage.
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
  void submit(const std::string& id, job_kind kind, const std::string& key,
              std::uint32_t stages_after, double median,
              std::function<void(double)> done) {
    on_.submit(
        run_, {id, kind, key, stages_after},
        [&] {
          rng draw{rng_key(seed_, id)};
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
    std::size_t training = 0, writing = 0, scoring = 0; ///< not yet done
    std::size_t asked = 0; ///< tasks of each candidate
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

  /// All but the training, whose rollouts this must follow.
  double add_jobs(const iteration& played, std::vector<placed_job>& out) const {
    const auto wave_of = [&](const std::vector<double>& scores, std::size_t w) {
      const auto begin = w * plan_.wave;
      return std::span{scores}.subspan(
          begin, std::min(plan_.wave, scores.size() - begin));
    };
    double later = 0; // waves after the first
    std::vector<double> wave_takes(waves());
    for (std::size_t w = waves(); w-- > 1;) {
      for (const auto& scores : played.score)
        wave_takes[w] = std::max(wave_takes[w], longest(wave_of(scores, w)));
      later += wave_takes[w];
    }
    const double trained = longest(played.train);
    const double begun = trained + played.embed;
    double first_ends = 0, after = 0;
    for (std::size_t j = 0; j < played.write.size(); ++j) {
      const auto first = wave_of(played.score[j], 0);
      const double written = begun + played.write[j];
      out.push_back({begun, played.write[j], longest(first) + later});
      for (const double score : first)
        out.push_back({written, score, later});
      first_ends = std::max(first_ends, written + longest(first));
      after = std::max(after, played.write[j] + longest(first) + later);
    }
    double head = first_ends;
    for (std::size_t w = 1; w < waves(); ++w) {
      later -= wave_takes[w];
      for (const auto& scores : played.score)
        for (const double score : wave_of(scores, w))
          out.push_back({head, score, later});
      head += wave_takes[w];
    }
    out.push_back({trained, played.embed, after});
    return played.embed + after;
  }

  [[nodiscard]] std::string of_iteration(const char* what) const {
    return fmt::format("{} {} {}", name_, iteration_, what);
  }

  /// As learners/brew says it; before, all that is no score was alike.
  [[nodiscard]] std::uint32_t stages(std::size_t before_scores) const {
    if (plan_.as_before) return 1;
    return static_cast<std::uint32_t>(waves() + before_scores);
  }

  void train(std::size_t k) {
    auto& played = trees_[k].played;
    const auto& tasks = trees_[k].train;
    played.train.resize(tasks.size());
    played.training = tasks.size();
    for (std::size_t i = 0; i < tasks.size(); ++i)
      submit(fmt::format("{} {}", of_iteration("train"), tasks[i]),
             job_kind::rollout, fmt::format("train{}", tasks[i]), stages(2),
             durations_.train[tasks[i]], [this, k, i](double seconds) {
               auto& now = trees_[k].played;
               now.train[i] = seconds;
               if (--now.training == 0) embed(k);
             });
  }

  void embed(std::size_t k) {
    const auto id = fmt::format("{} {}", of_iteration("embed"), k);
    rng draw{rng_key(seed_, id, 1)};
    submit(id, job_kind::embed, "", stages(1),
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
    for (std::size_t j = 0; j < plan_.candidates; ++j)
      submit(fmt::format("{} {} {}", of_iteration("write"), k, j),
             job_kind::integrate, std::to_string(k), stages(0),
             durations_.writing[k],
             [this, k, j](double seconds) { written(k, j, seconds); });
  }

  void written(std::size_t k, std::size_t j, double seconds) {
    auto& played = trees_[k].played;
    played.write[j] = seconds;
    --played.writing;
    if (!plan_.as_before) return score(k, j, 0);
    if (played.writing > 0) return;
    for (std::size_t each = 0; each < plan_.candidates; ++each)
      score(k, each, 0);
  }

  /// The wave of a candidate that begins with this task.
  void score(std::size_t k, std::size_t j, std::size_t from) {
    auto& played = trees_[k].played;
    const auto to = std::min(tasks_of_tree, from + plan_.wave);
    played.asked = to;
    const auto waves_after = (tasks_of_tree - to + plan_.wave - 1) / plan_.wave;
    const auto stages_after =
        plan_.as_before ? 0 : static_cast<std::uint32_t>(waves_after);
    played.scoring += to - from;
    for (auto i = from; i < to; ++i) {
      const auto task = trees_[k].eval[i];
      submit(fmt::format("{} {} {} {}", of_iteration("score"), k, j, task),
             job_kind::rollout, fmt::format("eval{}", task), stages_after,
             durations_.held_out[task], [this, k, j, i](double seconds) {
               trees_[k].played.score[j][i] = seconds;
               scored(k);
             });
    }
  }

  void scored(std::size_t k) {
    auto& played = trees_[k].played;
    if (--played.scoring > 0 || played.writing > 0) return;
    if (const auto from = played.asked; from < tasks_of_tree)
      for (std::size_t each = 0; each < plan_.candidates; ++each)
        score(k, each, from);
    else if (--trees_busy_ == 0)
      at_barrier_();
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
