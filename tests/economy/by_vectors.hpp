#pragma once
/// Replays of retrieval by vectors alone.

#include "economy/replay_index.hpp"
#include "kb/dense/dense_index.hpp"

#include <span>
#include <utility>

namespace brewery::test {

inline replay_options replay_by_vectors() {
  replay_options out;
  out.by_vectors = [](const knowledge_base&,
                      const std::vector<text_vector>& vectors)
      -> result<std::shared_ptr<const retriever>> {
    std::vector<std::span<const double>> places;
    for (const auto& one : vectors)
      places.emplace_back(*one);
    auto codes = codes_of(places);
    if (!codes) return codes.error();
    return std::shared_ptr<const retriever>{
        std::make_shared<const dense_index>(std::move(*codes))};
  };
  return out;
}

} // namespace brewery::test
