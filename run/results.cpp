#include "run/results.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "messages/job_msgs.hpp"
#include "search/barrier.hpp"
#include "search/economy_counts.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

manifest_document describe(const document_outcome& outcome,
                           const rollout_lookup& find,
                           std::map<job_id, grade_report>& grades) {
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
        counted.item->id, counted.item->sentence, counted.count, {}};
    for (const auto& job : counted.rollouts) {
      auto known = find(*job);
      item.rollouts.push_back({*job, std::move(known.task)});
      if (known.grade) grades.try_emplace(*job, *std::move(known.grade));
    }
    cited.emplace(counted.item->id, std::move(item));
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

} // namespace

bool is_published(const document& doc) {
  return !trim(doc.body).empty();
}

result<learned> learned_from(const search_outcome& outcome,
                             const document_store& documents,
                             const rollout_lookup& find, const std::string& run,
                             std::uint64_t seed, double gather_quorum) {
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
    if (!is_published(*doc)) continue;
    entries.push_back(
        {document.about.id, document.about.title, std::move(doc)});
    out.about.documents.push_back(describe(document, find, out.about.grades));
  }
  auto kb = knowledge_base::make(std::move(entries));
  if (!kb) return kb.error();
  out.kb = std::move(*kb);
  return out;
}

std::vector<doc_ref> published_refs(const search_outcome& outcome,
                                    const document_store& documents) {
  std::vector<doc_ref> out;
  for (const auto& one : outcome.documents)
    if (const auto doc = documents.find(one.best.hash);
        doc && is_published(*doc))
      out.push_back({one.about.id, one.best.hash});
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
      so_far, documents, [](const job_id&) { return cited_rollout{}; }, run,
      seed, gather_quorum);
}

std::vector<std::string> loss_lines(const run_summary& summary) {
  std::vector<std::string> out;
  for (const auto& total : summary.notes)
    out.push_back(note_text(total, summary.asked));
  for (const auto& search : summary.searches)
    for (const auto& one : search.dropped)
      out.push_back(fmt::format("{}: the concept \"{}\" dropped out without a "
                                "first document: {}",
                                search.strategy, single_line(one.title),
                                single_line(one.reason)));
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
      percent_text(summary.gather_quorum), count.late, count.all);
}

namespace {

std::string reused_text(const run_summary& summary) {
  const auto& reuse = summary.reuse;
  std::string out;
  if (const auto text = reuse_text(reuse, summary.rollouts); !text.empty())
    out = "\nreused     " + text;
  if (reuse.wrong > 0)
    out += "\nWRONG      rollouts were reused that should not have been: "
           + single_line(reuse.first_wrong);
  return out;
}

} // namespace

economy_counts scoring_of(const run_summary& summary) {
  economy_counts out;
  for (const auto& search : summary.searches)
    out.add(counts_of(search.gathers).list());
  return out;
}

void add_saved(run_summary& summary, const played_work& played) {
  summary.saved =
      saved_by(rollouts_saved(scoring_of(summary), summary.searches.size(),
                              summary.reuse.reused),
               played, summary.spend);
}

namespace {

/// The rollouts that score versions; empty if there are none.
std::string scoring_text(const run_summary& summary) {
  const auto counts = scoring_of(summary);
  if (counts.of(economy::asked) == 0) return {};
  constexpr std::size_t width = 80;
  std::string out;
  std::string line = "scoring    rollouts that score versions:";
  for (const auto what : economy::all)
    if (const auto rollouts = counts.of(what); rollouts > 0) {
      const auto word = fmt::format(" {} {}", rollouts, what);
      if (!line.ends_with(':')) line += ',';
      if (line.size() + word.size() >= width) { // room for a comma
        out += line + '\n';
        line = "          ";
      }
      line += word;
    }
  return out + line + '\n';
}

} // namespace

std::string summary_text(const run_summary& summary) {
  std::string out;
  if (!summary.arms.empty()) out += arms_text(summary.arms) + "\n";
  if (const auto spent = spend_text(summary.spend); !spent.empty())
    out += spent + '\n';
  // A coordinator's workers come and go.
  const auto workers = summary.workers == 0
                           ? std::string{}
                           : " with " + counted(summary.workers, "worker");
  out +=
      fmt::format("rollouts   {}{}\nwall time  {:.1f} s{}\n", summary.rollouts,
                  reused_text(summary), summary.seconds, workers)
      + scoring_text(summary);
  if (const auto saved = saved_text(summary.saved); !saved.empty())
    out += "saved      " + saved + '\n';
  if (!summary.searches.empty())
    out += fmt::format("documents  {}\n", summary.documents.string());
  if (const auto foreign = uncounted_text(summary.arms); !foreign.empty())
    out += "uncounted  " + foreign + '\n';
  if (summary.failed_jobs > 0)
    out += fmt::format("failed     {} without a result; `brewery resume {}` "
                       "tries\n           again those of the final evaluation, "
                       "with --retry-failed all\n",
                       counted(summary.failed_jobs, "job"),
                       shell_word(summary.documents.parent_path().string()));
  if (!summary.failure.empty())
    out += fmt::format("reason     {}\n", summary.failure);
  const auto* name = "replies";
  for (const auto& line : loss_lines(summary)) {
    out += fmt::format("{:<10} {}\n", name, line);
    name = "";
  }
  return out + quorum_text(summary);
}

nlohmann::ordered_json summary_json(const run_summary& summary) {
  nlohmann::ordered_json out{{"event", "result"},
                             {"run", summary.run_id},
                             {"documents", summary.documents.string()},
                             {"rollouts", summary.rollouts},
                             {"seconds", summary.seconds},
                             {"failed_jobs", summary.failed_jobs},
                             {"workers", summary.workers}};
  if (const auto& reuse = summary.reuse;
      reuse.is_on || reuse.reused + reuse.checked > 0)
    out["reuse"] = {{"reused", reuse.reused},
                    {"checked", reuse.checked},
                    {"elsewhere", reuse.elsewhere},
                    {"wrong", reuse.wrong}};
  for (const auto& one : scoring_of(summary).list())
    out["scoring"][one.what] = one.rollouts;
  if (const auto& saved = summary.saved; saved.rollouts > 0)
    out["saved"] = {{"rollouts", saved.rollouts},
                    {"seconds", saved.seconds},
                    {"cost_usd", dollars_of(saved.cost)}};
  if (!summary.notes.empty()) out["replies"] = notes_json(summary.notes);
  for (const auto& search : summary.searches)
    for (const auto& one : search.dropped)
      out["dropped_concepts"].push_back({{"strategy", search.strategy},
                                         {"title", printable(one.title)},
                                         {"reason", printable(one.reason)}});
  if (summary.gather_quorum < 1) {
    out["gather_quorum"] = summary.gather_quorum;
    out["late_reports"] = late_reports(summary).late;
  }
  if (!summary.spend.lines.empty()) out["spend"] = spend_json(summary.spend);
  out["arms"] = nlohmann::ordered_json::array();
  for (const auto& arm : summary.arms)
    out["arms"].push_back(arm_json(arm));
  return out;
}

} // namespace brewery
