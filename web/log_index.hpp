#pragma once
/// Where things are in the log of one run: its rollouts, the texts of document
/// versions and the trees that have them. Read once and then extended by what
/// the log got since, so that a run that is being written stays cheap to show.
/// A log of 100,000 rollouts makes an index of some 45 MB.

#include "messages/job_msgs.hpp"
#include "messages/search_msgs.hpp"
#include "messages/side_records.hpp"
#include "report/log_history.hpp"
#include "store/event_log.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace brewery::web {

/// A rollout without its trajectory.
struct listed_rollout {
  job_id id;
  std::uint64_t event = 0; ///< of the log
  task_id task;
  std::uint32_t trial = 0;
  rollout_outcome outcome = rollout_outcome::graded;
  double reward = 0;
  std::uint64_t duration_us = 0;
  std::string reused_from{};
};

/// A tree that has a version with this document.
struct document_place {
  std::string strategy;
  concept_id concept_ref;
};

class log_index {
public:
  /// Reads the events that came since. Error: as of the log.
  result<void> extend(const event_log& log);

  /// In order of the log; without those that were tried again.
  [[nodiscard]] const std::vector<listed_rollout>& rollouts() const {
    return known_.rollouts;
  }
  [[nodiscard]] const listed_rollout* find(const job_id& id) const;

  /// The event with the text; empty: no integrator wrote it.
  [[nodiscard]] std::optional<std::uint64_t>
  event_of_text(const doc_hash& hash) const;
  /// The jobs that wrote the text; several may have come to the same.
  [[nodiscard]] std::vector<job_id> writers_of(const doc_hash& hash) const;

  /// Null: no version of a tree is it.
  [[nodiscard]] const document_place* place_of(const doc_hash& hash) const;
  /// Empty if the log does not say.
  [[nodiscard]] std::string title_of(const document_place& place) const;

  /// What the rollout was for, in order of the log; the jobs of each are left
  /// out. Empty: not recorded, see `says_purposes`.
  [[nodiscard]] std::vector<job_purpose>
  purposes_of(const job_id& rollout) const;
  /// Calls `visit(job, purpose)` for each rollout and each thing it was for.
  template <class Visit>
  void each_purpose(Visit visit) const {
    for (const auto& [job, purposes] : known_.purpose_of)
      for (const auto at : purposes)
        visit(job, known_.purposes[at]);
  }
  /// What rollouts were for, in order of the log, without their jobs.
  [[nodiscard]] const std::vector<job_purpose>& purposes() const {
    return known_.purposes;
  }
  /// Whether the log says of any rollout what it was for: an older release did
  /// not, and a tree does so when its iteration ends.
  [[nodiscard]] bool says_purposes() const { return !known_.purposes.empty(); }
  /// The version of the tree that has this document.
  [[nodiscard]] std::optional<node_id> version_of(const document_place& place,
                                                  const doc_hash& hash) const;

  /// The event of the last evaluation of an arm; 0: there is none.
  [[nodiscard]] std::uint64_t last_evaluation() const {
    return known_.last_evaluation;
  }
  /// How often all of it was read: what was known before may be gone.
  [[nodiscard]] std::size_t readings() const { return readings_; }
  /// Whether it was for an arm and nothing else, maybe of a final evaluation
  /// that another has replaced.
  [[nodiscard]] bool is_of_arms(const job_id& rollout) const;

private:
  result<void> add(const event_row& row);
  void see(const event_row& row);
  void add_purposes(purpose_record said);
  void add_result(const event_row& row, const job_result& made);

  /// What the rows that hold say.
  struct content {
    std::vector<listed_rollout> rollouts;
    std::map<job_id, std::size_t> by_job; ///< index in `rollouts`
    std::map<doc_hash, std::uint64_t> texts;
    std::map<doc_hash, std::set<job_id>> writers;
    std::map<doc_hash, document_place> places;
    std::map<std::pair<std::string, concept_id>, std::string> titles;
    std::map<std::tuple<std::string, concept_id, doc_hash>, node_id> versions;
    std::vector<job_purpose> purposes; ///< without their jobs
    std::map<job_id, std::vector<std::uint32_t>> purpose_of; ///< in `purposes`
    std::uint64_t last_evaluation = 0;
  };

  log_history history_;
  content known_;
  std::set<job_id> of_arms_; ///< also of arms that do not hold
  std::size_t readings_ = 0;
};

} // namespace brewery::web
