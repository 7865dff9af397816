#pragma once
/// The results of a run for people and other tools: the knowledge base folder
/// with its manifest, the report, the closing table. Equal outcomes give
/// documents and manifests that are equal byte for byte.

#include "kb/knowledge_base.hpp"
#include "kb/manifest.hpp"
#include "llm/accounts/reply_notes.hpp"
#include "llm/accounts/saved_work.hpp"
#include "messages/search_msgs.hpp"
#include "run/arms.hpp"
#include "run/evaluation/contribution.hpp"
#include "run/resume/reuse_counts.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <optional>

namespace brewery {

/// Documents and evidence of one search, as written to kb/.
struct learned {
  knowledge_base kb;
  manifest about;
};

/// What is known of a rollout that an insight cites.
struct cited_rollout {
  task_id task;
  std::optional<grade_report> grade;
};
using rollout_lookup = std::function<cited_rollout(const job_id&)>;
result<learned> learned_from(const search_outcome& outcome,
                             const document_store& documents,
                             const rollout_lookup& find, const std::string& run,
                             std::uint64_t seed, double gather_quorum = 1);

/// Whether a best version is one of the published documents: where nothing was
/// learned about a concept, it is empty.
bool is_published(const document& doc);

/// The same documents by hash: those of a final evaluation.
std::vector<doc_ref> published_refs(const search_outcome& outcome,
                                    const document_store& documents);

/// The documents that a search which could not end gathered last. They have no
/// evidence, which is known only at the end.
result<learned> learned_so_far(const gather_record& gathered,
                               const document_store& documents,
                               const std::string& run, std::uint64_t seed,
                               double gather_quorum);

/// What the report says of a run besides its results, as text.
struct run_facts {
  std::string finished; ///< date and time
  std::string version, commit;
  std::string benchmark, seed, configuration;
  std::string cost{}; ///< of language models; empty: none took part
};

struct run_summary {
  std::string run_id;
  std::string named{}; ///< how commands name it; empty: by its id
  std::filesystem::path documents;
  std::vector<search_outcome> searches;
  std::vector<arm_result> arms;
  /// Of the first strategy's documents, in concept order; empty: not measured.
  std::vector<contribution> contributions{};
  std::uint64_t rollouts = 0; ///< with those that were not played
  reuse_counts reuse{};
  saved_work saved{};              ///< by reuse and bounds
  std::uint64_t failed_jobs = 0;   ///< without a result: `resume` tries some
  std::string failure{};           ///< why one of them failed; one line
  std::vector<note_total> notes{}; ///< replies of models that were no use
  /// What each role asks: "model 'large' at server 'here'".
  std::map<std::string, std::string> asked{};
  double seconds = 0; ///< of all sessions
  std::size_t workers = 0;
  double gather_quorum = 1;
  std::uint32_t expansions = 1;      ///< of a tree in an iteration, at most
  std::uint32_t train_trials = 0;    ///< of a tree's tasks in an iteration
  std::vector<std::string> models{}; ///< the models used, by catalog name
  model_spend spend{};               ///< of language models
  run_facts facts{};
};

/// The rollouts that scored versions, and those that did not have to.
economy_counts scoring_of(const run_summary& summary);

/// Fills in what was saved, in terms of what was played.
void add_saved(run_summary& summary, const played_work& played);

/// Replies that were no use and concepts that dropped out, one line each.
std::vector<std::string> loss_lines(const run_summary& summary);

/// The late reports of a run with a quorum; else empty.
std::string quorum_text(const run_summary& summary);

/// The closing table of a run.
std::string summary_text(const run_summary& summary);

nlohmann::ordered_json summary_json(const run_summary& summary);

/// The content of report.md: one page, then an appendix for each search.
std::string report_text(const run_summary& summary,
                        const document_store& documents);

} // namespace brewery
