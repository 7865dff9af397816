#include "economy/trace_tree.hpp"

#include <algorithm>

namespace brewery {

std::uint32_t trace_tree::node::after(std::uint32_t read) const {
  const auto found = std::ranges::find(
      next, read, [](const auto& edge) { return edge.first; });
  return found == next.end() ? none : found->second;
}

trace_tree::place trace_tree::replay(
    const std::function<std::uint32_t(std::uint32_t)>& read) const {
  if (nodes_.empty()) return frontier{};
  std::uint32_t at = 0;
  while (nodes_[at].ends == none) {
    const auto took = read(nodes_[at].asked.query);
    const auto next = nodes_[at].after(took);
    if (next == none) return frontier{at, took};
    at = next;
  }
  return nodes_[at].ends;
}

std::optional<trace_tree::known_part>
trace_tree::known(const std::vector<trace_step>& trace) const {
  if (nodes_.empty()) return known_part{};
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (!nodes_[at].asks(trace[i])) return std::nullopt;
    const auto next = nodes_[at].after(trace[i].read);
    if (next == none) return known_part{at, i + 1};
    at = next;
  }
  if (nodes_[at].ends == none) return std::nullopt; // the other asked on
  return known_part{at, trace.size() + 1};
}

std::optional<trace_tree::leaf>
trace_tree::add(const std::vector<trace_step>& trace, leaf outcome) {
  const auto begin = known(trace);
  if (!begin) return std::nullopt;
  if (begin->steps > trace.size()) return nodes_[begin->node].ends;
  auto before = begin->node;
  for (auto i = begin->steps; i <= trace.size(); ++i) {
    const auto made = static_cast<std::uint32_t>(nodes_.size());
    if (before != none)
      nodes_[before].next.emplace_back(trace[i - 1].read, made);
    auto& fresh = nodes_.emplace_back();
    if (i < trace.size())
      fresh.asked = trace[i];
    else
      fresh.ends = outcome;
    before = made;
  }
  return outcome;
}

} // namespace brewery
