#include "web/log_index.hpp"

#include "base/hash.hpp"
#include "report/log_rows.hpp"

#include <utility>

namespace brewery::web {

result<void> log_index::extend(const event_log& log) {
  for (const auto last = log.last_seq(); seen_ < last; ++seen_) {
    const auto row = log.read(seen_ + 1);
    if (!row) return row.error();
    if (auto ok = add(*row); !ok) return ok.error();
  }
  return {};
}

result<void> log_index::add(const event_row& row) {
  if (row.kind == job_result::type_name) {
    const auto made = brief_of<job_result>(row);
    if (!made) return made.error();
    add_result(row, *made);
  } else if (row.kind == concept_record::type_name) {
    const auto about = brief_of<concept_record>(row);
    if (!about) return about.error();
    titles_[{search_of(row.key), about->id}] = about->title;
  } else if (row.kind == tree_record::type_name) {
    const auto change = brief_of<tree_record>(row);
    if (!change) return change.error();
    for (const auto& item : change->nodes) {
      const auto strategy = search_of(row.key);
      places_.try_emplace(item.hash,
                          document_place{strategy, change->concept_ref});
      versions_.try_emplace({strategy, change->concept_ref, item.hash},
                            item.id);
    }
  } else if (row.kind == purpose_record::type_name) {
    auto said = brief_of<purpose_record>(row);
    if (!said) return said.error();
    add_purposes(std::move(*said));
  } else if (row.kind == evaluation_record::type_name) {
    ++evaluations_;
  }
  return {};
}

void log_index::add_purposes(purpose_record said) {
  for (auto& one : said.purposes) {
    const auto jobs = std::exchange(one.jobs, {});
    const auto at = static_cast<std::uint32_t>(purposes_.size());
    for (const auto& job : jobs)
      purpose_of_[job].push_back(at);
    purposes_.push_back(std::move(one));
  }
}

std::vector<job_purpose> log_index::purposes_of(const job_id& rollout) const {
  std::vector<job_purpose> out;
  if (const auto found = purpose_of_.find(rollout); found != purpose_of_.end())
    for (const auto at : found->second)
      out.push_back(purposes_[at]);
  return out;
}

std::optional<node_id> log_index::version_of(const document_place& place,
                                             const doc_hash& hash) const {
  const auto found = versions_.find({place.strategy, place.concept_ref, hash});
  if (found == versions_.end()) return std::nullopt;
  return found->second;
}

void log_index::add_result(const event_row& row, const job_result& made) {
  if (const auto* text = std::get_if<integrate_result>(&made.output)) {
    const doc_hash hash{content_hash(text->body)};
    texts_[hash] = row.seq;
    writers_[hash].insert({row.key});
    return;
  }
  const auto* played = std::get_if<rollout_result>(&made.output);
  if (!played) return;
  listed_rollout item{{row.key},           row.seq,
                      played->task,        played->trial,
                      played->outcome,     played->grade.reward,
                      played->duration_us, played->reused_from};
  const auto [at, is_new] = by_job_.emplace(item.id, rollouts_.size());
  if (is_new)
    rollouts_.push_back(std::move(item));
  else
    rollouts_[at->second] = std::move(item);
}

const listed_rollout* log_index::find(const job_id& id) const {
  const auto found = by_job_.find(id);
  return found == by_job_.end() ? nullptr : &rollouts_[found->second];
}

std::optional<std::uint64_t>
log_index::event_of_text(const doc_hash& hash) const {
  const auto found = texts_.find(hash);
  if (found == texts_.end()) return std::nullopt;
  return found->second;
}

std::vector<job_id> log_index::writers_of(const doc_hash& hash) const {
  const auto found = writers_.find(hash);
  if (found == writers_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

const document_place* log_index::place_of(const doc_hash& hash) const {
  const auto found = places_.find(hash);
  return found == places_.end() ? nullptr : &found->second;
}

std::string log_index::title_of(const document_place& place) const {
  const auto found = titles_.find({place.strategy, place.concept_ref});
  return found == titles_.end() ? std::string{} : found->second;
}

} // namespace brewery::web
