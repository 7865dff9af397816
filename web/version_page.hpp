#pragma once
/// What one version of a tree was played for and came to, task by task beside
/// its parent, as JSON for the web page.

#include "report/search_trees.hpp"
#include "web/paging.hpp"
#include "web/run_shelf.hpp"

#include <map>
#include <string>
#include <vector>

namespace brewery::web {

/// The rollouts of one document, as the log says what each was for.
struct asked_for {
  std::vector<const listed_rollout*> score, learn;
};

/// The versions of one tree. Refers to the run, which must outlive it.
class version_pages {
public:
  /// Error ec::not_found: no such tree.
  static result<version_pages> of(const open_run& run,
                                  const std::string& strategy,
                                  const std::string& concept_text);

  /// `own` are the rollouts asked for the version's sake (`score`, `learn`),
  /// how many of these were `reused` and thus not played, and the `seconds`
  /// that the others took; `below` the same of it and all its descendants. A
  /// page of the tasks that scored it or its parent, those that changed most
  /// first: `reward` is the mean of the graded rollouts, `change` is there if
  /// both have one. `recorded` is false if the log does not say what rollouts
  /// were for.
  ///
  /// A log has no tokens or cost by rollout: seconds are what it knows of a
  /// version's price. Error ec::not_found: no such version.
  [[nodiscard]] result<json> page_of(const std::string& version,
                                     const page& asked) const;

private:
  version_pages(const log_index& index, search_tree tree);

  [[nodiscard]] asked_for rollouts_of(const node_record& node) const;
  [[nodiscard]] json spent_on(const node_record& node) const;
  [[nodiscard]] json spent_below(const node_record& node) const;

  bool recorded_;
  search_tree tree_;
  std::map<doc_hash, asked_for> by_document_;
};

} // namespace brewery::web
