#pragma once
/// Where a search is saved at its gathers. Called by the coordinator and its
/// trees, each on a thread of its own; the run owns it and outlives them.

#include "learners/brew/concept_search.hpp"

namespace brewery {

class search_saver {
public:
  search_saver() = default;
  search_saver(const search_saver&) = delete;
  search_saver& operator=(const search_saver&) = delete;
  virtual ~search_saver() = default;

  /// A tree as it stands between iterations, and what came to it since the last
  /// call.
  virtual void save(concept_search& tree) = 0;
  /// Every tree is saved. The trees of `at` are added here.
  virtual void mark(search_mark at) = 0;
};

} // namespace brewery
