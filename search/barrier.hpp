#pragma once
/// The gather barrier (BREW, arXiv:2511.20297, algorithm 1), full or with a
/// quorum. It collects the trees' reports and makes one record per closed
/// barrier. Owned by the coordinator actor. Pure.
///
/// With a share q < 1, the barrier of iteration t closes as soon as
///   - every tree that was late for iteration t-1 has reported iteration t-1,
///     and
///   - ceil(q * trees) trees have reported iteration t; in the last iteration
///     all trees must report.
/// So no tree is more than one iteration behind, every tree does every
/// iteration, and the final knowledge base is complete. A late tree keeps its
/// last gathered document until the next barrier folds its report in. Reports
/// are folded in by iteration, then by concept, never by arrival time. So a
/// record depends only on the reports and on which trees were late.
///
/// Which trees are late depends on timing. A barrier with a recorded outcome
/// therefore closes with the same late trees as in the record. Their reports
/// are held back for the next barrier if they arrive earlier this time.

#include "messages/search_msgs.hpp"

#include <map>
#include <optional>
#include <set>

namespace brewery {

/// The number of reports that close a barrier: share * trees, rounded up, at
/// least one and at most `trees`. 0 without trees.
std::size_t quorum_of(double share, std::size_t trees);

class gather_barrier {
public:
  /// `roots` holds each tree's first document, in concept order. `last` is the
  /// last iteration. `recorded` holds the records of barriers that closed
  /// before a resume. A record that this barrier could not have made is
  /// ignored.
  gather_barrier(std::vector<doc_ref> roots, double share, std::uint32_t last,
                 const std::vector<gather_record>& recorded = {});

  /// Continues after a full barrier that closed before a restart with what is
  /// the current knowledge base here.
  void continue_after(std::uint32_t iteration);

  /// Returns false, without a change, if the barrier does not expect this
  /// report.
  bool take(const expand_report& report);

  /// Returns the record if the barrier can close now. The next barrier then
  /// opens, unless this was the last.
  std::optional<gather_record> close();

  [[nodiscard]] std::uint32_t iteration() const { return iteration_; }
  [[nodiscard]] bool over() const { return over_; }
  /// The gathered knowledge base.
  [[nodiscard]] const std::vector<doc_ref>& current() const { return current_; }
  /// The number of trees that have reported the open iteration.
  [[nodiscard]] std::size_t reported() const { return reports_.size(); }
  /// The number of reports that are missing before the open barrier can close.
  [[nodiscard]] std::size_t waiting_for() const;
  /// The trees that have not reported the open iteration.
  [[nodiscard]] std::set<concept_id> missing() const;
  /// The trees that have not reported the iteration before the open one.
  [[nodiscard]] const std::set<concept_id>& behind() const { return behind_; }

private:
  using reports = std::map<concept_id, expand_report>;

  [[nodiscard]] std::size_t needed() const;
  void follow(const gather_record& recorded);
  /// The trees that are late if the barrier closes now.
  [[nodiscard]] std::set<concept_id> late_now() const;
  void fold(const reports& folded);

  std::vector<doc_ref> current_; ///< in concept order
  double share_;
  std::uint32_t last_;
  std::map<std::uint32_t, std::set<concept_id>> recorded_; ///< late trees
  std::uint32_t iteration_ = 0;
  bool over_ = false;
  std::set<concept_id> behind_;
  reports reports_; ///< for the open iteration
  reports folded_;  ///< for the one before, from late trees
};

/// Each tree's gathered version after the folded-in barriers. Fold records in
/// from oldest to newest: a record alone does not contain the version of a late
/// tree. With the first barrier a search begins, also one that begins anew.
class gathered_versions {
public:
  void fold(const gather_record& closed);
  [[nodiscard]] const std::map<concept_id, node_record>& best() const {
    return best_;
  }
  /// Means over the trees whose version has a score; empty if none has: without
  /// a graded rollout there is nothing that the reward could be.
  [[nodiscard]] std::optional<double> mean_reward() const;
  [[nodiscard]] std::optional<double> mean_correctness() const;

private:
  [[nodiscard]] std::optional<double> mean(double node_record::*of) const;

  std::map<concept_id, node_record> best_;
};

/// The number of late reports in these barriers.
std::size_t count_late(const std::vector<gather_record>& closed);

} // namespace brewery
