#pragma once
/// The phases of one BREW search (BREW, arXiv:2511.20297, algorithm 1) as a
/// state machine: initial rollouts -> embedding -> concepts -> roots ->
/// iterations 0..M. The gather barrier closes each iteration. Inputs are
/// results and reports; outputs are jobs and orders. Owns the current knowledge
/// base. No clock, I/O or actor. The outcome does not depend on the order in
/// which results arrive, with one exception: with a quorum, the order decides
/// which trees are late at a barrier (search/barrier.hpp). PURE.

#include "learners/brew/concept_search.hpp"
#include "search/barrier.hpp"

#include <optional>
#include <unordered_map>

namespace brewery {

/// Everything that a new tree needs for its search.
struct tree_seed {
  formed_concept about;
  doc_hash root;
  std::vector<line_evidence> evidence;
};

/// The orders of one step of the machine. The owner carries them out in the
/// order of the members, and steps in the order in which they were returned.
/// What follows `gathered` waits until `gathered` is journalled.
struct phase_step {
  std::vector<job> jobs;
  std::vector<tree_seed> trees;         ///< one per concept, in concept order
  std::vector<dropped_concept> dropped; ///< concepts that get no tree
  /// Goes to `late_tree`, which has reported the previous iteration. It is the
  /// order that the other trees already have, so the late tree works on the
  /// same knowledge base.
  std::optional<start_expand> catch_up;
  concept_id late_tree;
  std::optional<gather_record> gathered; ///< the barrier closed
  std::optional<start_expand> expand;    ///< to the trees of `ready`
  std::vector<concept_id> ready;         ///< all trees but the late ones
  bool finished = false;                 ///< `current()` is the result
  std::optional<error> failed;           ///< the search cannot continue
};

enum class search_phase : std::uint8_t {
  initial_rollouts,
  embedding,
  roots,
  expanding,
  finished,
  failed,
};

std::string_view to_string(search_phase phase);

class brew_phases {
public:
  /// `recorded` holds the barriers that were closed before a resume.
  brew_phases(std::shared_ptr<const brew_settings> settings,
              std::shared_ptr<document_store> documents,
              std::vector<gather_record> recorded = {});

  phase_step begin();

  /// Instead of `begin`: continues after a full gather, with trees that the
  /// owner has.
  phase_step continue_after(const search_mark& mark);

  /// Ignores unknown and repeated results.
  phase_step on(const job_result& answer);

  /// Ignores a report that the barrier does not wait for.
  phase_step on(const expand_report& report);

  [[nodiscard]] search_phase phase() const { return phase_; }
  [[nodiscard]] std::uint32_t iteration() const {
    return barrier_ ? barrier_->iteration() : 0;
  }
  /// The number of jobs or reports that the open barrier still waits for.
  [[nodiscard]] std::size_t waiting_for() const;
  /// The number of trees that have reported in this iteration.
  [[nodiscard]] std::size_t reported() const {
    return barrier_ ? barrier_->reported() : 0;
  }
  /// The trees that have not; empty before there are any.
  [[nodiscard]] std::set<concept_id> missing() const {
    return barrier_ ? barrier_->missing() : std::set<concept_id>{};
  }
  /// The current knowledge base; empty before the roots exist.
  [[nodiscard]] const std::vector<doc_ref>& current() const;
  [[nodiscard]] const std::vector<concept_record>& concepts() const {
    return concepts_;
  }
  /// The concepts that left because nobody could write their first document.
  [[nodiscard]] const std::vector<dropped_concept>& dropped() const {
    return dropped_;
  }
  [[nodiscard]] double initial_success() const { return initial_success_; }

private:
  /// What the first initial rollout that ended so says.
  [[nodiscard]] std::string first_error(rollout_outcome kind) const;
  phase_step fail_ungraded(std::size_t broken);
  phase_step embed();
  phase_step form();
  [[nodiscard]] std::string why_no_insight() const;
  [[nodiscard]] insight_groups groups_of(const formed_concept& item) const;
  phase_step make_roots();
  void gather(phase_step& step);
  phase_step fail(ec code, std::string message);
  concept_inputs inputs() const;

  std::shared_ptr<const brew_settings> settings_;
  std::shared_ptr<document_store> documents_;
  std::vector<gather_record> recorded_;
  search_phase phase_ = search_phase::initial_rollouts;
  std::vector<job_id> order_; ///< of the initial rollouts
  std::unordered_map<job_id, std::optional<job_result>> answers_;
  std::size_t unanswered_ = 0; ///< of them
  std::vector<rollout_result> initial_;
  std::optional<said_insights> said_; ///< in them, until concepts are formed
  std::vector<formed_concept> formed_;
  std::vector<concept_record> concepts_;
  std::vector<dropped_concept> dropped_;
  std::optional<gather_barrier> barrier_; ///< set once the roots exist
  double initial_success_ = 0;
};

} // namespace brewery
