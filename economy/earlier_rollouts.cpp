// The part of rollout_reuse that is about rollouts of other runs.

#include "economy/rollout_parts.hpp"
#include "economy/rollout_reuse.hpp"
#include "messages/reusable.hpp"
#include "messages/reused_from.hpp"

#include <utility>

namespace brewery {

bool rollout_reuse::know(const rollout_job& like, const rollout_result& whole,
                         const document_store& texts, earlier_place where) {
  if (whole.outcome != rollout_outcome::graded
      || questions_ > options_.max_questions / 2)
    return false;
  auto& of = samples_[key_of(like)];
  if (!reusable(whole.grade)) of.refused = true;
  if (of.refused) return false;
  const auto trace = trace_of(whole, texts);
  if (!trace) return false;
  const auto before = of.known.size();
  const auto fresh = static_cast<trace_tree::leaf>(of.outcomes.size());
  const auto leaf = of.known.add(*trace, fresh);
  questions_ += of.known.size() - before;
  auto made = std::make_shared<const outcome>(outcome{brief_of(whole),
                                                      hash_of_trajectory(whole),
                                                      std::move(where),
                                                      {},
                                                      first_query_in(*trace)});
  if (leaf == fresh) {
    of.outcomes.push_back(std::move(made));
    return true;
  }
  // It asked something else after the same reading, or ended otherwise.
  of.refused = !leaf || of.outcomes[*leaf]->trajectory != made->trajectory
               || of.outcomes[*leaf]->brief.grade != made->brief.grade;
  return !of.refused;
}

/// As the job's own rollout would have left it, but for its time and what was
/// wrong with a model's replies.
result<rollout_result> rollout_reuse::copy_of(const outcome& known,
                                              const rollout_job& work,
                                              replayed_kb& kb) {
  auto out = options_.read_earlier(*known.elsewhere);
  if (!out) return out.error();
  for (auto& record : out->retrievals) {
    const auto* shown = kb.answer(queries_.number(record.query), queries_);
    if (!shown) // after the last one that the replay needed
      return error{ec::not_found, "a query has no vector"};
    record.documents.clear();
    for (const auto* document : *shown)
      record.documents.push_back(document->hash);
  }
  out->reused_from =
      of_other_run(known.elsewhere->run, std::exchange(out->id, work.id));
  out->trial = work.trial;
  out->notes.clear();
  out->duration_us = 0;
  return out;
}

} // namespace brewery
