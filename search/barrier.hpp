#pragma once
/// The gather barrier (papers/000, algorithm 2), full or with a quorum: reports
/// in, records of closed barriers out. PURE.
///
/// With a share q < 1, the barrier of iteration t closes as soon as
///   - every tree that was late for iteration t-1 has reported that one, and
///   - ceil(q * trees) trees have reported iteration t; in the last iteration
///     all of them.
/// So no tree is ever more than one iteration behind, every tree does every
/// iteration, and the final knowledge base is complete. A late tree's document
/// stays the one gathered last until its report is folded in at the next
/// barrier. What is folded in goes by iteration, then concept, never by when it
/// came: a record is a function of the reports and of who was late.
///
/// Who is late is a matter of timing. A barrier that is on record therefore
/// closes as the record says, with the same trees late, and reports that come
/// earlier than then are held back for the next barrier.

#include "messages/search_msgs.hpp"

#include <map>
#include <optional>
#include <set>

namespace brewery {

/// Of how many trees a barrier needs reports: the share, rounded up, at least
/// one and at most all.
std::size_t quorum_of(double share, std::size_t trees);

class gather_barrier {
public:
  /// `roots` has each tree's first document, in concept order; `recorded` are
  /// records of barriers that were closed before a resume. One that this
  /// barrier could not have made is not followed.
  gather_barrier(std::vector<doc_ref> roots, double share, std::uint32_t last,
                 const std::vector<gather_record>& recorded = {});

  /// False, and nothing changes, when this report is not waited for.
  bool take(const expand_report& report);

  /// The record, if the barrier closes now; the next one is then open, unless
  /// this was the last.
  std::optional<gather_record> close();

  [[nodiscard]] std::uint32_t iteration() const { return iteration_; }
  [[nodiscard]] bool over() const { return over_; }
  /// The gathered knowledge base.
  [[nodiscard]] const std::vector<doc_ref>& current() const { return current_; }
  /// Trees that have reported the open iteration.
  [[nodiscard]] std::size_t reported() const { return reports_.size(); }
  /// Reports that must still come before the open barrier closes.
  [[nodiscard]] std::size_t waiting_for() const;
  /// Trees that have not reported the iteration before the open one.
  [[nodiscard]] const std::set<concept_id>& behind() const { return behind_; }

private:
  using reports = std::map<concept_id, expand_report>;

  [[nodiscard]] std::size_t needed() const;
  void follow(const gather_record& recorded);
  /// Who is late if the barrier closes now.
  [[nodiscard]] std::set<concept_id> late_now() const;
  void fold(const reports& folded);

  std::vector<doc_ref> current_; ///< in concept order
  double share_;
  std::uint32_t last_;
  std::map<std::uint32_t, std::set<concept_id>> recorded_; ///< who was late
  std::uint32_t iteration_ = 0;
  bool over_ = false;
  std::set<concept_id> behind_;
  reports reports_; ///< of the open iteration
  reports folded_;  ///< of the one before, by trees that were late for it
};

/// Each tree's gathered version after the barriers whose records were folded
/// in, oldest first: what a record alone does not say of a tree that is late.
class gathered_versions {
public:
  void fold(const gather_record& closed);
  [[nodiscard]] const std::map<concept_id, node_record>& best() const {
    return best_;
  }
  /// Over the trees; 0 without any.
  [[nodiscard]] double mean_reward() const;

private:
  std::map<concept_id, node_record> best_;
};

/// Over these barriers, how often a tree was late.
std::size_t count_late(const std::vector<gather_record>& closed);

} // namespace brewery
