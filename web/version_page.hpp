#pragma once
/// What one version of a tree was played for and came to, task by task beside
/// its parent, as JSON for the web page.

#include "report/search_trees.hpp"
#include "web/paging.hpp"
#include "web/run_shelf.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace brewery::web {

/// The rollouts of one document, as the log says what each was for.
struct asked_for {
  std::vector<const listed_rollout*> score, learn, confirm;

  /// Of these, by purpose; null: the purpose is none of a version's.
  std::vector<const listed_rollout*>* of(std::string_view what);
};

/// The versions of one tree. Refers to the run and its trees, which must
/// outlive it.
class version_pages {
public:
  /// Error ec::not_found: no such tree.
  static result<version_pages> of(const open_run& run,
                                  const std::vector<search_tree>& trees,
                                  const std::string& strategy,
                                  const std::string& concept_text);

  /// `own` are the rollouts asked for the version's sake (`score`, `learn`, and
  /// `confirm`, fresh trials that no score uses),
  /// how many of these were `reused` and thus not played, and the `seconds`
  /// that the others took; `below` the same of it and all its descendants. A
  /// page of the tasks that scored it or its parent, those that changed most
  /// first: `reward` is the mean of the graded rollouts, `change` is there if
  /// both have one. A search that began as the run's first one did has the
  /// first one's root, and so its rollouts. `recorded` is false if the log does
  /// not say what rollouts were for.
  ///
  /// `models` in `own` and `below` is what the run's recording has of the model
  /// calls of these rollouts, with their reviews, and of the job that wrote the
  /// version; `asks_models` is false if the run has no recording. Error
  /// ec::not_found: no such version.
  [[nodiscard]] result<json> page_of(const std::string& version,
                                     const page& asked) const;

  /// Sums at once what all versions and those below them took: for who asks for
  /// the pages of all.
  void sum_all();

private:
  struct spent;
  version_pages(const open_run& run, const search_tree& tree);

  [[nodiscard]] std::optional<std::size_t>
  index_of(std::optional<std::uint32_t> id) const;
  [[nodiscard]] asked_for rollouts_of(const node_record& node) const;
  void add(const node_record& node, spent& to) const;
  [[nodiscard]] json spent_on(const node_record& node) const;
  [[nodiscard]] json spent_below(const node_record& node) const;

  const log_index* index_;
  const model_calls* calls_;
  const search_tree* tree_;
  std::map<doc_hash, asked_for> by_document_;
  /// By the version's index; null: not summed.
  std::shared_ptr<const std::vector<spent>> below_;
};

} // namespace brewery::web
