#pragma once
/// Messages about documents: integration, embedding and provenance.

#include "messages/packed_insights.hpp"
#include "messages/rollout_msgs.hpp"

#include <map>
#include <string_view>

namespace brewery {

/// How a document did on the held-out tasks of its concept. Numbers only: what
/// is in those tasks must not reach a document (ADR 0018).
struct document_score {
  std::uint32_t evaluated = 0; ///< graded rollouts; 0: not known
  double reward = 0;
  double correctness = 0; ///< R_corr
  double retrieval = 0;   ///< R_ret
  BREWERY_FIELDS(document_score, evaluated, reward, correctness, retrieval)
};

/// The insights that support a line of a document.
struct line_evidence {
  std::uint32_t line = 0; ///< 1-based, in the document body
  std::vector<insight_id> insights;
  BREWERY_FIELDS(line_evidence, line, insights)
};

/// Asks the integrator for one document (BREW, arXiv:2511.20297, equation 2).
struct integrate_job {
  job_id id;
  concept_id concept_ref;
  std::string title;
  told_insights insights;
  doc_hash parent;        ///< empty value: there is no document yet
  std::uint32_t draw = 0; ///< j of h: the number of the alternative
  double temperature = 0;
  std::uint64_t seed = 0;
  std::vector<line_evidence> parent_evidence{};
  document_score parent_score{};
  /// Checks that not all training rollouts of this iteration met.
  std::vector<check_share> missed{};
  std::vector<std::string> neighbours{}; ///< titles of other documents
  static constexpr bool optional_field(std::string_view field) {
    return field == "parent_evidence" || field == "parent_score"
           || field == "missed" || field == "neighbours";
  }
  static constexpr bool omit_if_empty = true;
  BREWERY_FIELDS(integrate_job, id, concept_ref, title, insights, parent, draw,
                 temperature, seed, parent_evidence, parent_score, missed,
                 neighbours)
};

struct integrate_result {
  job_id id;
  std::string body; ///< Markdown without front matter
  std::vector<line_evidence> evidence;
  std::vector<reply_note> notes{};
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "notes";
  }
  BREWERY_FIELDS(integrate_result, id, body, evidence, notes)
};

struct embed_job {
  job_id id;
  std::vector<std::string> texts;
  BREWERY_FIELDS(embed_job, id, texts)
};

/// One unit vector per text, all of one length.
struct embed_result {
  job_id id;
  std::vector<std::vector<double>> vectors;
  BREWERY_FIELDS(embed_result, id, vectors)
};

/// What comes of the job depends on the integrator too, and runs of a group do
/// equal jobs once. `integrator` is its key; empty: the usual procedural one,
/// whose ids are those of older logs.
job_id identity(const integrate_job& job, std::string_view integrator);
job_id identity(const embed_job& job);

} // namespace brewery
