#pragma once
/// The evaluation of one document version (BREW, arXiv:2511.20297, algorithm
/// 5), asked for in waves: some queries now, others when it is known that they
/// are worth it. Owned by the search of its concept. Pure.

#include "learners/brew/settings.hpp"
#include "messages/job_msgs.hpp"
#include "messages/snapshot_msgs.hpp"
#include "search/evaluation.hpp"

#include <memory>
#include <optional>
#include <set>

namespace brewery {

/// The trials of each held-out task that an evaluation plays.
struct trial_span {
  std::uint32_t first = 0;
  std::uint32_t count = 1;
};

class version_scoring {
public:
  /// The rank of the version's document for each held-out task, as far as it is
  /// known before a rollout.
  using rank_list = std::vector<std::optional<double>>;

  /// On other trials than those of a version's score. Without `ranks` they are
  /// computed.
  version_scoring(std::shared_ptr<const brew_settings> settings,
                  const concept_record& about, node_id scored,
                  const knowledge_base& hybrid, trial_span trials,
                  rank_list ranks = {});

  version_scoring(std::shared_ptr<const brew_settings> settings,
                  const concept_record& about, node_id scored,
                  const knowledge_base& hybrid);

  /// One that was stopped. `hybrid` is the knowledge base that it names;
  /// `ranks` are those it had, or none.
  version_scoring(std::shared_ptr<const brew_settings> settings,
                  const concept_record& about, const stopped_scoring& from,
                  const knowledge_base& hybrid, rank_list ranks);

  [[nodiscard]] node_id scored() const { return scored_; }
  /// Once its version is in the tree.
  void set_scored(node_id scored) { scored_ = scored; }

  /// When answers count: at once, or from `catch_up` on.
  enum class asking { now, ahead };

  /// The jobs of at most `most` queries that were not asked for, tasks in this
  /// order and the trials of a task side by side.
  std::vector<job> ask(std::size_t most, const std::vector<std::size_t>& tasks,
                       asking when = asking::now);

  /// The tasks of what is left, as `ask` will ask for it.
  [[nodiscard]] task_waves
  later_waves(std::size_t most, const std::vector<std::size_t>& tasks) const;

  /// Takes a result that it waits for, now or ahead; ignores any other.
  void take(const job_id& job, const rollout_result& rollout);

  /// What was asked ahead counts now. False: nothing was.
  bool catch_up();

  /// For what was asked now. Nothing below knows what was asked ahead.
  [[nodiscard]] bool waits() const { return !asked_.empty(); }
  /// Something was asked ahead.
  [[nodiscard]] bool is_ahead() const { return !ahead_.empty(); }
  [[nodiscard]] bool has_begun() const { return waits() || !answers_.empty(); }
  [[nodiscard]] bool complete() const { return pending_.complete(); }
  /// Queries that were not asked for.
  [[nodiscard]] std::size_t left() const;

  [[nodiscard]] bounds reward() const;
  /// The least of its reward if all that it waits for succeeds.
  [[nodiscard]] double least_at_best() const;
  /// False: too many of its rollouts broke, whatever the others bring.
  [[nodiscard]] bool may_be_scored() const;
  [[nodiscard]] std::optional<evaluation> finish() const;
  /// What it leaves if it stops here: its bounds, and how to go on.
  [[nodiscard]] evaluation bounded() const;
  [[nodiscard]] stopped_scoring stopped() const;
  [[nodiscard]] const rank_list& ranks() const { return ranks_; }

  /// The mean reward of each of these tasks of which all trials are in, up to
  /// the first one that is not; none of a task that broke (racing.hpp).
  [[nodiscard]] std::vector<std::optional<double>>
  rewards(const std::vector<std::size_t>& tasks) const;
  /// What it leaves if it lost a race of this error: estimates. Grade and rank
  /// are those of `winner`, which is complete, less the mean difference between
  /// them in what this one played; of what it played alone, without one.
  [[nodiscard]] evaluation raced(const version_scoring* winner,
                                 double error) const;

  /// Adds the grades that came since it was made.
  void teach(hardness& learned) const;

private:
  struct answer {
    std::optional<double> grade;
    std::optional<double> rank;
  };

  /// Answered, or on its way.
  [[nodiscard]] bool is_asked(std::size_t query) const;
  void note(std::size_t query, answer given);
  answer read(const rollout_result& rollout);
  [[nodiscard]] std::optional<double> known_rank(std::size_t query) const;
  [[nodiscard]] std::optional<double> rank_of(const rollout_result& made);
  const retriever& index();

  std::shared_ptr<const brew_settings> settings_;
  std::vector<task_id> tasks_;
  node_id scored_;
  trial_span trials_;
  std::vector<doc_ref> hybrid_;
  concept_id concept_;
  knowledge_base hybrid_base_;
  std::shared_ptr<const retriever> index_; ///< of it; null: not needed yet
  std::size_t position_ = 0;               ///< of its document there
  std::vector<job_id> jobs_; ///< of the queries: tasks, then trials
  rank_list ranks_;
  pending_evaluation pending_;
  std::map<std::size_t, answer> answers_; ///< by query
  std::set<std::size_t> asked_;           ///< still without an answer
  std::map<std::size_t, std::optional<answer>> ahead_; ///< by query
  std::set<std::size_t> before_; ///< answered before it was made
};

} // namespace brewery
