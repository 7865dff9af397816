#include "kb/fusion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brewery {

result<void> validate(const fusion_options& options) {
  const auto check = [](const char* name, double weight) -> result<void> {
    if (weight >= 0 && std::isfinite(weight)) return {};
    return error{ec::invalid_argument,
                 fmt::format("retrieval.{} is {}; it must be a number of at "
                             "least 0",
                             name, weight)};
  };
  if (auto ok = check("bm25_weight", options.bm25_weight); !ok) return ok;
  if (auto ok = check("dense_weight", options.dense_weight); !ok) return ok;
  if (options.bm25_weight == 0 && options.dense_weight == 0)
    return error{ec::invalid_argument,
                 "retrieval.bm25_weight and retrieval.dense_weight are both 0: "
                 "nothing could be found"};
  return {};
}

std::string fingerprint(const fusion_options& options) {
  return fmt::format("fusion={}/{}/{}", options.k, options.bm25_weight,
                     options.dense_weight);
}

fused_retriever::fused_retriever(std::shared_ptr<const retriever> words,
                                 std::shared_ptr<const retriever> vectors,
                                 fusion_options options)
    : words_(std::move(words)), vectors_(std::move(vectors)),
      options_(options) {
  BREWERY_ASSERT(words_->size() == vectors_->size());
  BREWERY_ASSERT(validate(options));
}

std::vector<retrieved> fused_retriever::search(const retrieval_query& query,
                                               std::size_t limit) const {
  std::vector<retrieved> both;
  if (limit == 0) return both;
  const auto add = [&](const retriever& from, double weight) {
    if (weight == 0) return;
    double rank = options_.k;
    for (const auto& hit : from.search(query, fusion_depth))
      both.push_back({hit.index, weight / ++rank});
  };
  add(*words_, options_.bm25_weight);
  add(*vectors_, options_.dense_weight);
  // A document is there at most twice, and a sum of two has no order.
  std::ranges::sort(both, {}, &retrieved::index);
  std::vector<retrieved> fused;
  for (const auto& part : both)
    if (!fused.empty() && fused.back().index == part.index)
      fused.back().score += part.score;
    else
      fused.push_back(part);
  const auto kept = std::min(limit, fused.size());
  std::partial_sort(
      fused.begin(), fused.begin() + static_cast<std::ptrdiff_t>(kept),
      fused.end(), [](const retrieved& a, const retrieved& b) {
        return a.score != b.score ? a.score > b.score : a.index < b.index;
      });
  fused.resize(kept);
  return fused;
}

} // namespace brewery
