#pragma once
/// The actor around the search of one concept. It sends the search's jobs to
/// the ledger as requests, puts the tree on record after each iteration, and
/// answers with the search's reports. A job that fails fails the iteration.

#include "actors/interfaces.hpp"
#include "learners/brew/concept_search.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace brewery {

/// Keeps a search as it stands, e.g. in a snapshot.
using save_search = std::function<void(concept_search&)>;

/// Where a tree's records are in the log.
struct tree_place {
  std::string key;       ///< the iteration follows
  bool recorded = false; ///< the log has the tree as it is when it begins here
};

struct tree_state {
  static inline const char* name = "tree";
  tree_place place;
  std::vector<node_record> recorded; ///< in id order
  std::optional<caf::error> unrecorded;
  std::unique_ptr<concept_search> search;
  ledger_actor ledger;
  std::uint32_t iteration = 0;
  /// The rollouts of the iteration, by the version that they read and what they
  /// are for: one of `purpose`.
  std::map<std::pair<doc_hash, std::string_view>, std::set<job_id>> asked;
  std::optional<caf::typed_response_promise<expand_report>> waiting;
};

tree_actor::behavior_type
tree_of_concept(tree_actor::stateful_pointer<tree_state> self,
                std::shared_ptr<concept_search> search, ledger_actor ledger,
                save_search save, tree_place place);

} // namespace brewery
