#pragma once
/// The search of one concept (papers/000, algorithms 4 and 5) as a state
/// machine: messages in, jobs and at last a report out. One per tree actor. It
/// never waits, reads no clock and does no I/O; results may arrive in any
/// order, late or twice, and the outcome is the same.
///
/// One iteration t >= 1:
///   select a node  ->  rollouts of Q_train_k under the current KB, reflected
///   ->  h candidates integrated from I_k and the new insights
///   ->  each candidate's rollouts of Q_eval_k on its hybrid KB
///   ->  rewards, back-propagation  ->  report the best document.
/// Iteration 0 only evaluates the root, so that a search can end with "no
/// change was better".

#include "kb/document.hpp"
#include "learners/brew/settings.hpp"
#include "messages/job_msgs.hpp"
#include "search/evaluation.hpp"
#include "search/selection.hpp"
#include "search/tree.hpp"

#include <memory>
#include <optional>

namespace brewery {

/// What the machine wants done next.
struct search_step {
  std::vector<job> jobs;
  std::optional<expand_report> report; ///< the iteration is over
};

class concept_search {
public:
  /// `documents` holds every document that a message names; shared, grows only.
  concept_search(std::shared_ptr<const brew_settings> settings,
                 formed_concept about, doc_hash root,
                 std::vector<line_evidence> root_evidence,
                 std::shared_ptr<document_store> documents);

  /// Ends the previous iteration if that was still open.
  search_step start(const start_expand& message);

  /// A result that is not waited for changes nothing.
  search_step on(const job_result& answer);

  [[nodiscard]] const tree& nodes() const { return tree_; }
  [[nodiscard]] const concept_record& about() const { return about_.record; }
  [[nodiscard]] const insight_pool& insights() const { return about_.insights; }

  /// Evidence of a document of this tree, by body line.
  [[nodiscard]] const std::vector<line_evidence>&
  evidence_of(const doc_hash& hash) const;

private:
  enum class stage { idle, training, integrating, evaluating };

  struct candidate {
    job_id integration;
    bool answered = false;
    std::vector<integrate_result> result; ///< 0..1; none if it was given up
  };
  struct scoring {
    node_id scored;
    pending_evaluation pending;
  };

  search_step train();
  search_step integrate();
  search_step adopt_candidates();
  search_step evaluate(const std::vector<node_id>& fresh);
  search_step score();
  search_step finish(std::string note);

  void learn(const rollout_result& rollout);

  std::shared_ptr<const brew_settings> settings_;
  formed_concept about_;
  std::map<std::string, concept_id> topics_;
  std::shared_ptr<document_store> documents_;
  tree tree_;
  std::map<doc_hash, std::vector<line_evidence>> evidence_;

  stage stage_ = stage::idle;
  start_expand order_;
  expansion chosen_;
  std::map<job_id, std::vector<rollout_result>> training_; ///< 0..1 each
  insight_pool fresh_;
  std::vector<candidate> candidates_;
  std::vector<scoring> scorings_;
  std::uint32_t added_ = 0, dropped_ = 0;
  double train_success_ = 0;
};

} // namespace brewery
