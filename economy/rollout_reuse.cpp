#include "economy/rollout_reuse.hpp"

#include "base/hash.hpp"
#include "economy/rollout_parts.hpp"

#include <algorithm>
#include <utility>

namespace brewery {

namespace {

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
      options_(std::move(options)), vectors_(std::make_shared<known_vectors>()),
      indexes_(documents_, options_.replay, vectors_) {}

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
                                        replayed_kb& kb,
                                        std::vector<std::string>& lacking) {
  const auto eyes = how_->begin();
  return of.known.replay([&](std::uint32_t query) {
    if (query == trace_step::draws) return work.trial;
    const auto* shown = kb.answer(query, queries_);
    if (shown) return reads_.number(eyes->next(*shown));
    lacking.push_back(queries_.text(query));
    return trace_tree::none;
  });
}

bool rollout_reuse::is_audited(const job_id& id) const {
  return is_of_share(id.value, options_.audit_share);
}

void rollout_reuse::place(reuse_step& out, const std::string& key, sample& of,
                          job work) {
  const auto& rollout = std::get<rollout_job>(work.input);
  std::vector<std::string> lacking;
  const auto kb = of.refused ? error{ec::not_found, "nothing stands"}
                             : indexes_.of(rollout.knowledge, lacking);
  if (!kb) return out.play.push_back(std::move(work));
  if (!*kb) return hold(out, std::move(work), lacking);
  const auto found = replay(of, rollout, **kb, lacking);
  if (!lacking.empty() && !vectors_->find(lacking.front()))
    return hold(out, std::move(work), lacking);
  if (!lacking.empty()) // its vector does not fit those of the documents
    return out.play.push_back(std::move(work));
  if (const auto* leaf = std::get_if<trace_tree::leaf>(&found))
    return place_at(out, key, of.outcomes[*leaf], std::move(work), **kb);
  const auto at = std::get<trace_tree::frontier>(found);
  if (!of.in_vain)
    for (auto& [id, leader] : of.open)
      if (leader.at == at) {
        waiting_[work.id] = key;
        return leader.waiting.push_back(std::move(work));
      }
  playing_[work.id] = {key, of.reflected, nullptr};
  of.open[work.id] = {at, {}};
  out.play.push_back(std::move(work));
}

/// Where a rollout is known that read the same.
void rollout_reuse::place_at(reuse_step& out, const std::string& key,
                             std::shared_ptr<const outcome>& known, job work,
                             replayed_kb& kb) {
  const auto& rollout = std::get<rollout_job>(work.input);
  std::vector<concept_id> ranking;
  const auto play = [&](std::shared_ptr<const outcome> expected) {
    playing_[work.id] = {key, rollout.reflect, std::move(expected), ranking};
    out.play.push_back(std::move(work));
  };
  if (rollout.reflect && known->insights.empty()) return play(nullptr);
  if (options_.replay.by_vectors && !rollout.reflect) {
    auto made = known->first_query ? kb.ranking(*known->first_query, queries_)
                                   : std::nullopt;
    if (!made) return play(nullptr); // it is the task's, which is not known
    ranking = std::move(*made);
  }
  if (is_audited(work.id)) return play(known);
  if (known->elsewhere) {
    auto copy = copy_of(*known, rollout, kb);
    if (!copy) return play(nullptr); // its log is gone
    copy->ranking = std::move(ranking);
    // Further ones stand on the copy.
    known = std::make_shared<const outcome>(outcome{
        brief_of(*copy), known->trajectory, {}, {}, known->first_query});
    return out.stand.push_back(std::move(*copy));
  }
  auto stands = known->brief;
  stands.reused_from = std::exchange(stands.id, work.id).value;
  stands.trial = rollout.trial;
  stands.ranking = std::move(ranking);
  if (rollout.reflect) {
    auto insights = insights_in(known->insights);
    if (!insights) return play(nullptr);
    stands.insights = std::move(*insights);
  }
  out.stand.push_back(std::move(stands));
}

reuse_step rollout_reuse::played(const job_result& whole) {
  reuse_step out;
  if (const auto found = waiting_.find(whole.id); found != waiting_.end()) {
    const auto key = found->second;
    unwait(whole.id);
    playing_[whole.id] = {key, samples_[key].reflected, nullptr};
  }
  if (const auto held = unhold(whole.id)) {
    const auto& rollout = std::get<rollout_job>(held->input);
    playing_[whole.id] = {key_of(rollout), rollout.reflect, nullptr};
  }
  const auto part = playing_.extract(whole.id);
  if (part.empty()) return out;
  const auto& now = part.mapped();
  const auto& key = now.sample;
  auto& of = samples_[key]; // forgotten, perhaps
  of.reflected = now.reflected;
  const auto* rollout = std::get_if<rollout_result>(&whole.output);
  of.in_vain =
      !rollout || !learn(out, of, *rollout, now.expected ? &now : nullptr);
  release(out, key, whole.id);
  return out;
}

reuse_step rollout_reuse::failed(const job_id& id) {
  reuse_step out;
  unwait(id);
  unhold(id);
  const auto part = playing_.extract(id);
  if (part.empty()) return out;
  samples_[part.mapped().sample].in_vain = true;
  release(out, part.mapped().sample, id);
  return out;
}

/// Those that waited are placed again: what is known has grown, or they wait no
/// more.
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

std::vector<job_id> rollout_reuse::stop() {
  stopped_ = true;
  std::vector<job_id> out;
  for (const auto& [id, key] : waiting_)
    out.push_back(id);
  waiting_.clear();
  for (const auto& [id, text] : held_for_)
    out.push_back(id);
  held_for_.clear();
  held_.clear();
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
  vectors_->forget();
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
