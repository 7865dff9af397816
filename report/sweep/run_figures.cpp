#include "report/sweep/run_figures.hpp"

#include "actors/model_recording.hpp"
#include "base/bootstrap.hpp"
#include "config/model_use.hpp"
#include "coordinator/recorded.hpp"
#include "learners/brew/settings.hpp"
#include "report/run_overview.hpp"
#include "report/sweep/rollout_tally.hpp"
#include "report/tree_reader.hpp"
#include "run/arms.hpp"
#include "run/evaluation/contribution.hpp"
#include "run/run_identity.hpp"
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

/// The jobs of the attempts at sealed tasks with these documents. What else is
/// in the log read the same documents too: another strategy that made them, the
/// evaluation of a run before it was extended, attempts without one of them.
result<std::set<job_id>> attempts_with(const evaluated_run& run,
                                       const evaluation_record& arm,
                                       const manifest& published) {
  if (run.options.search.learner != "brew") {
    const auto found = rollouts_of(run, {}, arm);
    if (!found && found.error().code == ec::not_found)
      return std::set<job_id>{}; // of an older release
    if (!found) return found.error();
    return std::set<job_id>{found->logged.begin(), found->logged.end()};
  }
  brew_settings settings;
  settings.seed = run.options.run.seed;
  const auto keys = keys_of(run.started);
  settings.fingerprint = keys.whole;
  settings.playing = keys.playing;
  std::vector<doc_ref> documents;
  for (const auto& one : published.documents)
    documents.push_back({one.concept_ref, one.hash});
  std::set<job_id> out;
  for (const auto& task : arm.tasks)
    for (std::uint32_t i = 0; i < run.options.eval.test_trials; ++i)
      out.insert(make_rollout_job(settings, task, i, documents, false).id);
  return out;
}

/// The attempts that were shown it, beside those at the same tasks without
/// documents.
document_figures figures_of(const manifest_document& about,
                            const std::vector<reading_attempt>& attempts,
                            const std::optional<measured_run>& without) {
  document_figures out;
  out.title = about.title;
  std::map<std::string, std::vector<double>> grades;
  for (const auto& attempt : attempts)
    if (attempt.documents.contains(about.hash)) {
      grades[attempt.task.value].push_back(attempt.grade);
      ++out.attempts;
    }
  out.tasks = grades.size();
  if (grades.empty()) return out;
  values_by_task with;
  std::vector<double> means;
  for (const auto& [task, some] : grades) {
    means.push_back(mean(some));
    with.emplace(task, means.back());
  }
  out.with = mean(means);
  if (!without) return out;
  std::vector<double> gains;
  for (const auto& [task, gain] : differences_of(with, grades_of(without->arm)))
    gains.push_back(gain);
  if (!gains.empty()) out.gain = bootstrap_mean(gains, {-1, 1}, interval_seed);
  return out;
}

void add_documents(figured_run& out, const evaluated_run& run,
                   const manifest& published,
                   const std::vector<reading_attempt>& attempts) {
  for (const auto& about : published.documents) {
    auto one = figures_of(about, attempts, out.without);
    if (const auto without = find_arm(run, left_out_name(about.concept_ref)))
      if (const auto made = contribution_of(out.scored->arm, **without))
        one.contribution = made->difference;
    out.shown.documents.push_back(std::move(one));
  }
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

/// How far its trees grew, of all strategies.
result<void> add_growth(figured_run& out, const evaluated_run& run,
                        const memo_content& known) {
  for (const auto& strategy : run.options.search.learned()) {
    const auto gathers = gathers_on_record(known.decisions, strategy);
    if (!gathers) return gathers.error();
    for (const auto& closed : *gathers)
      out.shown.grown.add(closed);
  }
  tree_reader trees;
  if (auto ok = trees.extend(*run.log); !ok) return ok.error();
  for (const auto& tree : trees.trees())
    out.shown.grown.add(tree.nodes);
  return {};
}

/// What reuse, bounds and races spared it, of all strategies.
result<void> add_saved(figured_run& out, const evaluated_run& run,
                       const memo_content& known, const rollout_tally& tally,
                       const model_spend& spend) {
  for (const auto& strategy : run.options.search.learned()) {
    const auto gathers = gathers_on_record(known.decisions, strategy);
    if (!gathers) return gathers.error();
    out.shown.scoring.add(counts_of(*gathers).list());
  }
  const auto rollouts = rollouts_saved(
      out.shown.scoring, run.options.search.learned().size(), tally.reused);
  if (rollouts == 0) return {};
  out.shown.saved = saved_by(rollouts, tally.work, spend);
  return {};
}

result<figured_run> figures_in(evaluated_run& run,
                               std::chrono::system_clock::time_point now) {
  figured_run out;
  auto about = overview_of(run.where, now);
  const auto spend = recorded_spend(run.where.path());
  if (!spend) return spend.error();
  if (was_killed(run.where, about)) // which leaves an older cost
    about.cost_usd = std::max(about.cost_usd, cost_usd_of(*spend));
  add_overview(out, about);
  out.options = run.options;
  const auto memo = read_memo(*run.log);
  if (!memo) return memo.error();
  if (!models_used(run.options).empty()) {
    auto by_job = job_spend_of(run.where.path(), memo->known());
    if (!by_job) return by_job.error();
    out.spend = std::make_shared<const job_spend>(std::move(*by_job));
  }
  tally_request wanted{.strategy = {},
                       .sealed = sealed_tasks(run),
                       .evaluated = {},
                       .attempts = {}};
  // Other learners play attempts beside those that an arm is measured by.
  if (run.options.search.learner == "brew")
    for (const auto& [arm, jobs] : run.attempts)
      wanted.evaluated.insert(jobs.begin(), jobs.end());
  const auto& strategies = run.options.search.learned();
  const auto arm = [&](const std::string& name) {
    auto found = measured_run_in(run, name);
    return found ? std::optional{std::move(*found)} : std::nullopt;
  };
  if (!strategies.empty()) wanted.strategy = strategies.front();
  out.scored = arm(scored_arm(out.options));
  out.without = arm("no KB");
  out.shown.score = score_in(out.scored);
  out.shown.without = score_in(out.without);
  manifest published;
  if (out.scored && !strategies.empty())
    if (auto folder = read_knowledge_base(run.where.documents())) {
      published = std::move(folder->about);
      auto attempts = attempts_with(run, out.scored->arm, published);
      if (!attempts) return attempts.error();
      wanted.attempts = std::move(*attempts);
    }
  auto tally = tally_of(*run.log, *memo, wanted);
  if (!tally) return tally.error();
  out.shown.rollouts = tally->rollouts;
  out.shown.played = tally->rollouts - tally->reused;
  if (auto ok = add_saved(out, run, memo->known(), *tally, *spend); !ok)
    return ok.error();
  if (auto ok = add_growth(out, run, memo->known()); !ok) return ok.error();
  out.shown.calls = tally->calls;
  const auto used = spend->total().usage;
  out.shown.tokens = used.prompt + used.completion;
  out.shown.curve = std::move(tally->curve);
  add_documents(out, run, published, tally->attempts);
  return out;
}

} // namespace

result<figured_run> figures_of_run(const std::filesystem::path& path,
                                   std::chrono::system_clock::time_point now) {
  const auto named = [&](const error& problem) {
    return error{
        problem.code,
        fmt::format("run {}: {}", path.filename().string(), problem.message)};
  };
  auto opened = open_evaluated(path);
  if (!opened) return named(opened.error());
  auto out = figures_in(*opened, now);
  if (!out) return named(out.error());
  return out;
}

} // namespace brewery
