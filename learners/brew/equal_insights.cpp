#include "learners/brew/equal_insights.hpp"

#include "base/printable.hpp"
#include "learners/brew/near_vectors.hpp"
#include "learners/brew/told_apart.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>

namespace brewery {

namespace {

/// The insights that stand for themselves so far.
class leaders {
public:
  explicit leaders(double threshold) : threshold_(threshold) {}

  /// The one that the insight joins, or null: it is a leader from now on. The
  /// vector may be absent.
  const insight* join(const insight& item, const std::vector<double>* vector) {
    auto text = collapse_spaces(item.sentence);
    // Equal words need no vectors, and are nearer than all others.
    if (const auto same = by_text_.find(text); same != by_text_.end())
      return same->second;
    std::optional<compared_vector> compared;
    if (vector && !vector->empty() && threshold_ < 1) compared.emplace(*vector);
    if (compared)
      if (const auto* best = nearest(*compared, vector->size(), text))
        return best;
    const auto place = by_text_.emplace(std::move(text), &item).first;
    if (compared)
      with_vector_[vector->size()].push_back(
          {&item, place->first, std::move(*compared)});
    return nullptr;
  }

private:
  struct leader {
    const insight* item;
    std::string_view text;
    compared_vector vector;
  };

  [[nodiscard]] const insight* nearest(const compared_vector& vector,
                                       std::size_t size,
                                       std::string_view text) {
    const insight* best = nullptr;
    double most = threshold_;
    for (const auto& known : with_vector_[size]) {
      const auto near = known.vector.dot_from(most, vector);
      if (near < most || (best && near <= most)) continue;
      if (!may_be_equal(known.text, text)) continue;
      best = known.item;
      most = near;
    }
    return best;
  }

  double threshold_;
  std::unordered_map<std::string, const insight*> by_text_;
  std::map<std::size_t, std::vector<leader>> with_vector_; ///< by its size
};

template <class F>
std::vector<line_evidence> each_line(std::vector<line_evidence> evidence,
                                     F name) {
  for (auto& line : evidence) {
    std::set<insight_id> ids;
    for (const auto& id : line.insights)
      name(id, ids);
    line.insights.assign(ids.begin(), ids.end());
  }
  return evidence;
}

} // namespace

insight_groups equal_insights(const std::vector<counted_insight>& insights,
                              const insight_vectors& vectors,
                              double threshold) {
  std::vector<const counted_insight*> order;
  for (const auto& counted : insights)
    if (is_sentence(counted)) order.push_back(&counted);
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return a->count != b->count ? a->count > b->count
                                : a->item->id < b->item->id;
  });
  leaders known{threshold};
  insight_groups out;
  for (const auto* counted : order) {
    const auto& item = *counted->item;
    const auto it = vectors.find(item.id);
    if (const auto* leader =
            known.join(item, it == vectors.end() ? nullptr : &it->second))
      out.emplace(item.id, leader->id);
  }
  return out;
}

std::vector<line_evidence> as_shown(std::vector<line_evidence> evidence,
                                    const insight_groups& groups) {
  return each_line(std::move(evidence), [&](const auto& id, auto& ids) {
    const auto it = groups.find(id);
    ids.insert(it == groups.end() ? id : it->second);
  });
}

std::vector<line_evidence> as_made(std::vector<line_evidence> evidence,
                                   const insight_groups& groups) {
  if (groups.empty()) return evidence;
  std::map<insight_id, std::vector<insight_id>> members;
  for (const auto& [id, leader] : groups)
    members[leader].push_back(id);
  return each_line(std::move(evidence), [&](const auto& id, auto& ids) {
    ids.insert(id);
    if (const auto it = members.find(id); it != members.end())
      ids.insert(it->second.begin(), it->second.end());
  });
}

} // namespace brewery
