#include "apps/tau2_export.hpp"

#include "apps/baselines.hpp"
#include "apps/problem.hpp"
#include "base/text.hpp"
#include "config/load.hpp"
#include "envs/tau2/results_file.hpp"
#include "messages/job_msgs.hpp"
#include "messages/wire/codec.hpp"
#include "roles/roles.hpp"
#include "store/event_log.hpp"
#include "store/folder.hpp"

#include <fmt/format.h>

#include <map>

namespace brewery {

namespace {

/// What the log says without its rollouts.
struct run_index {
  run_record started;
  std::vector<evaluation_record> arms;
  std::map<job_id, std::uint64_t> results; ///< events, by job
};

template <class Record, class F>
result<void> with_record(const event_row& row, F take) {
  auto record = wire::decode<Record>(row.payload);
  if (!record) return record.error();
  take(std::move(*record));
  return {};
}

result<run_index> read_index(const event_log& log) {
  run_index out;
  const auto visit = [&](const event_row& row) -> result<void> {
    if (row.kind == run_record::type_name)
      return with_record<run_record>(
          row, [&](run_record started) { out.started = std::move(started); });
    if (row.kind == evaluation_record::type_name)
      return with_record<evaluation_record>(row, [&](evaluation_record arm) {
        out.arms.push_back(std::move(arm));
      });
    if (row.kind == job_result::type_name) out.results[{row.key}] = row.seq;
    return {};
  };
  if (auto ok = log.for_each(visit, job_result::type_name); !ok)
    return ok.error();
  return out;
}

result<const evaluation_record*> find_arm(const run_index& index,
                                          const std::string& name) {
  if (index.arms.empty())
    return error{ec::not_found,
                 "the run has no final evaluation: let it finish with "
                 "search.final_evaluation=true"};
  if (name.empty()) return &index.arms.back();
  std::vector<std::string> names;
  for (const auto& arm : index.arms) {
    if (arm.name == name) return &arm;
    names.push_back(arm.name);
  }
  return error{ec::not_found,
               fmt::format("the evaluation has no arm \"{}\" (arms: \"{}\")",
                           name, join(names, "\", \""))};
}

/// How the rollouts of an arm were asked for.
struct arm_plan {
  brew_settings settings;
  std::vector<doc_ref> documents;
};

/// The documents of a strategy, which the run keeps in kb/ (the first) and
/// strategies/NAME/kb.
result<std::vector<doc_ref>> learned_documents(const run_directory& run,
                                               const config& options,
                                               const std::string& arm) {
  constexpr std::string_view learned = "learned, ";
  for (std::size_t i = 0; i < options.search.strategies.size(); ++i) {
    const auto& strategy = options.search.strategies[i];
    if (arm != std::string{learned} + strategy) continue;
    const auto folder = read_knowledge_base(
        i == 0 ? run.documents() : run.path() / "strategies" / strategy / "kb");
    if (!folder) return folder.error();
    return folder->kb.refs();
  }
  return error{ec::internal,
               fmt::format("the run's configuration has no arm \"{}\"", arm)};
}

result<arm_plan> plan_of(const run_directory& run, const config& options,
                         const problem& what, const std::string& fingerprint,
                         const std::string& arm) {
  auto settings = settings_for(options, what, options.search.strategies.front(),
                               fingerprint);
  if (!settings) return settings.error();
  arm_plan out{std::move(*settings), {}};
  if (arm == "no KB") return out;
  if (arm == methods::in_context) {
    document_store examples;
    auto found = example_knowledge(run, out.settings, examples);
    if (!found) return found.error();
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

result<std::vector<nlohmann::ordered_json>>
raw_tasks(const environment_options& where, const std::vector<task_id>& ids) {
  const auto kind = tau2::find_domain_kind(where.kind);
  if (!kind) return kind.error();
  const auto folder = tau2::find_domain_folder(**kind, where.data);
  if (!folder) return folder.error();
  const auto file = tau2::read_text_file(*folder / "tasks.json");
  if (!file) return file.error();
  // It was loaded as tasks just before: the shape is right.
  auto document = nlohmann::ordered_json::parse(file->text, nullptr, false);
  auto& list = document.is_object() ? document["tasks"] : document;
  std::map<std::string, nlohmann::ordered_json> by_id;
  for (auto& item : list) {
    const auto id = item.value("id", "");
    by_id.emplace(id, std::move(item));
  }
  std::vector<nlohmann::ordered_json> out;
  for (const auto& id : ids)
    out.push_back(by_id[id.value]);
  return out;
}

struct found_rollouts {
  std::vector<rollout_result> played;
  std::size_t missing = 0;
};

result<found_rollouts> rollouts_of(const event_log& log, const run_index& index,
                                   const evaluation_record& arm,
                                   const arm_plan& plan, std::uint32_t trials) {
  found_rollouts out;
  for (std::uint32_t trial = 0; trial < trials; ++trial)
    for (const auto& task : arm.tasks) {
      const auto work =
          make_rollout_job(plan.settings, task, trial, plan.documents, false);
      const auto at = index.results.find(work.id);
      if (at == index.results.end()) {
        ++out.missing;
        continue;
      }
      const auto row = log.read(at->second);
      if (!row) return row.error();
      auto answer = wire::decode<job_result>(row->payload);
      if (!answer) return answer.error();
      if (!answer->rollout.empty())
        out.played.push_back(std::move(answer->rollout.front()));
    }
  return out;
}

} // namespace

result<tau2_export> export_tau2(const std::filesystem::path& path,
                                const std::string& arm_name) {
  auto folder = std::filesystem::absolute(path).lexically_normal();
  if (folder.filename().empty()) folder = folder.parent_path();
  const auto run =
      run_directory::open(folder.parent_path(), folder.filename().string());
  if (!run) return run.error();
  const auto loaded =
      load_config({.file = std::filesystem::absolute(run->config()),
                   .overrides = {},
                   .environment = {},
                   .working_directory = run->path()});
  if (!loaded.problems.empty()) return loaded.problems.front();
  const config& options = loaded.value;
  if (!tau2::find_domain_kind(options.environment.kind))
    return error{ec::invalid_argument,
                 fmt::format("{}: a run of {}, not of tau2-bench",
                             run->path().string(), options.environment.kind)};
  const auto log = event_log::open_for_reading(run->path());
  if (!log) return log.error();
  const auto index = read_index(**log);
  if (!index) return index.error();
  const auto arm = find_arm(*index, arm_name);
  if (!arm) return arm.error();
  const auto what = load_problem(options);
  if (!what) return what.error();
  const auto plan =
      plan_of(*run, options, *what, index->started.fingerprint, (*arm)->name);
  if (!plan) return plan.error();
  const auto trials = options.eval.test_trials;
  auto rollouts = rollouts_of(**log, *index, **arm, *plan, trials);
  if (!rollouts) return rollouts.error();
  const auto raw = raw_tasks(options.environment, (*arm)->tasks);
  if (!raw) return raw.error();
  const auto model = [](const auto& role) {
    return role.kind == "llm" ? role.llm.model : std::string{};
  };
  const auto document = tau2::results_document(
      dynamic_cast<const tau2::tau2_benchmark&>(*what->source),
      {.version = BREWERY_VERSION,
       .run = run->id(),
       .arm = (*arm)->name,
       .agent_model = model(options.agent),
       .user_model = model(options.user),
       .seed = options.run.seed,
       .trials = trials},
      *raw, rollouts->played);
  return tau2_export{
      document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
          + "\n",
      (*arm)->name, rollouts->played.size(), rollouts->missing};
}

} // namespace brewery
