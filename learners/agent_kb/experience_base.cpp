#include "learners/agent_kb/experience_base.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace brewery {

namespace {

std::set<std::string> step_set(const experience& item) {
  return {item.steps.begin(), item.steps.end()};
}

} // namespace

relation relation_of(const experience& a, const experience& b) {
  const auto mine = step_set(a), other = step_set(b);
  const bool in_other = std::ranges::includes(other, mine);
  const bool in_mine = std::ranges::includes(mine, other);
  if (in_other && in_mine) return relation::same;
  if (in_other) return relation::abstraction;
  if (in_mine) return relation::composition;
  return a.domain == b.domain ? relation::alternative : relation::adaptation;
}

bool is_better(const held_experience& a, const held_experience& b) {
  const auto& x = a.what.content;
  const auto& y = b.what.content;
  if (x.steps.size() != y.steps.size()) return x.steps.size() > y.steps.size();
  if (x.from.size() != y.from.size()) return x.from.size() > y.from.size();
  if (a.stats.quality != b.stats.quality)
    return a.stats.quality > b.stats.quality;
  return a.what.hash < b.what.hash;
}

void experience_base::note(std::string_view what, const doc_hash& entry,
                           const doc_hash& other, double before, double after) {
  changes_.push_back(
      {std::string{what}, entry.value, other.value, before, after});
}

/// The nearest one that says the same or a part of it; not `twin`: that says
/// something else. Ties by hash.
const held_experience*
experience_base::nearest(const candidate_experience& candidate,
                         bool twin) const {
  const held_experience* nearest = nullptr;
  double best = options_.duplicate;
  for (const auto& [hash, item] : held_) {
    const double near = cosine_of(item.what.facets[0], candidate.facets[0]);
    if (near <= best) continue;
    const auto how = relation_of(candidate.content, item.what.content);
    const bool other =
        how == relation::alternative || how == relation::adaptation;
    if (other == twin) continue;
    nearest = &item;
    best = near;
  }
  return nearest;
}

void experience_base::admit(candidate_experience candidate) {
  const auto hash = candidate.hash;
  if (held_.contains(hash)) return note(memory_changes::duplicate, hash, hash);
  held_experience fresh{std::move(candidate), {}, next_};
  fresh.stats.quality = options_.first_quality;
  fresh.stats.last_used = episodes_;
  const auto before = gone_.find(hash);
  const bool known = before != gone_.end();
  if (known) fresh.stats = before->second;
  if (const auto* twin = nearest(fresh.what, true)) {
    const auto other = twin->what.hash;
    const bool worse = known && utility_of(fresh) < utility_of(*twin);
    if (worse || !is_better(fresh, *twin))
      return note(memory_changes::duplicate, hash, other);
    note(memory_changes::replaced, other, hash);
    if (known) {
      drop(other);
    } else { // it begins with what the other one has proved
      fresh.stats = twin->stats;
      held_.erase(other);
    }
  }
  ++next_;
  note(memory_changes::added, hash, {}, 0, fresh.stats.quality);
  const auto* rival = nearest(fresh.what, false);
  held_.emplace(hash, std::move(fresh));
  if (rival) settle(hash, *rival);
}

void experience_base::settle(const doc_hash& fresh,
                             const held_experience& rival) {
  const auto& content = held_.at(fresh).what.content;
  const auto other = rival.what.hash;
  if (relation_of(content, rival.what.content) == relation::adaptation)
    return note(memory_changes::adaptation, fresh, other);
  note(memory_changes::alternative, fresh, other);
  if (options_.conflicts == agent_kb_conflicts::select) select(fresh, other);
  if (options_.conflicts == agent_kb_conflicts::merge)
    rivals_.emplace_back(other, fresh);
}

std::vector<std::pair<doc_hash, doc_hash>> experience_base::take_rivals() {
  std::set<doc_hash> taken;
  auto out = std::exchange(rivals_, {});
  std::erase_if(out, [&](const auto& pair) {
    // One of them was replaced since, or has another rival already.
    if (!held_.contains(pair.first) || !held_.contains(pair.second)
        || taken.contains(pair.first) || taken.contains(pair.second))
      return true;
    taken.insert({pair.first, pair.second});
    return false;
  });
  return out;
}

void experience_base::select(const doc_hash& a, const doc_hash& b) {
  const auto &x = held_.at(a), &y = held_.at(b);
  const double mine = utility_of(x), others = utility_of(y);
  const bool first = mine != others ? mine > others : is_better(x, y);
  const auto lost = first ? b : a;
  note(memory_changes::conflict, lost, first ? a : b, first ? others : mine,
       first ? mine : others);
  drop(lost);
}

void experience_base::merge(const doc_hash& a, const doc_hash& b,
                            candidate_experience both) {
  const auto x = held_.at(a).stats, y = held_.at(b).stats;
  const auto hash = both.hash;
  held_experience made{std::move(both), {}, next_};
  // The qualities of both, by their uses; of two unused ones the mean.
  const double mine = x.uses + 1.0, others = y.uses + 1.0;
  made.stats.quality =
      (mine * x.quality + others * y.quality) / (mine + others);
  made.stats.uses = x.uses + y.uses;
  made.stats.last_used = std::max(x.last_used, y.last_used);
  made.stats.impacts = x.impacts + y.impacts;
  for (const auto& part : {a, b}) {
    note(memory_changes::merged, part, hash);
    held_.erase(part); // what it has proved goes on in both
  }
  if (held_.contains(hash)) return;
  ++next_;
  note(memory_changes::added, hash, {}, 0, made.stats.quality);
  held_.emplace(hash, std::move(made));
}

void experience_base::credit(const std::vector<doc_hash>& used,
                             double outcome) {
  ++episodes_;
  for (const auto& hash : used) {
    const auto found = held_.find(hash);
    if (found == held_.end()) continue;
    auto& stats = found->second.stats;
    const double before = stats.quality;
    stats.quality = updated_quality(before, options_.learning_rate, outcome);
    ++stats.uses;
    stats.last_used = episodes_;
    note(memory_changes::credited, hash, {}, before, stats.quality);
  }
}

double experience_base::utility_of(const held_experience& item) const {
  const auto idle = static_cast<double>(episodes_ - item.stats.last_used);
  return utility(item.stats.quality, options_.decay, idle, item.stats.impacts);
}

void experience_base::evict(const doc_hash& hash) {
  note(memory_changes::evicted, hash, {}, utility_of(held_.at(hash)), 0);
  drop(hash);
}

void experience_base::drop(const doc_hash& hash) {
  gone_[hash] = held_.at(hash).stats;
  held_.erase(hash);
}

void experience_base::prune() {
  std::vector<std::pair<double, doc_hash>> worth;
  for (const auto& [hash, item] : held_)
    worth.emplace_back(utility_of(item), hash);
  std::ranges::sort(worth);
  std::size_t left = worth.size();
  for (const auto& [value, hash] : worth) {
    const bool over = options_.capacity > 0 && left > options_.capacity;
    if (!over && value > options_.least_utility) break;
    evict(hash);
    --left;
  }
}

memory_record experience_base::take_record(std::uint32_t barrier) {
  memory_record out{"agent_kb", barrier, std::exchange(changes_, {}), {}};
  for (const auto* item : in_order())
    out.entries.push_back(item->what.hash.value);
  return out;
}

std::vector<const held_experience*> experience_base::in_order() const {
  std::vector<const held_experience*> out;
  for (const auto& [hash, item] : held_)
    out.push_back(&item);
  std::ranges::sort(out, {}, &held_experience::number);
  return out;
}

result<experience_index> experience_base::index() const {
  experience_index_options how;
  how.alpha = options_.alpha;
  experience_index_builder builder{how, held_.size()};
  for (const auto& [hash, item] : held_) { // by hash, as the index wants it
    const auto& content = item.what.content;
    auto ok = builder.add(
        {hash.value, problem_text(content) + goal_text(content),
         item.what.facets, content.domain, content.tools, item.stats.quality});
    if (!ok) return ok.error();
  }
  return builder.finish();
}

} // namespace brewery
