#include "run/results.hpp"

#include "base/printable.hpp"
#include "base/terminal_text.hpp"
#include "search/barrier.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

manifest_document describe(const document_outcome& outcome,
                           const rollout_task& task_of) {
  manifest_document out;
  out.concept_ref = outcome.about.id;
  out.title = outcome.about.title;
  out.hash = outcome.best.hash;
  out.parent = outcome.parent;
  out.iteration = outcome.best.iteration;
  out.reward = outcome.best.reward;
  out.correctness = outcome.best.correctness;
  out.retrieval = outcome.best.retrieval;
  out.evaluated = outcome.best.evaluated;
  out.train_tasks =
      static_cast<std::uint32_t>(outcome.about.train_tasks.size());
  out.eval_tasks = static_cast<std::uint32_t>(outcome.about.eval_tasks.size());
  std::map<insight_id, evidence_insight> cited;
  for (const auto& counted : outcome.cited) {
    evidence_insight item{
        counted.item.id, counted.item.sentence, counted.count, {}};
    for (const auto& job : counted.rollouts)
      item.rollouts.push_back({job, task_of(job)});
    cited.emplace(counted.item.id, std::move(item));
  }
  for (const auto& line : outcome.evidence) {
    evidence_line entry{line.line, {}};
    for (const auto& id : line.insights)
      if (const auto it = cited.find(id); it != cited.end())
        entry.insights.push_back(it->second);
    out.evidence.push_back(std::move(entry));
  }
  return out;
}

struct report_count {
  std::size_t late = 0, all = 0;
};

report_count late_reports(const run_summary& summary) {
  report_count out;
  for (const auto& search : summary.searches) {
    out.late += count_late(search.gathers);
    for (const auto& gather : search.gathers)
      out.all += gather.current.size();
  }
  return out;
}

std::string percent(double value) {
  return fmt::format("{:.1f} %", 100 * value);
}

std::string interval(const estimate& e) {
  return fmt::format("[{:.1f}, {:.1f}]", 100 * e.low, 100 * e.high);
}

} // namespace

result<learned> learned_from(const search_outcome& outcome,
                             const document_store& documents,
                             const rollout_task& task_of,
                             const std::string& run, std::uint64_t seed,
                             double gather_quorum) {
  std::vector<kb_entry> entries;
  learned out;
  out.about.run_id = run;
  out.about.strategy = outcome.strategy;
  out.about.seed = seed;
  out.about.gather_quorum = gather_quorum;
  out.about.late_reports = count_late(outcome.gathers);
  for (const auto& document : outcome.documents) {
    auto doc = documents.find(document.best.hash);
    if (!doc)
      return error{ec::internal,
                   "document " + document.best.hash.value + " is not known"};
    entries.push_back(
        {document.about.id, document.about.title, std::move(doc)});
    out.about.documents.push_back(describe(document, task_of));
  }
  auto kb = knowledge_base::make(std::move(entries));
  if (!kb) return kb.error();
  out.kb = std::move(*kb);
  return out;
}

result<learned> learned_so_far(const gather_record& gathered,
                               const document_store& documents,
                               const std::string& run, std::uint64_t seed,
                               double gather_quorum) {
  search_outcome so_far;
  for (const auto& ref : gathered.current) {
    document_outcome document;
    document.about.id = ref.concept_ref;
    document.best.hash = ref.hash;
    for (const auto* part : {&gathered.reports, &gathered.folded})
      for (const auto& report : *part)
        if (report.concept_ref == ref.concept_ref
            && report.best.hash == ref.hash)
          document.best = report.best;
    if (const auto found = documents.find(ref.hash))
      document.about.title = heading_of(found->body);
    so_far.documents.push_back(std::move(document));
  }
  return learned_from(
      so_far, documents, [](const job_id&) { return task_id{}; }, run, seed,
      gather_quorum);
}

std::vector<arm_result> compare_arms(const std::vector<evaluation_record>& arms,
                                     std::uint64_t seed, std::uint32_t trials) {
  std::vector<arm_result> out;
  for (const auto& arm : arms) {
    arm_result item{.record = arm,
                    .success = bootstrap_mean(arm.rewards, seed),
                    .difference = {},
                    .pass_k = pass_hat_each(arm.rewards)};
    for (const auto& graded : arm.rewards)
      item.ungraded += trials > graded.size() ? trials - graded.size() : 0;
    if (!out.empty()) {
      // All arms have the same tasks in the same order. Pairing fails only if
      // an environment broke; then the difference stays unknown (zeros).
      if (auto paired =
              bootstrap_difference(arm.rewards, arms.front().rewards, seed))
        item.difference = *paired;
    }
    out.push_back(std::move(item));
  }
  return out;
}

std::string quorum_text(const run_summary& summary) {
  if (summary.gather_quorum >= 1) return {};
  const auto count = late_reports(summary);
  return fmt::format(
      "gather     waited for {} of the trees; {} of {} reports were late and "
      "merged one\n           iteration later. Which reports are late depends "
      "on timing, so the\n           seed alone does not reproduce this run; "
      "its log does\n",
      percent(summary.gather_quorum), count.late, count.all);
}

std::string checks_text(const std::vector<evaluation_record>& arms) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& arm : arms)
    for (const auto& check : arm.checks)
      rows.push_back({arm.name, printable(check.name),
                      percent(static_cast<double>(check.met)
                              / static_cast<double>(check.of)),
                      fmt::format("{} of {}", check.met, check.of)});
  if (rows.empty()) return {};
  rows.insert(rows.begin(),
              {"knowledge base", "check of every attempt", "met", ""});
  return table(rows);
}

std::string arms_text(const std::vector<arm_result>& arms) {
  const auto& first = arms.front().record;
  std::size_t trials = 0, most_k = 0, ungraded = 0;
  for (const auto& arm : arms) {
    for (const auto& graded : arm.record.rewards)
      trials = std::max(trials, graded.size());
    most_k = std::max(most_k, arm.pass_k.size());
    ungraded += arm.ungraded;
  }
  std::vector<std::vector<std::string>> rows{
      {"knowledge base", "success", "95 % interval", "paired difference"}};
  for (std::size_t k = 1; most_k > 1 && k <= most_k; ++k)
    rows.front().push_back(fmt::format("pass^{}", k));
  for (const auto& arm : arms) {
    rows.push_back({arm.record.name, percent(arm.success.value),
                    interval(arm.success),
                    &arm == &arms.front()
                        ? "-"
                        : fmt::format("{:+.1f} {}", 100 * arm.difference.value,
                                      interval(arm.difference))});
    for (std::size_t k = 0; most_k > 1 && k < most_k; ++k)
      rows.back().push_back(k < arm.pass_k.size() ? percent(arm.pass_k[k])
                                                  : "-");
  }
  auto out = fmt::format("Success on split '{}' ({} tasks, {} trials each)\n\n",
                         first.split, first.tasks.size(), trials)
             + table(rows);
  if (ungraded > 0)
    out += fmt::format("{} rollouts have no score (their environment failed) "
                       "and are not counted\n",
                       ungraded);
  std::vector<evaluation_record> records;
  for (const auto& arm : arms)
    records.push_back(arm.record);
  const auto checks = checks_text(records);
  if (!checks.empty()) out += "\n" + checks;
  return out;
}

std::string summary_text(const run_summary& summary) {
  std::string out;
  if (!summary.arms.empty()) out += arms_text(summary.arms) + "\n";
  out += fmt::format("rollouts   {}\nwall time  {:.1f} s with {} workers\n",
                     summary.rollouts, summary.seconds, summary.workers);
  if (!summary.searches.empty())
    out += fmt::format("documents  {}\n", summary.documents.string());
  if (summary.failed_jobs > 0)
    out += fmt::format("failed     {} jobs have no result; `brewery resume {} "
                       "--retry-failed` tries\n           them again\n",
                       summary.failed_jobs,
                       summary.documents.parent_path().string());
  return out + quorum_text(summary);
}

nlohmann::ordered_json checks_json(const std::vector<check_share>& checks) {
  auto out = nlohmann::ordered_json::array();
  for (const auto& one : checks)
    out.push_back({{"name", one.name}, {"met", one.met}, {"of", one.of}});
  return out;
}

nlohmann::ordered_json arm_json(const arm_result& arm) {
  nlohmann::ordered_json out{{"name", arm.record.name},
                             {"split", arm.record.split},
                             {"tasks", arm.record.tasks.size()},
                             {"success", arm.success.value},
                             {"low", arm.success.low},
                             {"high", arm.success.high},
                             {"difference", arm.difference.value},
                             {"difference_low", arm.difference.low},
                             {"difference_high", arm.difference.high},
                             {"pass_k", arm.pass_k},
                             {"ungraded", arm.ungraded}};
  if (!arm.record.checks.empty())
    out["checks"] = checks_json(arm.record.checks);
  return out;
}

nlohmann::ordered_json summary_json(const run_summary& summary) {
  nlohmann::ordered_json out{{"event", "result"},
                             {"run", summary.run_id},
                             {"documents", summary.documents.string()},
                             {"rollouts", summary.rollouts},
                             {"seconds", summary.seconds},
                             {"failed_jobs", summary.failed_jobs},
                             {"workers", summary.workers}};
  if (summary.gather_quorum < 1) {
    out["gather_quorum"] = summary.gather_quorum;
    out["late_reports"] = late_reports(summary).late;
  }
  out["arms"] = nlohmann::ordered_json::array();
  for (const auto& arm : summary.arms)
    out["arms"].push_back(arm_json(arm));
  return out;
}

} // namespace brewery
