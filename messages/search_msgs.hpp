#pragma once
/// Messages of the search: what the coordinator and the trees tell each other,
/// and the records of decisions in the event log.

#include "messages/kb_msgs.hpp"

#include <string_view>

namespace brewery {

/// A frozen concept (papers/000, algorithm 3).
struct concept_record {
  concept_id id;
  std::string title;
  std::vector<std::string> topics;  ///< merged by clustering
  std::vector<task_id> train_tasks; ///< Q_train_k
  std::vector<task_id> eval_tasks;  ///< Q_eval_k
  BREWERY_FIELDS(concept_record, id, title, topics, train_tasks, eval_tasks)
};

/// Coordinator to tree: start iteration `iteration` (0 evaluates the root)
/// against this current knowledge base.
struct start_expand {
  std::uint32_t iteration = 0;
  std::vector<doc_ref> current;
  BREWERY_FIELDS(start_expand, iteration, current)
};

/// A document version with its statistics, as reports and logs show it.
struct node_record {
  node_id id;
  node_id parent; ///< the root is its own parent
  doc_hash hash;
  std::uint32_t iteration = 0; ///< when it was made
  std::uint32_t depth = 0;
  std::uint32_t visits = 0;
  double value = 0;            ///< mean back-propagated reward
  double reward = 0;           ///< own reward R
  double correctness = 0;      ///< R_corr
  double retrieval = 0;        ///< R_ret
  std::uint32_t evaluated = 0; ///< graded eval rollouts behind `reward`
  BREWERY_FIELDS(node_record, id, parent, hash, iteration, depth, visits, value,
                 reward, correctness, retrieval, evaluated)
};

/// Tree to coordinator: iteration done; `best` goes into the gathered KB.
struct expand_report {
  concept_id concept_ref;
  std::uint32_t iteration = 0;
  node_record best;
  std::uint32_t added = 0;   ///< candidates that became nodes
  std::uint32_t dropped = 0; ///< candidates identical to an existing node
  double train_success = 0;  ///< mean reward of this iteration's train rollouts
  std::string note;          ///< why nothing was expanded, if so
  BREWERY_FIELDS(expand_report, concept_ref, iteration, best, added, dropped,
                 train_success, note)
};

/// The barrier closed: the next current knowledge base. With a full barrier
/// every tree is in `reports`, and the last two are empty and not written.
struct gather_record {
  std::uint32_t iteration = 0;
  std::vector<doc_ref> current;
  std::vector<expand_report> reports;  ///< of this iteration, in concept order
  std::vector<expand_report> folded{}; ///< of the one before: were late there
  std::vector<concept_id> late{};      ///< no report of this iteration yet
  static constexpr bool may_lack(std::string_view field) {
    return field == "folded" || field == "late";
  }
  static constexpr bool lacks_when_empty = true;
  BREWERY_FIELDS(gather_record, iteration, current, reports, folded, late)
};

/// What a tree ends with: its best document, why, and all its versions.
struct document_outcome {
  concept_record about;
  node_record best;
  doc_hash parent; ///< of the best document; empty value for the root
  std::vector<line_evidence> evidence;
  std::vector<counted_insight> cited; ///< the insights that `evidence` names
  std::vector<node_record> versions;  ///< in id order
  BREWERY_FIELDS(document_outcome, about, best, parent, evidence, cited,
                 versions)
};

/// The result of one search.
struct search_outcome {
  std::string strategy;
  double initial_success = 0; ///< mean reward of the initial rollouts
  std::vector<document_outcome> documents; ///< in concept order
  std::vector<gather_record> gathers;      ///< one per iteration, 0 first
  BREWERY_FIELDS(search_outcome, strategy, initial_success, documents, gathers)
};

/// What a run was started with: the first event of its log. A resumed run must
/// find the same.
struct run_record {
  std::string fingerprint; ///< of data, roles and their options
  std::string config;      ///< the effective configuration, TOML
  BREWERY_FIELDS(run_record, fingerprint, config)
};

/// How often a check was met that every attempt of an arm had.
struct check_share {
  std::string name;
  std::uint64_t met = 0;
  std::uint64_t of = 0;
  BREWERY_FIELDS(check_share, name, met, of)
};

/// One arm of an evaluation: a KB on a split.
struct evaluation_record {
  std::string name; ///< "no KB", "mcts", ...
  std::string split;
  std::vector<task_id> tasks;
  std::vector<std::vector<double>> rewards; ///< per task, per trial
  /// Of the grader, where some are the same for all tasks: an answer read by
  /// other rules, a case of several. In the grader's order.
  std::vector<check_share> checks{};
  static constexpr bool lacks_when_empty = true;
  static constexpr bool may_lack(std::string_view field) {
    return field == "checks";
  }
  BREWERY_FIELDS(evaluation_record, name, split, tasks, rewards, checks)
};

} // namespace brewery
