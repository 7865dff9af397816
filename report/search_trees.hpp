#pragma once
/// The trees of a run's searches as its log has them: every version of every
/// document with its statistics after the tree's last iteration on record. Read
/// even while a process writes the log.

#include "base/result.hpp"
#include "messages/search_msgs.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace brewery {

struct search_tree {
  std::string strategy;
  concept_record about;
  std::uint32_t iteration = 0; ///< the last one on record
  /// In id order; the first is the root. Empty: not recorded, because the run
  /// is of an older release, or no iteration has ended.
  std::vector<node_record> nodes{};
  /// The versions that the barriers published, in order of the iteration.
  std::vector<node_id> published{};
  std::uint32_t dropped = 0; ///< candidates equal to an existing version
};

/// In order of the searches' begin, then of the concepts. Error ec::corrupt: a
/// record cannot be read.
result<std::vector<search_tree>> search_trees(const std::filesystem::path& run);

/// Whether all versions of the tree are on record. An older release may have
/// played the first iterations.
bool is_whole(const search_tree& tree);

} // namespace brewery
