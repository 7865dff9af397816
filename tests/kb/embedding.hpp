#pragma once
/// An embedder for tests of retrieval: hashed terms, like the procedural one,
/// which stands above kb.

#include "base/hash.hpp"
#include "kb/bm25.hpp"
#include "kb/dense/dense_index.hpp"
#include "kb/fusion.hpp"
#include "kb/tokenizer.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <set>

namespace brewery::test {

inline std::vector<double> place_of(std::string_view text,
                                    std::size_t dimensions = 512) {
  std::vector<double> out(dimensions);
  const auto all = tokenize(text);
  for (const auto& term : std::set<std::string>(all.begin(), all.end()))
    out[hash64(term) % dimensions] += 1;
  return all.empty() ? std::vector<double>{} : out;
}

inline std::shared_ptr<const dense_index>
dense_of(const std::vector<std::vector<double>>& vectors,
         const dense_options& options = {}, const parts_runner& run = {}) {
  const std::vector<std::span<const double>> views{vectors.begin(),
                                                   vectors.end()};
  auto codes = codes_of(views);
  REQUIRE(codes);
  return std::make_shared<const dense_index>(std::move(*codes), options, run);
}

/// The retriever of a kind over these texts.
inline std::shared_ptr<const retriever>
retriever_of(const std::string& kind, const std::vector<std::string>& texts,
             fusion_options fusion = {}) {
  const std::vector<std::string_view> views{texts.begin(), texts.end()};
  const auto words = std::make_shared<const bm25_index>(views);
  if (kind == "bm25") return words;
  std::vector<std::vector<double>> vectors;
  for (const auto& text : texts)
    vectors.push_back(place_of(text));
  // Through graphs as well, however few the documents are.
  const auto vectors_index = dense_of(
      vectors, kind == "graph" ? dense_options{0, 7, 100} : dense_options{});
  if (kind == "dense" || kind == "graph") return vectors_index;
  return std::make_shared<const fused_retriever>(words, vectors_index, fusion);
}

inline std::vector<retrieved> ask(const retriever& index,
                                  std::string_view query, std::size_t limit) {
  const auto place = place_of(query);
  return index.search({query, place}, limit);
}

inline std::vector<std::size_t> indexes(const std::vector<retrieved>& hits) {
  std::vector<std::size_t> out;
  for (const auto& hit : hits)
    out.push_back(hit.index);
  return out;
}

} // namespace brewery::test
