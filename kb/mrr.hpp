#pragma once
/// The retrieval reward R_ret of one document (BREW, arXiv:2511.20297, equation
/// 8): the mean over queries of 1/rank of the document in the knowledge base's
/// ranking, 0 if it is not retrieved. Needs no rollout.

#include "kb/retriever.hpp"

#include <algorithm>

namespace brewery {

/// Of a ranking that a rollout brings. What comes later adds less than 0.001 to
/// the mean.
inline constexpr std::size_t ranking_depth = 1000;

/// 1/rank of document `index` for one query, in [0, 1]. Only the first `depth`
/// documents of the ranking count; by default all.
inline double
reciprocal_rank(const retriever& source, std::string_view query,
                std::size_t index,
                std::size_t depth = static_cast<std::size_t>(-1)) {
  const auto found = source.search(query, std::min(depth, source.size()));
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i].index == index) return 1.0 / static_cast<double>(i + 1);
  return 0;
}

/// The same, of a concept in a ranking that somebody else made.
inline double reciprocal_rank(const std::vector<concept_id>& ranking,
                              concept_id of) {
  const auto place = std::find(ranking.begin(), ranking.end(), of);
  return place == ranking.end()
             ? 0
             : 1.0 / static_cast<double>(place - ranking.begin() + 1);
}

} // namespace brewery
