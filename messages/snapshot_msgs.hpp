#pragma once
/// What a search writes beside its log at each gather, so that a restart need
/// not execute it again from the start (ADR 0022). Only growth is written: the
/// insights, documents and rollouts since the gather before.

#include "messages/packed_rollout_insights.hpp"
#include "messages/search_msgs.hpp"

#include <map>
#include <optional>
#include <string_view>

namespace brewery {

/// The rollout that an insight was made from.
struct insight_source {
  job_id rollout;
  task_id task;
  double reward = 0;
  std::uint32_t iteration = 0; ///< that played it; 0: before the search
  BREWERY_FIELDS(insight_source, rollout, task, reward, iteration)
};

/// What came to a pool of insights.
struct pool_growth {
  std::vector<insight_source> rollouts; ///< numbered on from those before
  packed_rollout_insights insights;     ///< numbered on
  /// Which insight came from which rollout: pairs of numbers, one after the
  /// other.
  std::vector<std::uint32_t> made;
  BREWERY_FIELDS(pool_growth, rollouts, insights, made)
};

/// What came to the search of a concept.
struct tree_growth {
  concept_id concept_ref;
  /// What came to the pool: a pool_growth each, compressed, as integrations
  /// name it.
  std::vector<std::string> parts;
  std::map<insight_id, std::vector<double>> vectors;
  std::vector<std::string> documents; ///< texts of new versions
  std::map<doc_hash, std::vector<line_evidence>> evidence; ///< of them
  BREWERY_FIELDS(tree_growth, concept_ref, parts, vectors, documents, evidence)
};

struct saved_evaluation {
  std::string id;
  double reward = 0;
  double correctness = 0;
  double retrieval = 0;
  std::uint32_t evaluated = 0;
  std::optional<double> least{}; ///< of one that was stopped
  std::optional<double> raced{}; ///< of one that lost a race: its error
  static constexpr bool optional_field(std::string_view field) {
    return field == "raced";
  }
  BREWERY_FIELDS(saved_evaluation, id, reward, correctness, retrieval,
                 evaluated, least, raced)
};

/// What a query of a stopped evaluation brought.
struct saved_answer {
  std::uint32_t query = 0;
  std::optional<double> grade{}; ///< none: the environment broke
  std::optional<double> rank{};  ///< for what the agent asked
  BREWERY_FIELDS(saved_answer, query, grade, rank)
};

/// An evaluation that was stopped, to be taken up again.
struct stopped_scoring {
  node_id scored;
  std::vector<doc_ref> hybrid; ///< the knowledge base that it is played with
  std::vector<saved_answer> answers;
  BREWERY_FIELDS(stopped_scoring, scored, hybrid, answers)
};

/// A node without what follows from the others.
struct saved_node {
  node_id parent;
  doc_hash hash;
  std::uint32_t iteration = 0;
  std::uint32_t drawn = 0;
  std::vector<saved_evaluation> evaluations;
  std::vector<confirmation> challenges{};
  BREWERY_FIELDS(saved_node, parent, hash, iteration, drawn, evaluations,
                 challenges)
};

struct saved_tree {
  concept_record about;
  std::vector<std::string> neighbours;
  std::vector<saved_node> nodes;          ///< in id order
  std::vector<double> centre;             ///< of its topics
  std::vector<stopped_scoring> stopped{}; ///< in the order of their nodes
  /// Of the held-out tasks: what earlier versions lost, in how many rollouts.
  std::vector<double> lost{};
  std::vector<std::uint32_t> played{};
  node_id published{}; ///< the version that was reported last
  BREWERY_FIELDS(saved_tree, about, neighbours, nodes, centre, stopped, lost,
                 played, published)
};

/// A rollout that the run has seen, for its counts and citations.
struct seen_rollout {
  job_id id;
  task_id task;
  std::optional<grade_report> grade; ///< only of those that gave an insight
  std::string broken;                ///< why it has no score; empty: it has one
  std::string reused_from{}; ///< the rollout that stands for it; empty: played
  std::uint64_t duration_us = 0; ///< 0: not played, or not known
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "reused_from" || field == "duration_us";
  }
  BREWERY_FIELDS(seen_rollout, id, task, grade, broken, reused_from,
                 duration_us)
};

/// What was wrong with replies of models in a job of any kind.
struct noted_job {
  job_id id;
  std::vector<reply_note> notes;
  BREWERY_FIELDS(noted_job, id, notes)
};

struct run_growth {
  std::vector<seen_rollout> rollouts;
  std::vector<noted_job> noted;
  BREWERY_FIELDS(run_growth, rollouts, noted)
};

/// Ends what was written at a gather: with all growth before it, the search
/// stands as the gather left it.
struct search_mark {
  std::string version; ///< of the program
  std::string fingerprint;
  gather_record gathered;
  std::vector<saved_tree> trees; ///< in concept order
  std::vector<dropped_concept> dropped;
  double initial_success = 0;
  BREWERY_FIELDS(search_mark, version, fingerprint, gathered, trees, dropped,
                 initial_success)
};

} // namespace brewery
