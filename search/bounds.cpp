#include "search/bounds.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace brewery {

namespace {

/// At one end of the bounds.
double end_of(const std::vector<query_bounds>& queries,
              bounds query_bounds::*what, double bounds::*end,
              bool query_bounds::*counted) {
  std::vector<double> values;
  for (const auto& query : queries)
    if (query.*counted) values.push_back(query.*what.*end);
  return mean_grade(values);
}

bool better(const contender& a, const contender& b) {
  return a.reward.least > b.reward.least
         || (a.reward.least == b.reward.least && a.id < b.id);
}

bool beats(const contender& rival, const contender& item) {
  return item.reward.most < rival.reward.least
         || (item.reward.most == rival.reward.least && rival.id < item.id);
}

std::optional<contender> best_of(const tree& searched) {
  const auto id = searched.best();
  if (!id) return std::nullopt;
  const double reward = searched.at(*id).reward;
  return contender{*id, {reward, reward}};
}

} // namespace

reward_interval interval_of(const std::vector<query_bounds>& queries,
                            const reward_weights& weights) {
  reward_interval out;
  for (const auto end : {&bounds::least, &bounds::most}) {
    const auto grade =
        end_of(queries, &query_bounds::grade, end, &query_bounds::counts);
    const auto rank =
        end_of(queries, &query_bounds::rank, end, &query_bounds::ranked);
    out.correctness.*end = grade;
    out.retrieval.*end = rank;
    out.reward.*end = combine(weights, grade, rank);
  }
  return out;
}

std::vector<node_id> beaten(const std::vector<contender>& running,
                            const tree& searched) {
  auto rival = best_of(searched);
  for (const auto& item : running)
    if (!rival || better(item, *rival)) rival = item;
  std::vector<node_id> out;
  for (const auto& item : running)
    if (item.id != rival->id && beats(*rival, item)) out.push_back(item.id);
  return out;
}

std::vector<node_id> undecided_best(const tree& searched) {
  const auto best = best_of(searched);
  std::vector<node_id> out;
  for (const auto& item : searched.nodes())
    if (item.bounded()
        && (!best || !beats(*best, {item.id, {item.least, item.reward}})))
      out.push_back(item.id);
  return out;
}

void hardness::add(std::size_t task, double grade) {
  if (task >= lost_.size()) {
    lost_.resize(task + 1);
    played_.resize(task + 1);
  }
  lost_[task] += 1 - grade;
  ++played_[task];
}

std::vector<std::size_t> hardness::order(std::size_t count) const {
  const auto share = [this](std::size_t task) {
    if (task >= played_.size() || played_[task] == 0) return 0.0;
    return lost_[task] / played_[task];
  };
  std::vector<std::size_t> out(count);
  std::iota(out.begin(), out.end(), std::size_t{0});
  std::stable_sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) {
    return share(a) > share(b);
  });
  return out;
}

hardness hardness::restored(std::vector<double> lost,
                            std::vector<std::uint32_t> played) {
  hardness out;
  const auto size = std::min(lost.size(), played.size());
  out.lost_ = std::move(lost);
  out.played_ = std::move(played);
  out.lost_.resize(size);
  out.played_.resize(size);
  return out;
}

} // namespace brewery
