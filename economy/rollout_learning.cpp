// The part of rollout_reuse that learns from results.

#include "economy/rollout_parts.hpp"
#include "economy/rollout_reuse.hpp"
#include "messages/reusable.hpp"
#include "messages/reused_from.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace brewery {

namespace {

constexpr auto as_pointer = [](const auto& one) { return one.get(); };

} // namespace

/// None: a document is not known, the trajectory is with another, or an older
/// release has not recorded what was drawn.
std::optional<std::vector<trace_step>>
rollout_reuse::trace_of(const rollout_result& rollout,
                        const document_store& texts) {
  const bool has_draws = how_->knows_draws();
  if (with_trajectory(rollout.id, rollout.reused_from) != rollout.id
      || (has_draws && rollout.before_draw == 0))
    return std::nullopt;
  const auto before_draw = has_draws ? rollout.before_draw : never_drew;
  if (before_draw > rollout.retrievals.size() && before_draw != never_drew)
    return std::nullopt;
  const trace_step draws{0, trace_step::draws, rollout.trial};
  std::vector<trace_step> out;
  const auto eyes = how_->begin();
  for (const auto& record : rollout.retrievals) {
    if (out.size() == before_draw) out.push_back(draws);
    std::vector<std::shared_ptr<const document>> held;
    std::vector<const document*> shown;
    for (const auto& hash : record.documents) {
      held.push_back(texts.find(hash));
      if (!held.back()) return std::nullopt;
      shown.push_back(held.back().get());
    }
    out.push_back({record.step, queries_.number(record.query),
                   reads_.number(eyes->next(shown))});
  }
  if (out.size() == before_draw) out.push_back(draws);
  return out;
}

std::optional<std::uint32_t>
rollout_reuse::first_query_in(const std::vector<trace_step>& trace) {
  const auto first = std::ranges::find_if(
      trace, [](auto query) { return query != trace_step::draws; },
      &trace_step::query);
  return first == trace.end() ? std::nullopt : std::optional{first->query};
}

/// How a rollout differs from the one that it had to equal; empty: not at all.
std::string rollout_reuse::difference(const sample& of, trace_tree::leaf leaf,
                                      const outcome* expected,
                                      const outcome& made) {
  const bool is_new = of.outcomes[leaf].get() == &made;
  const auto* known = is_new ? expected : of.outcomes[leaf].get();
  if (!known) return {};
  const auto& id = known->brief.id.value;
  // What was forgotten since cannot be found again.
  if (is_new
      && std::ranges::find(of.outcomes, known, as_pointer) != of.outcomes.end())
    return "it did not read what " + id + " read";
  if (known->brief.grade != made.brief.grade)
    return fmt::format("its reward is {}, that of {}, which read the same, is "
                       "{}",
                       made.brief.grade.reward, id, known->brief.grade.reward);
  if (known->trajectory != made.trajectory)
    return "its calls or insights are not those of " + id
           + ", which read the same";
  return {};
}

bool rollout_reuse::learn(reuse_step& out, sample& of,
                          const rollout_result& whole,
                          const being_played* audit) {
  const auto* expected = audit ? audit->expected.get() : nullptr;
  if (whole.outcome != rollout_outcome::graded) return false;
  if (!reusable(whole.grade)) of.refused = true;
  if (of.refused && !expected) return true;
  const auto trace = trace_of(whole, *documents_);
  if (!trace) return of.refused;
  const auto before = of.known.size();
  const auto fresh = static_cast<trace_tree::leaf>(of.outcomes.size());
  const auto leaf = of.known.add(*trace, fresh);
  questions_ += of.known.size() - before;
  auto one = outcome{brief_of(whole), hash_of_trajectory(whole)};
  one.first_query = first_query_in(*trace);
  if (leaf == fresh && of.reflected && whole.before_draw == never_drew) {
    one.insights = kept_insights(whole);
    questions_ += one.insights.size() / question_bytes;
  }
  const auto made = std::make_shared<const outcome>(std::move(one));
  if (leaf == fresh) of.outcomes.push_back(made);
  auto differs = leaf ? difference(of, *leaf, expected, *made)
                      : "it did not ask what another asked that had read the "
                        "same";
  if (differs.empty() && audit && whole.ranking != audit->ranking)
    differs = "it does not rank the concepts as a replay of its first query";
  if (!differs.empty()) {
    of.refused = true;
    differs = fmt::format("task {}, trial {}: {}", whole.task.value,
                          whole.trial + 1, differs);
  } else if (leaf && of.outcomes[*leaf]->elsewhere) {
    of.outcomes[*leaf] = made; // further ones stand on it
  }
  if (expected || !differs.empty())
    out.checked.push_back({whole.id, std::move(differs)});
  return true;
}

reuse_step rollout_reuse::recall(const rollout_job& work,
                                 const job_result& whole) {
  reuse_step out;
  const auto* rollout = std::get_if<rollout_result>(&whole.output);
  if (!rollout || !may_be_reused(work) || stopped_) return out;
  if (questions_ > options_.max_questions) forget();
  learn(out, sample_at(key_of(work), work), *rollout, nullptr);
  out.checked.clear(); // what differs was said when it was played
  return out;
}

} // namespace brewery
