/// Candidates that are probably worse than another of their expansion
/// (search/racing.hpp). Nothing completes them, so with economy.racing choices
/// of UCT and the integrator's view of such a version rest on an estimate.

#include "base/rng.hpp"
#include "learners/brew/concept_search.hpp"
#include "search/racing.hpp"

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
  if (scorings_.size() < 2) return;
  const auto order = order_of_play();
  std::vector<racer> running;
  for (const auto& item : scorings_)
    if (!is_over(item.scored()) && item.may_be_scored())
      running.push_back({item.scored(), item.rewards(order)});
  const auto lost = outrun(running, order.size(), scorings_.size(),
                           settings_->economy.racing);
  for (const auto& item : scorings_)
    if (std::ranges::find(lost, item.scored()) != lost.end()
        && !item.complete()) {
      raced_.insert(item.scored());
      counts_.add(economy::raced, item.left());
    }
}

/// After all others of the round.
void concept_search::absorb_raced() {
  const version_scoring* winner = nullptr;
  for (const auto& item : scorings_)
    if (const auto made = item.finish();
        made && (winner == nullptr || made->reward > winner->finish()->reward))
      winner = &item;
  for (const auto& item : scorings_)
    if (raced_.contains(item.scored()))
      tree_.absorb(item.scored(),
                   item.raced(winner, settings_->economy.racing));
}

} // namespace brewery
