#pragma once
/// `manifest.json`: what a folder of documents is, where each came from, and
/// which rollouts each line rests on. Written beside the documents; equal
/// content gives equal bytes. Plain data; store/folder.* does the files.

#include "base/ids.hpp"
#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// Raised when a reader of this version could misread a file.
inline constexpr std::uint32_t manifest_format = 1;

struct evidence_rollout {
  job_id job;
  task_id task;
};

struct evidence_insight {
  insight_id id;
  std::string sentence;
  std::uint32_t count = 0; ///< rollouts that made it, all of them
  std::vector<evidence_rollout> rollouts; ///< the first few
};

struct evidence_line {
  std::uint32_t line = 0; ///< 1-based, in the document body
  std::vector<evidence_insight> insights;
};

struct manifest_document {
  concept_id concept_ref;
  std::string title;
  std::string file; ///< name beside the manifest
  doc_hash hash;    ///< content hash of the body
  doc_hash parent;  ///< the version it was refined from; empty for a root
  std::uint32_t iteration = 0;
  double reward = 0;
  double correctness = 0;
  double retrieval = 0;
  std::uint32_t evaluated = 0; ///< graded rollouts behind `correctness`
  std::uint32_t train_tasks = 0;
  std::uint32_t eval_tasks = 0;
  std::vector<evidence_line> evidence; ///< by line, ascending

  /// Distinct insights over all lines.
  std::size_t evidence_count() const;
};

struct manifest {
  std::uint32_t format = manifest_format;
  std::string run_id;
  std::string strategy;
  std::uint64_t seed = 0;
  /// Below 1 the seed alone does not repeat the run, and both are in the file:
  /// the share of the trees that its gather barriers waited for, and how often
  /// a tree was late.
  double gather_quorum = 1;
  std::uint64_t late_reports = 0;
  std::vector<manifest_document> documents; ///< in concept order

  /// Null when the concept has no document.
  const manifest_document* find(concept_id concept_ref) const;
};

/// Indented JSON, keys in a fixed order, ends with a line feed.
std::string to_json_text(const manifest& about);

/// `file` is for messages. Error ec::malformed names file and line (JSON
/// syntax) or file and key, e.g. `documents[2].reward`; a newer format is
/// ec::version_mismatch. Unknown keys are ignored.
result<manifest> parse_manifest(std::string_view text, std::string_view file);

} // namespace brewery
