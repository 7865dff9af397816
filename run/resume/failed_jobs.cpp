#include "run/resume/failed_jobs.hpp"

#include "actors/job_log.hpp"
#include "actors/model_recording.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "messages/json.hpp"
#include "messages/search_msgs.hpp"
#include "messages/wire/codec.hpp"
#include "store/run_status.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

result<job_result> result_at(const event_log& log, std::uint64_t event) {
  const auto row = log.read(event);
  if (!row) return row.error();
  auto answer = wire::decode<job_result>(row->payload);
  if (!answer)
    return error{
        answer.error().code,
        fmt::format("event {} of the log: {}", event, answer.error().message)};
  return answer;
}

struct all_failed {
  failed_jobs given_up, broken;
  failed_jobs unstudied; ///< these have not failed
};

bool is_rollout(const job_result& answer) {
  return std::holds_alternative<rollout_result>(answer.output);
}

/// `run_failed`: the search could not go on. Otherwise it goes on without the
/// documents that could not be written, as it would have without a stop.
result<all_failed> failed_in(const event_log& log, failed_scope scope,
                             bool run_failed) {
  const auto loader = read_memo(log);
  if (!loader) return loader.error();
  const auto decided =
      scope == failed_scope::all ? 0 : loader->last_search_decision();
  all_failed out{quarantined_in(loader->known()), {}, {}};
  std::erase_if(out.given_up, [&](const auto& failed) {
    const bool may_try =
        scope == failed_scope::all || run_failed
        || is_rollout(loader->known().results.at(failed.first));
    return !may_try || loader->given_up_at(failed.first) < decided;
  });
  untaught_rollouts untaught;
  for (const auto& [job, event] : loader->known().logged) {
    if (event < decided) continue;
    const auto answer = result_at(log, event);
    if (!answer) return answer.error();
    if (auto why = why_broken(*answer)) out.broken.emplace(job, *why);
    if (auto why = why_unstudied(*answer)) out.unstudied.emplace(job, *why);
    untaught.note(*answer);
  }
  // What was measured is measured for good.
  const auto measured = loader->known().decisions.lower_bound(
      std::string{evaluation_record::type_name} + '/');
  const bool is_measured =
      measured != loader->known().decisions.end()
      && measured->first.starts_with(evaluation_record::type_name);
  if (run_failed && !is_measured && decided == 0)
    out.broken.insert(untaught.all().begin(), untaught.all().end());
  return out;
}

bool has_failed(const run_directory& run) {
  const auto status = read_run_status(run.path());
  return status && status->state == run_state::failed;
}

/// The note on a reply of this role that could not be used.
const reply_note* unusable(const rollout_result& rollout,
                           std::string_view role) {
  for (const auto& note : rollout.notes)
    if (note.role == role
        && (note.what == reply_trouble::rejected
            || note.what == reply_trouble::refused))
      return &note;
  return nullptr;
}

/// The note on the role without which there is nothing to learn: the reflector,
/// or an agent that never began. A result without its trajectory says as much:
/// who begins is judged.
const reply_note* unlearned(const rollout_result& rollout) {
  if (const auto* note = unusable(rollout, "reflector")) return note;
  const bool nothing = rollout.steps.empty() && rollout.ratings.empty()
                       && rollout.insights.empty()
                       && !unusable(rollout, "judge");
  return nothing ? unusable(rollout, "agent") : nullptr;
}

std::string reason_of(const reply_note& note) {
  return fmt::format("the {} had no usable reply: {}", note.role, note.reason);
}

} // namespace

std::optional<std::string> why_broken(const job_result& answer) {
  const auto* rollout = std::get_if<rollout_result>(&answer.output);
  if (!rollout || rollout->outcome != rollout_outcome::environment_error)
    return std::nullopt;
  return rollout->error.empty() ? "the environment broke" : rollout->error;
}

std::optional<std::string> why_unstudied(const job_result& answer) {
  const auto* rollout = std::get_if<rollout_result>(&answer.output);
  if (!rollout) return std::nullopt;
  const auto* note = unlearned(*rollout);
  if (!note) note = unusable(*rollout, "judge");
  if (!note) return std::nullopt;
  return reason_of(*note);
}

void untaught_rollouts::note(const job_result& answer) {
  const auto* rollout = std::get_if<rollout_result>(&answer.output);
  if (!rollout) return;
  taught_ = taught_ || !rollout->insights.empty();
  if (const auto* why = unlearned(*rollout))
    without_.insert_or_assign(answer.id, reason_of(*why));
  else
    without_.erase(answer.id);
}

const failed_jobs& untaught_rollouts::all() const {
  static const failed_jobs none;
  return taught_ ? none : without_;
}

std::string first_reason(const failed_jobs& failed) {
  if (failed.empty()) return {};
  constexpr std::size_t length_max = 300;
  return single_line(failed.begin()->second, length_max);
}

std::string retry_advice(const error& why, std::size_t failed,
                         const std::string& command) {
  const bool may_mend =
      why.code == ec::environment || why.code == ec::exhausted;
  if (!may_mend || failed == 0) return {};
  return fmt::format("; mend that, then try its {} again with `{}`",
                     counted(failed, "failed job"), command);
}

result<failed_jobs> read_failed(const run_directory& run, failed_scope scope) {
  const auto log = event_log::open_for_reading(run.path());
  if (!log) return log.error();
  auto failed = failed_in(**log, scope, has_failed(run));
  if (!failed) return failed.error();
  failed->given_up.merge(failed->broken);
  return std::move(failed->given_up);
}

error nothing_to_retry(const run_directory& run, const std::string& job) {
  return {ec::not_found, job.empty()
                             ? fmt::format("run {} has no failed job", run.id())
                             : fmt::format("run {} has no failed job {}",
                                           run.id(), json_quoted(job))};
}

result<bool> can_retry(const run_directory& run, const std::string& job) {
  const auto log = event_log::open_for_reading(run.path());
  if (!log) return log.error();
  const auto failed = failed_in(**log, failed_scope::all, has_failed(run));
  if (!failed) return failed.error();
  if (job.empty()) return !failed->given_up.empty() || !failed->broken.empty();
  return failed->given_up.contains({job}) || failed->broken.contains({job})
         || failed->unstudied.contains({job});
}

result<std::size_t> retry_failed(const run_directory& run,
                                 const std::string& job, failed_scope scope) {
  auto log = event_log::open(run.path());
  if (!log) return log.error();
  auto failed = failed_in(**log, scope, has_failed(run));
  if (!failed) return failed.error();
  if (!job.empty()) failed->broken.merge(failed->unstudied);
  std::vector<event_row> rows;
  const auto order = [&](const failed_jobs& jobs, std::string_view kind) {
    for (const auto& [id, reason] : jobs)
      if (job.empty() || id.value == job)
        rows.push_back({0, std::string{kind}, id.value, {}});
  };
  order(failed->given_up, retry_event);
  order(failed->broken, retry_result_event);
  if (rows.empty()) return nothing_to_retry(run, job);
  if (auto ok = run.reopen(); !ok) return ok.error();
  std::vector<job_id> jobs;
  for (const auto& row : rows)
    jobs.push_back({row.key});
  if (auto ok = model_recording::ask_anew(run.path(), jobs); !ok)
    return ok.error();
  // A search that used these jobs has to be executed again.
  std::error_code ignored;
  if (scope == failed_scope::all)
    std::filesystem::remove_all(run.snapshots(), ignored);
  if (auto ok = (*log)->append(rows); !ok) return ok.error();
  return rows.size();
}

} // namespace brewery
