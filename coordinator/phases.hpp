#pragma once
/// The phases of one BREW search (papers/000, algorithm 1) as a state machine:
/// initial rollouts -> embedding -> concepts -> roots -> iterations 0..M, each
/// closed by the gather barrier. Results and reports in, jobs and orders out.
/// It owns the gathered best knowledge base. No clock, no I/O, no actor; the
/// outcome does not depend on the order in which results arrive. PURE.

#include "learners/brew/concept_search.hpp"

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
/// order of the members.
struct phase_step {
  std::vector<job> jobs;
  std::vector<tree_seed> trees;          ///< one per concept, in concept order
  std::optional<gather_record> gathered; ///< the barrier closed
  std::optional<start_expand> expand;    ///< to every tree
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
  brew_phases(std::shared_ptr<const brew_settings> settings,
              std::shared_ptr<document_store> documents);

  phase_step begin();

  /// Unknown and repeated results change nothing.
  phase_step on(const job_result& answer);

  /// A report of an older iteration or a second one changes nothing.
  phase_step on(const expand_report& report);

  [[nodiscard]] search_phase phase() const { return phase_; }
  [[nodiscard]] std::uint32_t iteration() const { return iteration_; }
  /// Jobs or reports that the open barrier still waits for.
  [[nodiscard]] std::size_t waiting_for() const;
  /// The gathered best knowledge base.
  [[nodiscard]] const std::vector<doc_ref>& current() const { return current_; }
  [[nodiscard]] const std::vector<concept_record>& concepts() const {
    return concepts_;
  }
  [[nodiscard]] double initial_success() const { return initial_success_; }

private:
  phase_step embed();
  phase_step form(const job_result& answered);
  phase_step plant();
  phase_step gather();
  phase_step fail(ec code, std::string message);
  concept_inputs inputs() const;

  std::shared_ptr<const brew_settings> settings_;
  std::shared_ptr<document_store> documents_;
  search_phase phase_ = search_phase::initial_rollouts;
  std::uint32_t iteration_ = 0;
  std::vector<job_id> order_; ///< of the initial rollouts
  std::map<job_id, std::vector<job_result>> answers_; ///< 0..1 each
  std::vector<rollout_result> initial_;
  std::vector<formed_concept> formed_;
  std::vector<concept_record> concepts_;
  std::vector<doc_ref> current_;
  std::map<concept_id, expand_report> reports_;
  double initial_success_ = 0;
};

} // namespace brewery
