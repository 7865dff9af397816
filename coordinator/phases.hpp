#pragma once
/// The phases of one BREW search (papers/000, algorithm 1) as a state machine:
/// initial rollouts -> embedding -> concepts -> roots -> iterations 0..M, each
/// closed by the gather barrier. Results and reports in, jobs and orders out.
/// It owns the gathered best knowledge base. No clock, no I/O, no actor; the
/// outcome does not depend on the order in which results arrive, except, with a
/// quorum, for which trees are late at a barrier (search/barrier.hpp). PURE.

#include "learners/brew/concept_search.hpp"
#include "search/barrier.hpp"

#include <map>
#include <optional>

namespace brewery {

/// A tree to be made: everything its search needs.
struct tree_seed {
  formed_concept about;
  doc_hash root;
  std::vector<line_evidence> evidence;
};

/// What a step of the machine asks for. Orders are to be carried out in the
/// order of the members, and those of a step after those of the step before;
/// what follows `gathered`, after that is on record.
struct phase_step {
  std::vector<job> jobs;
  std::vector<tree_seed> trees; ///< one per concept, in concept order
  /// To `late_tree`, which has reported the iteration before: the order that
  /// the others have had already, so that it works on the same knowledge base.
  std::optional<start_expand> catch_up;
  concept_id late_tree;
  std::optional<gather_record> gathered; ///< the barrier closed
  std::optional<start_expand> expand;    ///< to the trees of `ready`
  std::vector<concept_id> ready;         ///< all but the late ones
  bool finished = false;                 ///< `current()` is the result
  std::optional<error> failed;           ///< the search cannot go on
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
  /// `recorded`: the barriers that were closed before a resume.
  brew_phases(std::shared_ptr<const brew_settings> settings,
              std::shared_ptr<document_store> documents,
              std::vector<gather_record> recorded = {});

  phase_step begin();

  /// Unknown and repeated results change nothing.
  phase_step on(const job_result& answer);

  /// A report that the barrier does not wait for changes nothing.
  phase_step on(const expand_report& report);

  [[nodiscard]] search_phase phase() const { return phase_; }
  [[nodiscard]] std::uint32_t iteration() const {
    return barrier_ ? barrier_->iteration() : 0;
  }
  /// Jobs or reports that the open barrier still waits for.
  [[nodiscard]] std::size_t waiting_for() const;
  /// Trees that have reported this iteration.
  [[nodiscard]] std::size_t reported() const {
    return barrier_ ? barrier_->reported() : 0;
  }
  /// The gathered best knowledge base; empty before the roots.
  [[nodiscard]] const std::vector<doc_ref>& current() const;
  [[nodiscard]] const std::vector<concept_record>& concepts() const {
    return concepts_;
  }
  [[nodiscard]] double initial_success() const { return initial_success_; }

private:
  phase_step embed();
  phase_step form(const job_result& answered);
  phase_step plant();
  void gather(phase_step& step);
  phase_step fail(ec code, std::string message);
  concept_inputs inputs() const;

  std::shared_ptr<const brew_settings> settings_;
  std::shared_ptr<document_store> documents_;
  std::vector<gather_record> recorded_;
  search_phase phase_ = search_phase::initial_rollouts;
  std::vector<job_id> order_; ///< of the initial rollouts
  std::map<job_id, std::vector<job_result>> answers_; ///< 0..1 each
  std::vector<rollout_result> initial_;
  std::vector<formed_concept> formed_;
  std::vector<concept_record> concepts_;
  std::optional<gather_barrier> barrier_; ///< from the roots on
  double initial_success_ = 0;
};

} // namespace brewery
