#include "report/sweep/run_figures.hpp"

#include "base/bootstrap.hpp"
#include "report/run_overview.hpp"
#include "report/sweep/rollout_tally.hpp"
#include "run/arms.hpp"
#include "store/folder.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

std::set<task_id> sealed_tasks(const evaluated_run& run) {
  std::set<task_id> out;
  for (const auto& arm : run.arms)
    out.insert(arm.tasks.begin(), arm.tasks.end());
  return out;
}

std::optional<double> score_in(const std::optional<measured_run>& arm) {
  if (!arm) return std::nullopt;
  const auto grades = grades_of(arm->arm);
  if (grades.empty()) return std::nullopt;
  return mean_reward(arm->arm.rewards);
}

/// By the hash under which attempts were shown it.
std::map<doc_hash, std::string> titles_in(const run_directory& run) {
  std::map<doc_hash, std::string> out;
  const auto folder = read_knowledge_base(run.documents());
  if (folder)
    for (const auto& one : folder->about.documents)
      out.emplace(one.hash, one.title);
  return out;
}

/// The attempts that were shown it, beside those at the same tasks without
/// documents.
document_figures figures_of(const doc_hash& hash, const std::string& title,
                            const std::vector<reading_attempt>& attempts,
                            const std::optional<measured_run>& without,
                            std::uint64_t seed) {
  document_figures out;
  out.title = title;
  std::map<std::string, std::vector<double>> grades;
  for (const auto& attempt : attempts)
    if (attempt.documents.contains(hash)) {
      grades[attempt.task.value].push_back(attempt.grade);
      ++out.attempts;
    }
  out.tasks = grades.size();
  if (grades.empty()) return out;
  values_by_task with;
  std::vector<double> all;
  for (const auto& [task, some] : grades) {
    with.emplace(task, mean(some));
    all.insert(all.end(), some.begin(), some.end());
  }
  out.with = mean(all);
  if (!without) return out;
  std::vector<double> gains;
  for (const auto& [task, gain] : differences_of(with, grades_of(without->arm)))
    gains.push_back(gain);
  if (!gains.empty()) out.gain = bootstrap_mean(gains, {-1, 1}, seed);
  return out;
}

void add_documents(figured_run& out, const run_directory& run,
                   std::vector<reading_attempt> attempts) {
  const auto titles = titles_in(run);
  // Another strategy's attempts were shown other documents.
  std::erase_if(attempts, [&](const reading_attempt& one) {
    return !std::ranges::all_of(
        one.documents, [&](const auto& hash) { return titles.contains(hash); });
  });
  for (const auto& [hash, title] : titles)
    out.shown.documents.push_back(
        figures_of(hash, title, attempts, out.without, out.shown.seed));
  std::ranges::stable_sort(out.shown.documents, {}, &document_figures::title);
}

/// What every run has, however far it came.
void add_overview(figured_run& out, const run_overview& about) {
  out.shown.seed = about.seed;
  out.shown.run = about.id;
  out.shown.state = to_string(about.state);
  out.shown.cost_usd = about.cost_usd;
  out.shown.seconds = about.seconds;
}

} // namespace

result<figured_run> figures_of_run(const std::filesystem::path& path,
                                   std::chrono::system_clock::time_point now) {
  const auto opened = open_evaluated(path);
  if (!opened)
    return error{opened.error().code,
                 fmt::format("run {}: {}", path.filename().string(),
                             opened.error().message)};
  figured_run out;
  add_overview(out, overview_of(opened->where, now));
  out.options = opened->options;
  const auto& strategies = opened->options.search.strategies;
  const auto arm = [&](const std::string& name) {
    auto found = measured_run_in(*opened, name);
    return found ? std::optional{std::move(*found)} : std::nullopt;
  };
  out.scored = arm(scored_arm(out.options));
  out.without = arm("no KB");
  out.shown.score = score_in(out.scored);
  out.shown.without = score_in(out.without);
  auto tally =
      tally_of(*opened->log, strategies.empty() ? "" : strategies.front(),
               sealed_tasks(*opened));
  if (!tally)
    return error{tally.error().code, fmt::format("run {}: {}", out.shown.run,
                                                 tally.error().message)};
  out.shown.rollouts = tally->rollouts;
  out.shown.played = tally->rollouts - tally->reused;
  out.shown.curve = std::move(tally->curve);
  if (out.scored && !strategies.empty())
    add_documents(out, opened->where, std::move(tally->attempts));
  return out;
}

} // namespace brewery
