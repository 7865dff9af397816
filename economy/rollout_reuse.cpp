#include "economy/rollout_reuse.hpp"

#include "economy/rollout_parts.hpp"
#include "messages/reusable.hpp"
#include "messages/reused_from.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace brewery {

namespace {

/// About what a question takes in memory.
constexpr std::size_t question_bytes = 100;

constexpr auto as_pointer = [](const auto& one) { return one.get(); };

/// Says for every job alike whether it is of the share.
bool is_of_share(const std::string& id, double share) {
  constexpr double range = 0x1p64;
  return static_cast<double>(hash64(id)) < share * range;
}

} // namespace

rollout_reuse::rollout_reuse(std::shared_ptr<const reader> how,
                             std::shared_ptr<const document_store> documents,
                             reuse_options options)
    : how_(std::move(how)), documents_(std::move(documents)),
      options_(std::move(options)), indexes_(documents_, options_.replay) {}

reuse_step rollout_reuse::ask(job work) {
  reuse_step out;
  const auto* rollout = std::get_if<rollout_job>(&work.input);
  if (!rollout || !may_be_reused(*rollout) || stopped_) {
    out.play.push_back(std::move(work));
    return out;
  }
  if (questions_ > options_.max_questions) forget();
  const auto key = key_of(*rollout);
  place(out, key, sample_at(key, *rollout), std::move(work));
  return out;
}

/// A reflector on a model reads the titles of all documents, and an agent with
/// a method of its own may read more than it retrieves.
bool rollout_reuse::may_be_reused(const rollout_job& work) const {
  return work.method.empty() && !work.knowledge.empty()
         && (!work.reflect || (options_.reflections && how_->knows_draws()));
}

std::string rollout_reuse::key_of(const rollout_job& work) const {
  return sample_of(work, how_->knows_draws());
}

rollout_reuse::sample& rollout_reuse::sample_at(const std::string& key,
                                                const rollout_job& work) {
  auto& of = samples_[key];
  of.reflected = work.reflect;
  return of;
}

trace_tree::place rollout_reuse::replay(const sample& of,
                                        const rollout_job& work,
                                        replayed_kb& kb) {
  const auto eyes = how_->begin();
  return of.known.replay([&](std::uint32_t query) {
    if (query == trace_step::draws) return work.trial;
    return reads_.number(eyes->next(kb.answer(query, queries_)));
  });
}

bool rollout_reuse::is_audited(const job_id& id) const {
  return is_of_share(id.value, options_.audit_share);
}

void rollout_reuse::place(reuse_step& out, const std::string& key, sample& of,
                          job work) {
  const auto& rollout = std::get<rollout_job>(work.input);
  const auto kb = indexes_.of(rollout.knowledge);
  if (of.refused || !kb) return out.play.push_back(std::move(work));
  const auto found = replay(of, rollout, **kb);
  if (const auto* leaf = std::get_if<trace_tree::leaf>(&found)) {
    auto& known = of.outcomes[*leaf];
    const bool lacks_insights = rollout.reflect && known->insights.empty();
    if (is_audited(work.id) || lacks_insights) {
      playing_[work.id] = {key, lacks_insights ? nullptr : known};
      return out.play.push_back(std::move(work));
    }
    if (known->elsewhere) {
      auto copy = copy_of(*known, rollout, **kb);
      if (!copy) { // its log is gone
        playing_[work.id] = {key, nullptr};
        return out.play.push_back(std::move(work));
      }
      // Further ones stand on the copy.
      known = std::make_shared<const outcome>(
          outcome{brief_of(*copy), known->trajectory});
      return out.stand.push_back(std::move(*copy));
    }
    auto stands = known->brief;
    stands.reused_from = std::exchange(stands.id, work.id).value;
    stands.trial = rollout.trial;
    if (rollout.reflect) stands.insights = insights_in(known->insights);
    return out.stand.push_back(std::move(stands));
  }
  const auto at = std::get<trace_tree::frontier>(found);
  for (auto& [id, leader] : of.open)
    if (leader.at == at) {
      waiting_[work.id] = key;
      return leader.waiting.push_back(std::move(work));
    }
  playing_[work.id] = {key, nullptr};
  of.open[work.id] = {at, {}};
  out.play.push_back(std::move(work));
}

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
    return "its calls are not those of " + id + ", which read the same";
  return {};
}

void rollout_reuse::learn(reuse_step& out, sample& of,
                          const rollout_result& whole,
                          const outcome* expected) {
  if (whole.outcome != rollout_outcome::graded) return;
  if (!reusable(whole.grade)) of.refused = true;
  if (of.refused && !expected) return;
  const auto trace = trace_of(whole, *documents_);
  if (!trace) return;
  const auto before = of.known.size();
  const auto fresh = static_cast<trace_tree::leaf>(of.outcomes.size());
  const auto leaf = of.known.add(*trace, fresh);
  questions_ += of.known.size() - before;
  auto one = outcome{brief_of(whole), hash_of_trajectory(whole)};
  if (leaf == fresh && of.reflected && whole.before_draw == never_drew) {
    one.insights = kept_insights(whole);
    questions_ += one.insights.size() / question_bytes;
  }
  const auto made = std::make_shared<const outcome>(std::move(one));
  if (leaf == fresh) of.outcomes.push_back(made);
  auto differs = leaf ? difference(of, *leaf, expected, *made)
                      : "it did not ask what another asked that had read the "
                        "same";
  if (!differs.empty()) {
    of.refused = true;
    differs = fmt::format("task {}, trial {}: {}", whole.task.value,
                          whole.trial + 1, differs);
  } else if (leaf && of.outcomes[*leaf]->elsewhere) {
    of.outcomes[*leaf] = made; // further ones stand on it
  }
  if (expected || !differs.empty())
    out.checked.push_back({whole.id, std::move(differs)});
}

reuse_step rollout_reuse::played(const job_result& whole) {
  reuse_step out;
  if (const auto found = waiting_.find(whole.id); found != waiting_.end()) {
    const auto key = found->second;
    unwait(whole.id);
    playing_[whole.id] = {key, nullptr};
  }
  const auto part = playing_.extract(whole.id);
  if (part.empty()) return out;
  const auto& [key, expected] = part.mapped();
  if (const auto* rollout = std::get_if<rollout_result>(&whole.output))
    learn(out, samples_[key], *rollout, expected.get());
  release(out, key, whole.id);
  return out;
}

reuse_step rollout_reuse::failed(const job_id& id) {
  reuse_step out;
  unwait(id);
  const auto part = playing_.extract(id);
  if (!part.empty()) release(out, part.mapped().sample, id);
  return out;
}

/// Those that waited are placed again: what is known has grown.
void rollout_reuse::release(reuse_step& out, const std::string& key,
                            const job_id& ended) {
  auto& of = samples_[key];
  auto leader = of.open.extract(ended);
  if (leader.empty()) return;
  for (auto& work : leader.mapped().waiting) {
    waiting_.erase(work.id);
    place(out, key, of, std::move(work));
  }
}

void rollout_reuse::unwait(const job_id& id) {
  const auto found = waiting_.extract(id);
  if (found.empty()) return;
  for (auto& [ignored, leader] : samples_[found.mapped()].open)
    std::erase_if(leader.waiting, [&](const job& one) { return one.id == id; });
}

void rollout_reuse::recall(const rollout_job& work, const job_result& whole) {
  const auto* rollout = std::get_if<rollout_result>(&whole.output);
  if (!rollout || !may_be_reused(work) || stopped_) return;
  if (questions_ > options_.max_questions) forget();
  reuse_step ignored; // what differs was said when it was played
  learn(ignored, sample_at(key_of(work), work), *rollout, nullptr);
}

std::vector<job_id> rollout_reuse::stop() {
  stopped_ = true;
  std::vector<job_id> out;
  for (const auto& [id, key] : waiting_)
    out.push_back(id);
  waiting_.clear();
  for (auto& [key, of] : samples_)
    for (auto& [id, leader] : of.open)
      leader.waiting.clear();
  return out;
}

void rollout_reuse::forget() {
  ++forgotten_;
  questions_ = 0;
  queries_ = {};
  reads_ = {};
  indexes_.forget();
  std::erase_if(samples_, [](const auto& one) {
    return one.second.open.empty() && !one.second.refused;
  });
  for (auto& [key, of] : samples_) {
    of.known = {};
    of.outcomes.clear();
    for (auto& [id, leader] : of.open)
      leader.at = {};
  }
}

} // namespace brewery
