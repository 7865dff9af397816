#pragma once
/// The mechanism of Cognee's graph retrieval: attempts are chunks with a
/// summary; entities and the relations between them are taken from each. What
/// is found are triplets of entity, relation and entity.
///
/// A triplet that several chunks have is one, and says of how many it is, how
/// many of these were solved, and what some of them were told. Of a change that
/// is no lesson (lesson_rule) the sentence is quoted, so that nobody follows
/// it. It is no reproduction: the original ranks triplets by the distances of
/// their three parts; here a document for each triplet has the three, and is
/// found like any document (docs/learners.md). PURE.

#include "kb/comparators/recorded_attempt.hpp"

#include <compare>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace brewery {

struct triplet {
  std::string head, relation, tail; ///< tail may be empty: nothing came
  auto operator<=>(const triplet&) const = default;
};

class entity_graph {
public:
  static constexpr std::size_t chunks_named = 3; ///< of a triplet
  static constexpr std::size_t text_bytes = 300; ///< of a line
  static constexpr std::size_t sentence_bytes = 1000;
  static constexpr std::size_t triplets_max = 2'000; ///< the first are kept

  /// A change has a triplet for each line before it; without one, or without a
  /// call, it has none.
  explicit entity_graph(const std::vector<recorded_attempt>& chunks);

  [[nodiscard]] std::vector<triplet> triplets() const; ///< in their order

  /// A document for each triplet, in their order. Its sentence is that of its
  /// first lesson, else the first.
  [[nodiscard]] std::vector<std::string> documents() const;

private:
  struct told_edge {
    std::string sentence;
    bool lesson = false;    ///< the sentence
    std::size_t solved = 0; ///< chunks
    std::set<std::size_t> chunks;
  };

  std::vector<std::string> told_; ///< of chunks; one line each
  std::map<triplet, told_edge> edges_;
};

} // namespace brewery
