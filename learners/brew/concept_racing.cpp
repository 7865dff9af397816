/// Candidates that are probably worse than another of their expansion
/// (search/racing.hpp). Nothing completes them, so with economy.racing choices
/// of UCT and the integrator's view of such a version rest on an estimate.

#include "base/rng.hpp"
#include "learners/brew/concept_search.hpp"
#include "search/racing.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace brewery {

bool concept_search::is_raced() const {
  return settings_->economy.racing > 0 && selects();
}

/// What says most about a candidate goes first. A race needs a random order,
/// the same for all that run it.
std::vector<std::size_t> concept_search::order_of_play() const {
  const auto tasks = about_.record.eval_tasks.size();
  if (!is_raced() || stage_ == stage::settling) return hardness_.order(tasks);
  std::vector<std::size_t> out(tasks);
  std::iota(out.begin(), out.end(), std::size_t{0});
  rng{rng_key(settings_->seed, "race", about_.record.id.value,
              order_.iteration)}
      .shuffle(out);
  return out;
}

/// After a wave that all of them have played.
void concept_search::race() {
  std::map<node_id, std::vector<const version_scoring*>> expansions;
  for (const auto& item : scorings_)
    expansions[tree_.at(item.scored()).parent].push_back(&item);
  const auto order = order_of_play();
  for (const auto& [parent, siblings] : expansions)
    if (siblings.size() > 1) race(siblings, order);
}

void concept_search::race(const std::vector<const version_scoring*>& siblings,
                          const std::vector<std::size_t>& order) {
  std::vector<racer> running;
  for (const auto* item : siblings)
    if (!is_over(item->scored()) && item->may_be_scored())
      running.push_back({item->scored(), item->rewards(order)});
  const auto lost =
      outrun(running, order.size(), siblings.size(), settings_->economy.racing);
  for (const auto* item : siblings)
    if (std::ranges::find(lost, item->scored()) != lost.end()
        && !item->complete()) {
      raced_.insert(item->scored());
      counts_.add(economy::raced, item->left());
    }
}

/// The best of its siblings that was scored to the end; none: none was.
const version_scoring* concept_search::winner_over(node_id loser) const {
  const auto parent = tree_.at(loser).parent;
  const version_scoring* out = nullptr;
  double best = -1;
  for (const auto& item : scorings_) {
    if (tree_.at(item.scored()).parent != parent) continue;
    const auto made = item.finish();
    if (!made || made->reward <= best) continue;
    best = made->reward;
    out = &item;
  }
  return out;
}

/// After all others of the round.
void concept_search::absorb_raced() {
  for (const auto& item : scorings_)
    if (raced_.contains(item.scored()))
      tree_.absorb(item.scored(), item.raced(winner_over(item.scored()),
                                             settings_->economy.racing));
}

} // namespace brewery
