#include "run/resume/stored_summary.hpp"

#include "actors/job_log.hpp"
#include "actors/model_recording.hpp"
#include "config/model_use.hpp"
#include "coordinator/recorded.hpp"
#include "messages/wire/codec.hpp"
#include "run/arms.hpp"
#include "run/resume/failed_jobs.hpp"
#include "run/run_identity.hpp"
#include "store/folder.hpp"
#include "store/run_status.hpp"

#include <fmt/format.h>

#include <unordered_map>

namespace brewery {

namespace {

/// What the run left. What is damaged or gone it makes again, from its log.
bool has_files(const run_directory& run, const config& options) {
  std::error_code ignored;
  return std::filesystem::exists(run.report(), ignored)
         && (options.search.learned().empty()
             || read_knowledge_base(run.documents()).has_value());
}

/// In the order in which a run measures them.
std::vector<std::string> planned_arms(const config& options) {
  std::vector<std::string> out;
  if (!options.search.final_evaluation) return out;
  out.emplace_back("no KB");
  for (const auto& method : options.eval.baselines)
    out.push_back(options.arm_of(method));
  for (const auto& strategy : options.search.learned())
    out.push_back(learned_arm(strategy));
  return out;
}

/// Of another learner than BREW, the arms beside its own: by name.
void add_served_arms(const std::map<std::string, std::string>& decisions,
                     const std::string& learner, std::vector<std::string>& to) {
  const auto kind = fmt::format("{}/", evaluation_record::type_name);
  const auto begin = fmt::format("{}{}, ", kind, learner);
  for (auto it = decisions.lower_bound(begin);
       it != decisions.end() && it->first.starts_with(begin); ++it)
    to.push_back(it->first.substr(kind.size()));
}

/// Each rollout once, as it was played last.
result<played_work> played_in(const event_log& log) {
  std::unordered_map<job_id, std::uint64_t> durations;
  const auto read = log.for_each([&](const event_row& row) -> result<void> {
    if (row.kind != job_result::type_name) return {};
    const auto answer = wire::decode_brief<job_result>(row.payload);
    if (!answer)
      return error{answer.error().code,
                   fmt::format("event {} of the log: {}", row.seq,
                               answer.error().message)};
    if (const auto* one = std::get_if<rollout_result>(&answer->output))
      durations[answer->id] = one->reused_from.empty() ? one->duration_us : 0;
    return {};
  });
  if (!read) return read.error();
  played_work out;
  for (const auto& [id, duration_us] : durations)
    out.add(duration_us);
  return out;
}

result<std::vector<evaluation_record>>
arms_on_record(const std::map<std::string, std::string>& decisions,
               const config& options) {
  std::vector<evaluation_record> out;
  auto names = planned_arms(options);
  if (options.search.learner != "brew")
    add_served_arms(decisions, options.search.learner, names);
  for (const auto& name : names) {
    const auto key = fmt::format("{}/{}", evaluation_record::type_name, name);
    const auto found = decisions.find(key);
    if (found == decisions.end())
      continue; // old logs: a baseline that was left out
    auto arm = wire::decode<evaluation_record>(found->second);
    if (!arm)
      return error{ec::corrupt,
                   fmt::format("the log's {}: {}", key, arm.error().message)};
    out.push_back(std::move(*arm));
  }
  return out;
}

/// Decodes every result.
result<job_notes> notes_in(const event_log& log, const memo_content& known) {
  job_notes out;
  for (const auto& [job, event] : known.logged) {
    const auto row = log.read(event);
    if (!row) return row.error();
    const auto answer = wire::decode<job_result>(row->payload);
    if (!answer)
      return error{answer.error().code,
                   fmt::format("event {} of the log: {}", event,
                               answer.error().message)};
    if (auto notes = notes_of(*answer); !notes.empty())
      out.emplace(job, std::move(notes));
  }
  return out;
}

} // namespace

result<std::optional<run_summary>> stored_summary(const run_directory& run,
                                                  const config& options) {
  const std::optional<run_summary> none;
  const auto status = read_run_status(run.path());
  if (!status && status.error().code != ec::not_found) return status.error();
  if (!status || status->state != run_state::finished
      || !has_files(run, options))
    return none;
  const auto log = event_log::open_for_reading(run.path());
  if (!log) return log.error();
  const auto known = load_memo(**log);
  if (!known) return known.error();
  if (!is_recorded_with(*known, options)) return none;
  run_summary out;
  out.run_id = run.id();
  out.documents = run.documents();
  out.rollouts = status->rollouts;
  out.failed_jobs = status->failed_jobs;
  if (out.failed_jobs > 0) {
    const auto failed = read_failed(run);
    if (!failed) return failed.error();
    out.failure = first_reason(*failed);
  }
  out.seconds = status->seconds;
  out.workers = status->workers;
  out.gather_quorum = options.search.gather_quorum;
  out.models = models_used(options);
  auto spend = recorded_spend(run.path());
  if (!spend) return spend.error();
  out.spend = std::move(*spend);
  if (options.economy.reuse != "off") {
    auto reuse = reuse_in(**log, *known);
    if (!reuse) return reuse.error();
    out.reuse = std::move(*reuse);
    out.reuse.is_on = true;
  }
  if (!out.models.empty()) {
    auto notes = notes_in(**log, *known);
    if (!notes) return notes.error();
    out.notes = total_of(*notes);
    for (const auto& [role, model] : models_by_role(options))
      out.asked[role] = "model '" + model + "'";
  }
  for (const auto& strategy : options.search.learned()) {
    auto gathers = gathers_on_record(known->decisions, strategy);
    if (!gathers) return gathers.error();
    out.searches.emplace_back();
    out.searches.back().strategy = strategy;
    out.searches.back().gathers = std::move(*gathers);
    auto dropped = dropped_on_record(known->decisions, strategy);
    if (!dropped) return dropped.error();
    out.searches.back().dropped = std::move(*dropped);
  }
  if (rollouts_saved(scoring_of(out), out.searches.size(), out.reuse.reused)
      > 0) {
    const auto played = played_in(**log);
    if (!played) return played.error();
    add_saved(out, *played);
  }
  const auto arms = arms_on_record(known->decisions, options);
  if (!arms) return arms.error();
  out.arms = compare_arms(*arms, options.eval.test_trials);
  return std::optional{std::move(out)};
}

} // namespace brewery
