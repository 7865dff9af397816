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

} // namespace brewery
