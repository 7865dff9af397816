#include "search/report.hpp"

namespace brewery {

node_record record_of(const node& item) {
  node_record out;
  out.id = item.id;
  out.parent = item.parent;
  out.hash = item.hash;
  out.iteration = item.iteration;
  out.depth = item.depth;
  out.visits = item.visits;
  out.value = item.value();
  out.reward = item.reward;
  out.correctness = item.correctness;
  out.retrieval = item.retrieval;
  if (item.bounded()) out.least = {item.least};
  for (const auto& measured : item.evaluations)
    if (measured.raced) out.raced = {*measured.raced};
  out.challenges = item.challenges;
  for (const auto& measured : item.evaluations)
    out.evaluated += measured.evaluated;
  return out;
}

std::vector<node_record> records_of(const tree& searched) {
  std::vector<node_record> out;
  out.reserve(searched.size());
  for (const auto& item : searched.nodes())
    out.push_back(record_of(item));
  return out;
}

std::vector<node_record> changed_since(const std::vector<node_record>& before,
                                       const std::vector<node_record>& now) {
  std::vector<node_record> out;
  auto known = before.begin();
  for (const auto& item : now) {
    while (known != before.end() && known->id < item.id)
      ++known;
    if (known == before.end() || *known != item) out.push_back(item);
  }
  return out;
}

} // namespace brewery
