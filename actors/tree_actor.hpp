#pragma once
/// The actor around one concept's search: turns its jobs into requests to the
/// ledger and its reports into answers. A job that fails fails the iteration.

#include "actors/interfaces.hpp"
#include "learners/brew/concept_search.hpp"

#include <memory>

namespace brewery {

struct tree_state {
  static inline const char* name = "tree";
  std::unique_ptr<concept_search> search;
  ledger_actor ledger;
  std::uint32_t iteration = 0;
  std::vector<caf::typed_response_promise<expand_report>> waiting; ///< 0..1
};

tree_actor::behavior_type
tree_of_concept(tree_actor::stateful_pointer<tree_state> self,
                std::shared_ptr<concept_search> search, ledger_actor ledger);

} // namespace brewery
