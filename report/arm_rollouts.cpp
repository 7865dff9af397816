#include "report/arm_rollouts.hpp"

#include "base/text.hpp"
#include "cluster/ledger/memo_loader.hpp"
#include "config/load.hpp"
#include "learners/comparators/comparator_memory.hpp"
#include "messages/job_msgs.hpp"
#include "messages/memory/memory_record.hpp"
#include "messages/reused_from.hpp"
#include "messages/side_records.hpp"
#include "messages/wire/codec.hpp"
#include "roles/roles.hpp"
#include "run/arms.hpp"
#include "run/evaluation/baselines.hpp"
#include "run/evaluation/contribution.hpp"
#include "run/run_identity.hpp"
#include "store/folder.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

template <class Record, class F>
result<void> with_record(const event_row& row, F take) {
  auto record = wire::decode<Record>(row.payload);
  if (!record) return record.error();
  take(std::move(*record));
  return {};
}

/// Whether the learner chose what the attempts of the arm were given. Of other
/// arms it follows from the run's files, as long as nobody edits them.
bool is_served(const config& options, const std::string& arm) {
  const auto& learner = options.search.learner;
  return learner != "brew"
         && (arm == learned_arm(learner) || arm.starts_with(learner + ", "));
}

/// The trials of a task one after the other. Null: the log does not say, and it
/// follows from the files.
result<const std::vector<job_id>*>
attempts_on_record(const evaluated_run& run, const evaluation_record& arm) {
  const auto found = run.attempts.find(arm.name);
  if (found != run.attempts.end()
      && found->second.size()
             == arm.tasks.size() * run.options.eval.test_trials)
    return &found->second;
  if (is_served(run.options, arm.name))
    return error{ec::not_found,
                 fmt::format("run {}: its log does not say which rollouts are "
                             "of the arm \"{}\"; an older release wrote it",
                             run.where.id(), arm.name)};
  return nullptr;
}

result<void> read_index(evaluated_run& out) {
  memo_loader memo;
  const auto visit = [&](const event_row& row) -> result<void> {
    if (auto ok = memo.take(row.seq, row.kind, row.key, row.payload); !ok)
      return ok;
    if (row.kind == run_record::type_name)
      return with_record<run_record>(
          row, [&](run_record started) { out.started = std::move(started); });
    if (row.kind == evaluation_record::type_name)
      return with_record<evaluation_record>(row, [&](evaluation_record arm) {
        // A retry or an extension measures again; the last one counts.
        std::erase_if(out.arms, [&](const auto& one) {
          return replaces(arm.name, one.name);
        });
        out.arms.push_back(std::move(arm));
      });
    if (row.kind == memory_record::type_name)
      return with_record<memory_record>(row, [&](memory_record memory) {
        out.memories[memory.learner] = std::move(memory.entries);
      });
    if (row.kind == purpose_record::type_name)
      return with_record<purpose_record>(row, [&](purpose_record asked) {
        for (auto& one : asked.purposes)
          if (one.what == purpose::arm)
            out.attempts[one.name] = std::move(one.jobs);
      });
    if (row.kind == job_result::type_name) out.results[{row.key}] = row.seq;
    return {};
  };
  if (auto ok = out.log->for_each(visit, job_result::type_name); !ok) return ok;
  auto recalled = recalled_of(memo.known());
  if (!recalled) return recalled.error();
  if (*recalled) out.recalled = std::move(**recalled);
  std::erase_if(out.arms, [&](const evaluation_record& arm) {
    return !still_holds(memo.known(), arm.name);
  });
  return {};
}

/// The configuration of an arm's rollouts.
struct arm_plan {
  brew_settings settings;
  std::vector<doc_ref> documents;
  std::map<task_id, std::vector<doc_ref>> of_tasks{}; ///< instead, of these

  [[nodiscard]] rollout_job attempt(const task_id& task,
                                    std::uint32_t trial) const {
    const auto own = of_tasks.find(task);
    return make_rollout_job(settings, task, trial,
                            own == of_tasks.end() ? documents : own->second,
                            false);
  }
};

/// The documents of a strategy. The run stores those of the first strategy in
/// kb/, the others in strategies/NAME/kb.
result<std::vector<doc_ref>> learned_documents(const run_directory& run,
                                               const config& options,
                                               const std::string& arm) {
  const auto learned_by = options.search.learned();
  for (std::size_t i = 0; i < learned_by.size(); ++i) {
    const auto& strategy = learned_by[i];
    if (arm != learned_arm(strategy)) continue;
    const auto folder = read_knowledge_base(
        i == 0 ? run.documents() : run.path() / "strategies" / strategy / "kb");
    if (!folder) return folder.error();
    return folder->kb.refs();
  }
  return error{ec::internal,
               fmt::format("the run's configuration has no arm \"{}\"", arm)};
}

result<arm_plan> plan_of(const evaluated_run& of, const problem& what,
                         const std::string& arm) {
  const auto& run = of.where;
  const auto& options = of.options;
  auto settings = evaluation_settings(options, what, keys_of(of.started));
  if (!settings) return settings.error();
  arm_plan out{std::move(*settings), {}};
  if (arm == "no KB") return out;
  if (arm == options.arm_of(std::string{comparators::port})) {
    for (const auto& [task, texts] : of.recalled) {
      document_store found;
      std::vector<std::string> hashes;
      for (const auto& text : texts)
        hashes.push_back(found.add(text)->hash.value);
      out.of_tasks[task] = refs_of(hashes);
    }
    return out;
  }
  if (is_comparator(arm)) {
    if (const auto known = of.memories.find(arm); known != of.memories.end())
      out.documents = refs_of(known->second);
    return out;
  }
  if (arm == methods::in_context) {
    document_store examples;
    auto found =
        example_knowledge(run, out.settings, options.agent.kind, examples);
    if (!found) return found.error();
    if (found->empty()) return out; // as run_pipeline: the agent without any
    out.documents = std::move(*found);
  } else if (arm != methods::step_back) {
    auto found = learned_documents(run, options, arm);
    if (!found) return found.error();
    out.documents = std::move(*found);
    return out;
  }
  out.settings.method = arm;
  return out;
}

} // namespace

result<config> options_of(const run_directory& run,
                          const std::vector<std::string>& overrides,
                          std::vector<std::string>* hints) {
  auto loaded = load_config({.file = std::filesystem::absolute(run.config()),
                             .overrides = overrides,
                             .environment = {},
                             .working_directory = run.path(),
                             .stored = true});
  if (!loaded.problems.empty()) return loaded.problems.front();
  if (hints) *hints = std::move(loaded.hints);
  return std::move(loaded.value);
}

result<evaluated_run> open_evaluated(const std::filesystem::path& path) {
  auto folder = std::filesystem::absolute(path).lexically_normal();
  if (folder.filename().empty()) folder = folder.parent_path();
  auto run =
      run_directory::open(folder.parent_path(), folder.filename().string());
  if (!run) return run.error();
  auto options = options_of(*run);
  if (!options) return options.error();
  auto log = event_log::open_for_reading(run->path());
  if (!log) return log.error();
  evaluated_run out{std::move(*run),
                    std::move(*options),
                    std::move(*log),
                    {},
                    {},
                    {},
                    {},
                    {},
                    {}};
  if (auto ok = read_index(out); !ok) return ok.error();
  return out;
}

result<const evaluation_record*> find_arm(const evaluated_run& run,
                                          const std::string& asked) {
  if (run.arms.empty()) // a run keeps what its configuration says of it
    return error{ec::not_found,
                 run.options.search.final_evaluation
                     ? "the run has no final evaluation yet: it comes at the "
                       "end, and `brewery resume` goes on with a run that "
                       "stopped"
                     : "the run has no final evaluation, as its configuration "
                       "says: `brewery eval` measures its documents"};
  const auto name = asked.empty() ? scored_arm(run.options) : asked;
  std::vector<std::string> names;
  for (const auto& arm : run.arms) {
    if (arm.name == name) return &arm;
    names.push_back(arm.name);
  }
  return error{ec::not_found,
               fmt::format("the evaluation has no arm \"{}\" (arms: \"{}\")",
                           name, join(names, "\", \""))};
}

result<problem> problem_for(const evaluated_run& run,
                            const evaluation_record& arm) {
  if (arm.name != methods::in_context) return problem{};
  const auto known = attempts_on_record(run, arm);
  if (!known) return known.error();
  if (*known) return problem{};
  // Whoever wrote the run named them, and looking at a run is not playing it.
  if (run.options.environment.loads_programs())
    return error{ec::not_found,
                 fmt::format("run {}: which rollouts are of the arm \"{}\" "
                             "follows from its tasks, and to load these starts "
                             "programs that its configuration names",
                             run.where.id(), arm.name)};
  return load_problem(run.options);
}

result<arm_rollouts> rollouts_of(const evaluated_run& run, const problem& what,
                                 const evaluation_record& arm) {
  arm_rollouts out;
  const auto add = [&](job_id id, std::uint32_t trial) {
    if (!run.results.contains(id)) {
      ++out.missing;
      return;
    }
    out.logged.push_back(std::move(id));
    out.trials.push_back(trial);
  };
  const auto trials = run.options.eval.test_trials;
  const auto attempts = attempts_on_record(run, arm);
  if (!attempts) return attempts.error();
  if (*attempts) {
    for (std::uint32_t trial = 0; trial < trials; ++trial)
      for (std::size_t task = 0; task < arm.tasks.size(); ++task)
        add((**attempts)[task * trials + trial], trial);
    return out;
  }
  const auto plan = plan_of(run, what, arm.name);
  if (!plan) return plan.error();
  for (std::uint32_t trial = 0; trial < trials; ++trial)
    for (const auto& task : arm.tasks)
      add(plan->attempt(task, trial).id, trial);
  return out;
}

result<job_id> rollout_job_of(const evaluated_run& run, const problem& what,
                              const evaluation_record& arm, const task_id& task,
                              std::uint32_t trial) {
  const auto attempts = attempts_on_record(run, arm);
  if (!attempts) return attempts.error();
  if (*attempts) {
    const auto at = std::ranges::find(arm.tasks, task) - arm.tasks.begin();
    const auto trials = run.options.eval.test_trials;
    if (static_cast<std::size_t>(at) == arm.tasks.size() || trial >= trials)
      return job_id{}; // nobody's
    return (**attempts)[static_cast<std::size_t>(at) * trials + trial];
  }
  const auto plan = plan_of(run, what, arm.name);
  if (!plan) return plan.error();
  return plan->attempt(task, trial).id;
}

namespace {

result<std::optional<rollout_result>>
rollout_on_record(const evaluated_run& run, const job_id& id) {
  const auto row = run.log->read(run.results.at(id));
  if (!row) return row.error();
  auto answer = wire::decode<job_result>(row->payload);
  if (!answer)
    return error{answer.error().code,
                 fmt::format("event {} of the log: {}", row->seq,
                             answer.error().message)};
  auto* made = std::get_if<rollout_result>(&answer->output);
  if (!made) return std::optional<rollout_result>{};
  return std::optional{std::move(*made)};
}

} // namespace

result<std::optional<rollout_result>> read_rollout(const evaluated_run& run,
                                                   const job_id& id) {
  auto made = rollout_on_record(run, id);
  if (!made || !*made) return made;
  const auto played = with_trajectory(id, (*made)->reused_from);
  if (played == id) return made;
  if (!run.results.contains(played))
    return error{ec::corrupt,
                 fmt::format("the log lacks rollout {}, which stands for {}",
                             played.value, id.value)};
  auto stands = rollout_on_record(run, played);
  if (!stands || !*stands) return stands;
  (*stands)->id = id;
  (*stands)->trial = (*made)->trial; // which may be another's
  (*stands)->reused_from = played.value;
  return stands;
}

} // namespace brewery
