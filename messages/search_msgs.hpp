#pragma once
/// Messages of a search: between the coordinator and the trees, and the records
/// of decisions in the event log.

#include "messages/kb_msgs.hpp"

#include <array>
#include <string_view>

namespace brewery {

/// A frozen concept (BREW, arXiv:2511.20297, algorithm 3).
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

/// A version that would have replaced the published one of its tree was played
/// on fresh trials beside it.
struct confirmation {
  node_id incumbent;           ///< the published one
  std::uint32_t iteration = 0; ///< when
  /// Its reward and that of the published one; empty: too few rollouts of it
  /// were graded.
  std::vector<double> reward{};
  std::vector<double> against{};
  BREWERY_FIELDS(confirmation, incumbent, iteration, reward, against)
};

/// A document version with its statistics, for reports and logs.
struct node_record {
  node_id id;
  node_id parent; ///< the root's parent is itself
  doc_hash hash;
  std::uint32_t iteration = 0; ///< when it was made
  std::uint32_t depth = 0;
  std::uint32_t visits = 0;
  double value = 0;            ///< mean back-propagated reward
  double reward = 0;           ///< own reward R
  double correctness = 0;      ///< R_corr
  double retrieval = 0;        ///< R_ret
  std::uint32_t evaluated = 0; ///< graded eval rollouts behind `reward`
  /// Not empty: its evaluation was stopped. The reward and its parts are then
  /// the most that they can be, and this is the least that the reward can be.
  std::vector<double> least{};
  /// Whenever it would have replaced the published version, oldest first.
  std::vector<confirmation> challenges{};
  /// Not empty: its evaluation ended because it was probably worse than a
  /// sibling, with this error. The reward is an estimate.
  std::vector<double> raced{};
  static constexpr bool optional_field(std::string_view field) {
    return field == "least" || field == "challenges" || field == "raced";
  }
  static constexpr bool omit_if_empty = true;
  BREWERY_FIELDS(node_record, id, parent, hash, iteration, depth, visits, value,
                 reward, correctness, retrieval, evaluated, least, challenges,
                 raced)
};

/// How many of the rollouts that score versions were spent or saved so, since
/// the report before.
struct economy_count {
  std::string what; ///< one of `economy`
  std::uint64_t rollouts = 0;
  BREWERY_FIELDS(economy_count, what, rollouts)
};

/// What is counted.
namespace economy {
inline constexpr std::string_view asked = "asked";   ///< all of them
inline constexpr std::string_view pruned = "pruned"; ///< left out by bounds
/// Left out before, and then asked for because a choice hung on them.
inline constexpr std::string_view resumed = "resumed";
/// Left out because another candidate was probably better.
inline constexpr std::string_view raced = "raced";
/// Fresh ones, before a version replaces the published one. Not in `asked`.
inline constexpr std::string_view confirmed = "confirmed";
/// Again beside other neighbours. Not in `asked`.
inline constexpr std::string_view rescored = "rescored";
/// In the order in which they are shown.
inline constexpr std::array all{asked, pruned,   resumed,
                                raced, rescored, confirmed};
} // namespace economy

/// Tree to coordinator: the iteration is done; `best` goes into the current KB.
struct expand_report {
  concept_id concept_ref;
  std::uint32_t iteration = 0;
  node_record best;
  std::uint32_t added = 0;   ///< candidates that became nodes
  std::uint32_t dropped = 0; ///< candidates identical to an existing node
  double train_success = 0;  ///< mean reward of this iteration's train rollouts
  std::string note;          ///< if nothing was expanded: why
  std::vector<economy_count> counts{}; ///< empty: nothing saves rollouts
  static constexpr bool optional_field(std::string_view field) {
    return field == "counts";
  }
  static constexpr bool omit_if_empty = true;
  BREWERY_FIELDS(expand_report, concept_ref, iteration, best, added, dropped,
                 train_success, note, counts)
};

/// A tree after one of its iterations: the versions that are new or changed
/// since its record before. All records of a tree, the later over the earlier,
/// are the whole tree.
struct tree_record {
  concept_id concept_ref;
  std::uint32_t iteration = 0;
  std::vector<node_record> nodes; ///< in id order
  BREWERY_FIELDS(tree_record, concept_ref, iteration, nodes)
};

/// A barrier has closed: the next current knowledge base. With a full barrier
/// every tree is in `reports`, and the last two members are empty and not
/// written.
struct gather_record {
  std::uint32_t iteration = 0;
  std::vector<doc_ref> current;
  std::vector<expand_report> reports; ///< of this iteration, in concept order
  /// Reports of the iteration before that were late.
  std::vector<expand_report> folded{};
  std::vector<concept_id> late{}; ///< no report of this iteration yet
  static constexpr bool optional_field(std::string_view field) {
    return field == "folded" || field == "late";
  }
  static constexpr bool omit_if_empty = true;
  BREWERY_FIELDS(gather_record, iteration, current, reports, folded, late)
};

/// The result of a tree: its best document, the evidence, and all versions.
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

/// A concept that left the search, because it has no first document.
struct dropped_concept {
  concept_id id;
  std::string title;
  std::string reason;
  BREWERY_FIELDS(dropped_concept, id, title, reason)
};

/// The result of one search.
struct search_outcome {
  std::string strategy;
  double initial_success = 0; ///< mean reward of the initial rollouts
  std::vector<document_outcome> documents; ///< in concept order
  std::vector<gather_record> gathers;      ///< one per iteration, 0 first
  std::vector<dropped_concept> dropped{};  ///< in concept order
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "dropped";
  }
  BREWERY_FIELDS(search_outcome, strategy, initial_success, documents, gathers,
                 dropped)
};

/// The configuration with which a run was started: the first event of its log.
/// A resumed run must have the same.
struct run_record {
  std::string fingerprint; ///< of data, roles and their options
  std::string config;      ///< the effective configuration, TOML
  /// What the keys of rollouts have of it, without reflection and with. Empty
  /// in logs of older releases: all (ADR 0032).
  std::string playing{};
  std::string reflecting{};
  /// What the keys of integrations have of it. Empty in logs of older releases,
  /// and for the usual procedural integrator: nothing.
  std::string integrating{};
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "playing" || field == "reflecting"
           || field == "integrating";
  }
  BREWERY_FIELDS(run_record, fingerprint, config, playing, reflecting,
                 integrating)
};

/// What an arm of an evaluation took, over all tasks and trials.
struct arm_count {
  std::string what; ///< "attempts", "tool calls"
  std::uint64_t count = 0;
  BREWERY_FIELDS(arm_count, what, count)
};

/// One arm of an evaluation: a KB on a split.
struct evaluation_record {
  std::string name; ///< "no KB", "mcts", ...
  std::string split;
  std::vector<task_id> tasks;
  std::vector<std::vector<double>> rewards; ///< per task, per trial
  /// Checks of the grader that all tasks share: an answer read under other
  /// rules, one case of several. In the grader's order.
  std::vector<check_share> checks{};
  /// Of an arm that a learner serves. Empty: one attempt for each reward.
  std::vector<arm_count> counts{};
  static constexpr bool omit_if_empty = true;
  static constexpr bool optional_field(std::string_view field) {
    return field == "checks" || field == "counts";
  }
  /// What its members do not agree in; empty: nothing.
  [[nodiscard]] std::string contradiction() const {
    return rewards.size() == tasks.size() ? ""
                                          : "it has rewards of other tasks";
  }
  BREWERY_FIELDS(evaluation_record, name, split, tasks, rewards, checks, counts)
};

} // namespace brewery
