#include "web/log_index.hpp"

#include "base/hash.hpp"
#include "report/log_rows.hpp"

#include <algorithm>
#include <utility>

namespace brewery::web {

result<void> log_index::extend(const event_log& log) {
  return read_standing(
      history_, log,
      [this] {
        known_ = {};
        of_arms_ = {};
        ++readings_;
      },
      [this](const event_row& row) { return add(row); },
      [this](const event_row& row) { see(row); });
}

void log_index::see(const event_row& row) {
  if (row.kind != purpose_record::type_name) return;
  const auto said = brief_of<purpose_record>(row);
  if (!said) return; // `add` says so, if it holds
  for (const auto& one : said->purposes)
    if (one.what == purpose::arm)
      of_arms_.insert(one.jobs.begin(), one.jobs.end());
}

result<void> log_index::add(const event_row& row) {
  if (row.kind == job_result::type_name) {
    const auto made = brief_of<job_result>(row);
    if (!made) return made.error();
    add_result(row, *made);
  } else if (row.kind == concept_record::type_name) {
    const auto about = brief_of<concept_record>(row);
    if (!about) return about.error();
    known_.titles[{search_of(row.key), about->id}] = about->title;
  } else if (row.kind == tree_record::type_name) {
    const auto change = brief_of<tree_record>(row);
    if (!change) return change.error();
    for (const auto& item : change->nodes) {
      const auto strategy = search_of(row.key);
      known_.places.try_emplace(item.hash,
                                document_place{strategy, change->concept_ref});
      known_.versions.try_emplace({strategy, change->concept_ref, item.hash},
                                  item.id);
    }
  } else if (row.kind == purpose_record::type_name) {
    auto said = brief_of<purpose_record>(row);
    if (!said) return said.error();
    add_purposes(std::move(*said));
  } else if (row.kind == evaluation_record::type_name) {
    known_.last_evaluation = row.seq;
  }
  return {};
}

void log_index::add_purposes(purpose_record said) {
  for (auto& one : said.purposes) {
    const auto jobs = std::exchange(one.jobs, {});
    const auto at = static_cast<std::uint32_t>(known_.purposes.size());
    for (const auto& job : jobs)
      known_.purpose_of[job].push_back(at);
    known_.purposes.push_back(std::move(one));
  }
}

std::vector<job_purpose> log_index::purposes_of(const job_id& rollout) const {
  std::vector<job_purpose> out;
  if (const auto found = known_.purpose_of.find(rollout);
      found != known_.purpose_of.end())
    for (const auto at : found->second)
      out.push_back(known_.purposes[at]);
  return out;
}

bool log_index::is_of_arms(const job_id& rollout) const {
  if (!of_arms_.contains(rollout)) return false;
  const auto found = known_.purpose_of.find(rollout);
  return found == known_.purpose_of.end()
         || std::ranges::all_of(found->second, [&](std::uint32_t at) {
              return known_.purposes[at].what == purpose::arm;
            });
}

std::optional<node_id> log_index::version_of(const document_place& place,
                                             const doc_hash& hash) const {
  const auto found =
      known_.versions.find({place.strategy, place.concept_ref, hash});
  if (found == known_.versions.end()) return std::nullopt;
  return found->second;
}

void log_index::add_result(const event_row& row, const job_result& made) {
  if (const auto* text = std::get_if<integrate_result>(&made.output)) {
    const doc_hash hash{content_hash(text->body)};
    known_.texts[hash] = row.seq;
    known_.writers[hash].insert({row.key});
    return;
  }
  const auto* played = std::get_if<rollout_result>(&made.output);
  if (!played) return;
  listed_rollout item{{row.key},           row.seq,
                      played->task,        played->trial,
                      played->outcome,     played->grade.reward,
                      played->duration_us, played->reused_from};
  const auto [at, is_new] =
      known_.by_job.emplace(item.id, known_.rollouts.size());
  if (is_new)
    known_.rollouts.push_back(std::move(item));
  else
    known_.rollouts[at->second] = std::move(item);
}

const listed_rollout* log_index::find(const job_id& id) const {
  const auto found = known_.by_job.find(id);
  return found == known_.by_job.end() ? nullptr
                                      : &known_.rollouts[found->second];
}

std::optional<std::uint64_t>
log_index::event_of_text(const doc_hash& hash) const {
  const auto found = known_.texts.find(hash);
  if (found == known_.texts.end()) return std::nullopt;
  return found->second;
}

std::vector<job_id> log_index::writers_of(const doc_hash& hash) const {
  const auto found = known_.writers.find(hash);
  if (found == known_.writers.end()) return {};
  return {found->second.begin(), found->second.end()};
}

const document_place* log_index::place_of(const doc_hash& hash) const {
  const auto found = known_.places.find(hash);
  return found == known_.places.end() ? nullptr : &found->second;
}

std::string log_index::title_of(const document_place& place) const {
  const auto found = known_.titles.find({place.strategy, place.concept_ref});
  return found == known_.titles.end() ? std::string{} : found->second;
}

} // namespace brewery::web
