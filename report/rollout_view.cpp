#include "report/rollout_view.hpp"

#include "base/text.hpp"
#include "store/folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace brewery {

namespace {

/// Fewer characters are no prefix of an id that a person would give.
constexpr std::size_t id_prefix_least = 6;

result<rollout_result> required(const evaluated_run& run, const job_id& id) {
  auto rollout = read_rollout(run, id);
  if (!rollout) return rollout.error();
  if (!*rollout)
    return error{ec::not_found,
                 "job " + id.value + " is not a rollout with a result"};
  return std::move(**rollout);
}

result<rollout_result> of_arm(const evaluated_run& run,
                              const evaluation_record& arm,
                              const rollout_request& wanted) {
  if (wanted.trial >= run.options.eval.test_trials)
    return error{ec::invalid_argument,
                 fmt::format("--trial {}: the evaluation has {} of each task",
                             wanted.trial + 1,
                             counted(run.options.eval.test_trials, "trial"))};
  const auto what = problem_for(run, arm);
  if (!what) return what.error();
  const auto id =
      rollout_job_of(run, *what, arm, task_id{wanted.what}, wanted.trial);
  if (!id) return id.error();
  if (!run.results.contains(*id))
    return error{ec::not_found,
                 fmt::format("the log has no trial {} of {} under \"{}\"",
                             wanted.trial + 1, wanted.what, arm.name)};
  return required(run, *id);
}

/// The ids that begin with this text.
std::vector<job_id> ids_like(const evaluated_run& run,
                             const std::string& prefix) {
  std::vector<job_id> out;
  if (prefix.size() < id_prefix_least) return out;
  for (auto it = run.results.lower_bound(job_id{prefix});
       it != run.results.end() && it->first.value.starts_with(prefix); ++it)
    out.push_back(it->first);
  return out;
}

/// Reads all rollouts, because the log's index names no tasks.
result<rollout_result> of_search(const evaluated_run& run,
                                 const rollout_request& wanted) {
  std::map<std::uint64_t, job_id> in_order;
  for (const auto& [id, event] : run.results)
    in_order.emplace(event, id);
  std::optional<rollout_result> found;
  std::set<std::string> tasks;
  for (const auto& [event, id] : in_order) {
    auto rollout = read_rollout(run, id);
    if (!rollout) return rollout.error();
    if (!*rollout) continue;
    tasks.insert((*rollout)->task.value);
    if ((*rollout)->task.value == wanted.what
        && (*rollout)->trial == wanted.trial)
      found = std::move(**rollout);
  }
  if (found) return std::move(*found);
  if (tasks.contains(wanted.what))
    return error{ec::not_found, fmt::format("the log has no trial {} of {}",
                                            wanted.trial + 1, wanted.what)};
  return error{
      ec::not_found,
      fmt::format("run {} has no attempt at a task \"{}\"{}", run.where.id(),
                  wanted.what,
                  suggest_choice(wanted.what, {tasks.begin(), tasks.end()}))};
}

/// The arm of a rollout, and the trial that it is there. Without a name: none,
/// or an older release wrote the log.
struct arm_place {
  std::string arm{};
  std::uint32_t trial = 0;
};

arm_place place_in_arms(const evaluated_run& run, const job_id& id) {
  const auto trials = std::max<std::uint32_t>(1, run.options.eval.test_trials);
  for (const auto& arm : run.arms) {
    const auto known = run.attempts.find(arm.name);
    if (known == run.attempts.end()) continue;
    const auto at = std::ranges::find(known->second, id);
    if (at == known->second.end()) continue;
    const auto index = static_cast<std::size_t>(at - known->second.begin());
    return {arm.name, static_cast<std::uint32_t>(index % trials)};
  }
  return {};
}

/// Titles of every learned document that the run published.
std::map<doc_hash, std::string> titles_of(const evaluated_run& run) {
  std::map<doc_hash, std::string> out;
  const auto& strategies = run.options.search.learned();
  for (std::size_t i = 0; i < strategies.size(); ++i) {
    const auto folder = read_knowledge_base(
        i == 0 ? run.where.documents()
               : run.where.path() / "strategies" / strategies[i] / "kb");
    if (!folder) continue;
    for (const auto& entry : folder->kb.entries())
      out.emplace(entry.doc->hash, entry.title);
    for (const auto& one : folder->about.documents) // before it was edited
      out.emplace(one.hash, one.title);
  }
  return out;
}

} // namespace

result<found_rollout> find_rollout(const rollout_request& wanted) {
  const auto run = open_evaluated(wanted.run);
  if (!run) return run.error();
  found_rollout out;
  out.titles = titles_of(*run);
  const bool in_arms = std::ranges::any_of(run->arms, [&](const auto& arm) {
    return std::ranges::count(arm.tasks, task_id{wanted.what}) > 0;
  });
  result<rollout_result> rollout = error{ec::internal, "not looked for"};
  if (in_arms || !wanted.arm.empty()) {
    const auto arm = find_arm(*run, wanted.arm);
    if (!arm) return arm.error();
    out.arm = (*arm)->name;
    rollout = of_arm(*run, **arm, wanted);
    if (rollout) rollout->trial = wanted.trial; // not the learner's own number
  } else if (const auto ids = ids_like(*run, wanted.what); ids.size() == 1) {
    rollout = required(*run, ids.front());
    const auto place = place_in_arms(*run, ids.front());
    out.arm = place.arm;
    if (rollout && !place.arm.empty()) rollout->trial = place.trial;
  } else if (ids.size() > 1) {
    return error{ec::invalid_argument,
                 fmt::format("{} rollouts begin with \"{}\": give more "
                             "characters",
                             ids.size(), wanted.what)};
  } else {
    rollout = of_search(*run, wanted);
  }
  if (!rollout) return rollout.error();
  out.rollout = std::move(*rollout);
  return out;
}

} // namespace brewery
