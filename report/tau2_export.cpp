#include "report/tau2_export.hpp"

#include "base/text.hpp"
#include "envs/tau2/data/results_file.hpp"
#include "report/arm_rollouts.hpp"

#include <fmt/format.h>

#include <map>

namespace brewery {

namespace {

result<std::vector<nlohmann::ordered_json>>
raw_tasks(const environment_options& where, const std::vector<task_id>& ids) {
  const auto kind = tau2::find_domain_kind(where.kind);
  if (!kind) return kind.error();
  const auto folder = tau2::find_domain_folder(**kind, where.data);
  if (!folder) return folder.error();
  const auto file = tau2::read_text_file(*folder / "tasks.json");
  if (!file) return file.error();
  // The shape is valid, because the same file was just loaded as tasks.
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

/// What the server calls the model of this alias: the run's fingerprint ends
/// with "alias=name" for each. The alias itself if it does not say.
std::string served_name(const run_record& started, const std::string& alias) {
  const auto words = split(started.fingerprint, ' ');
  for (auto word = words.rbegin(); word != words.rend(); ++word)
    if (word->size() > alias.size() + 1 && word->starts_with(alias)
        && (*word)[alias.size()] == '=')
      return std::string{word->substr(alias.size() + 1)};
  return alias;
}

} // namespace

result<tau2_export> export_tau2(const std::filesystem::path& path,
                                const std::string& arm_name) {
  const auto run = open_evaluated(path);
  if (!run) return run.error();
  const config& options = run->options;
  if (!tau2::find_domain_kind(options.environment.kind))
    return error{ec::invalid_argument,
                 fmt::format("{}: a run of {}, not of tau2-bench",
                             run->where.path().string(),
                             options.environment.kind)};
  const auto arm = find_arm(*run, arm_name);
  if (!arm) return arm.error();
  const auto what = load_problem(options);
  if (!what) return what.error();
  const auto found = rollouts_of(*run, *what, **arm);
  if (!found) return found.error();
  std::vector<rollout_result> played;
  for (const auto& id : found->logged) {
    auto rollout = read_rollout(*run, id);
    if (!rollout) return rollout.error();
    if (*rollout) played.push_back(std::move(**rollout));
  }
  const auto raw = raw_tasks(options.environment, (*arm)->tasks);
  if (!raw) return raw.error();
  const auto model = [&](const auto& role) {
    return role.kind == "llm" ? served_name(run->started, role.llm.model)
                              : std::string{};
  };
  const auto document = tau2::results_document(
      dynamic_cast<const tau2::tau2_benchmark&>(*what->source),
      {.version = BREWERY_VERSION,
       .run = run->where.id(),
       .arm = (*arm)->name,
       .agent_model = model(options.agent),
       .user_model = model(options.user),
       .seed = options.run.seed,
       .trials = options.eval.test_trials},
      *raw, played);
  return tau2_export{
      document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
          + "\n",
      (*arm)->name, played.size(), found->missing};
}

} // namespace brewery
