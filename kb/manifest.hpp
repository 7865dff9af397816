#pragma once
/// `manifest.json`: describes a folder of documents, where each document came
/// from, and which rollouts support each line. Each insight, and each grade of
/// a rollout, is written once. Written beside the documents; equal content
/// gives equal bytes. Plain data; store/folder.* reads and writes the files.

#include "base/ids.hpp"
#include "base/result.hpp"
#include "messages/rollout_msgs.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// Incremented when a reader of this version could misread a file.
inline constexpr std::uint32_t manifest_format = 2;

struct evidence_rollout {
  job_id job;
  task_id task;
};

struct evidence_insight {
  insight_id id;
  std::string sentence;
  std::uint32_t count = 0; ///< number of all rollouts that gave it
  std::vector<evidence_rollout> rollouts; ///< format 1: only the first few
};

struct evidence_line {
  std::uint32_t line = 0; ///< 1-based, in the document body
  std::vector<evidence_insight> insights;
};

struct manifest_document {
  concept_id concept_ref;
  std::string title;
  std::string file; ///< name beside the manifest
  doc_hash hash;    ///< content hash of the document's body
  doc_hash parent;  ///< the version it refines; empty for a root
  std::uint32_t iteration = 0;
  double reward = 0;
  double correctness = 0;
  double retrieval = 0;
  /// Number of graded rollouts behind `correctness`.
  std::uint32_t evaluated = 0;
  std::uint32_t train_tasks = 0;
  std::uint32_t eval_tasks = 0;
  std::vector<evidence_line> evidence; ///< in ascending line order

  /// The number of distinct insights over all lines.
  std::size_t evidence_count() const;
};

struct manifest {
  std::uint32_t format = manifest_format;
  std::string run_id;
  std::string strategy;
  std::uint64_t seed = 0;
  /// The share of trees that the gather barriers waited for, and how often a
  /// tree was late. With a share below 1, the seed alone does not repeat the
  /// run, so the file has both.
  double gather_quorum = 1;
  std::uint64_t late_reports = 0;
  std::vector<manifest_document> documents; ///< in concept order
  /// The grader's checks of the rollouts that insights name. Empty in format 1.
  std::map<job_id, grade_report> grades;

  /// Null if the concept has no document.
  const manifest_document* find(concept_id concept_ref) const;
};

/// Indented JSON with keys in a fixed order and a final line feed.
std::string to_json_text(const manifest& about);

/// Parses a manifest; `file` is used in messages. Unknown keys are ignored.
/// Error ec::malformed: the message names the file and line (JSON syntax) or
/// the file and key, e.g. `documents[2].reward`. Error ec::version_mismatch: a
/// newer format.
result<manifest> parse_manifest(std::string_view text, std::string_view file);

} // namespace brewery
