#include "kb/comparators/entity_graph.hpp"

#include "kb/comparators/lesson_rule.hpp"
#include "kb/comparators/quoted_line.hpp"

#include <fmt/format.h>

namespace brewery {

entity_graph::entity_graph(const std::vector<recorded_attempt>& chunks) {
  const lesson_rule usual{chunks};
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    told_.push_back(quoted_line(chunks[i].told, text_bytes));
    for (const auto& one : chunks[i].changes) {
      const bool lesson = usual.is_lesson(one);
      for (const auto& before : one.before) {
        if (before.empty() || one.call.empty()) continue;
        triplet key{before, one.call, one.after};
        if (edges_.size() == triplets_max && !edges_.contains(key)) continue;
        auto& edge = edges_[std::move(key)];
        if (edge.chunks.insert(i).second && chunks[i].solved) ++edge.solved;
        if (!edge.sentence.empty() && (edge.lesson || !lesson)) continue;
        edge.sentence = lesson ? single_line(one.sentence, sentence_bytes)
                               : quoted_line(one.sentence, sentence_bytes);
        edge.lesson = lesson;
      }
    }
  }
}

std::vector<triplet> entity_graph::triplets() const {
  std::vector<triplet> out;
  for (const auto& [key, edge] : edges_)
    out.push_back(key);
  return out;
}

std::vector<std::string> entity_graph::documents() const {
  std::vector<std::string> out;
  for (const auto& [key, edge] : edges_) {
    auto text = fmt::format(
        "# {} -> {} -> {}\n\n- {}\n\nIn {}, {} of them solved, such as:\n",
        quoted_line(key.head, text_bytes),
        quoted_line(key.relation, text_bytes),
        key.tail.empty() ? "(gone)" : quoted_line(key.tail, text_bytes),
        edge.sentence, counted(edge.chunks.size(), "attempt"), edge.solved);
    std::set<std::string> named;
    for (const auto i : edge.chunks)
      if (named.size() < chunks_named && named.insert(told_[i]).second)
        text += "- " + told_[i] + "\n";
    out.push_back(std::move(text));
  }
  return out;
}

} // namespace brewery
