#pragma once
/// Two rankings as one, by reciprocal rank fusion (Cormack, Clarke, Buettcher,
/// SIGIR 2009):
///
///   score(d) = sum over rankings r that have d of weight_r / (k + rank_r(d))
///
/// Ranks count from 1. Scores of the rankings themselves do not matter, so BM25
/// and cosines need no common scale. Ties go to the lower index. Of each
/// ranking the first `fusion_depth` documents count, whatever the limit of the
/// search: so a smaller limit gives the beginning of what a larger one gives.

#include "kb/fusion_options.hpp"
#include "kb/retriever.hpp"

namespace brewery {

inline constexpr std::size_t fusion_depth = 100;

class fused_retriever final : public retriever {
public:
  /// Both are built from the same documents.
  fused_retriever(std::shared_ptr<const retriever> words,
                  std::shared_ptr<const retriever> vectors,
                  fusion_options options);

  std::vector<retrieved> search(const retrieval_query& query,
                                std::size_t limit) const override;

  std::size_t size() const override { return words_->size(); }
  std::size_t dimensions() const override { return vectors_->dimensions(); }

private:
  std::shared_ptr<const retriever> words_, vectors_;
  fusion_options options_;
};

} // namespace brewery
