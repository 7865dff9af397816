#pragma once
/// What was learned from one rollout, in one sentence.

#include "base/fields.hpp"
#include "base/ids.hpp"
#include "base/shared_list.hpp"
#include "base/shared_value.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace brewery {

/// The content of an insight in a form that a program can count: lines of one
/// tool's report before and after actions, or at the end of a graded rollout.
/// `kind` is "effect" or "outcome"; unused members stay empty.
struct insight_fact {
  /// Few distinct lists occur in very many insights, which share them.
  using text_list = shared_list<std::string>;

  shared_text kind;
  shared_text observation; ///< the reading call, e.g. `check_sim_status()`
  text_list before;        ///< effect: its lines before
  text_list after;         ///< effect: lines after; outcome: at the end
  text_list actions;       ///< effect: calls before `after`, last = cause
  text_list quiet;         ///< earlier calls that changed nothing visible
  text_list context;       ///< clauses of the task's instruction
  shared_text check; ///< outcome: the grader's check, records as placeholders
  bool met = false;  ///< outcome: whether it was met
  static constexpr renamed_field renamed{"observation", "look"};
  BREWERY_FIELDS(insight_fact, kind, observation, before, after, actions, quiet,
                 context, check, met)
};

/// One sentence learned from a rollout, attached to a topic. Equal content has
/// an equal id, whatever rollout it is from. Most insights that differ have a
/// sentence, a topic and a check that others have as well, and share them.
struct insight {
  insight_id id;
  shared_text topic;
  shared_text sentence;
  insight_fact fact;
  std::vector<std::uint32_t> steps; ///< of the trajectory; they support it
  BREWERY_FIELDS(insight, id, topic, sentence, fact, steps)
};

/// The insight's identity: the content hash of topic, sentence and fact.
insight_id identity(const insight& item);

/// The texts of an insight, in the order in which packed messages have them.
template <class Insight>
auto texts_in(Insight& item) {
  return std::array{&item.topic, &item.sentence, &item.fact.kind,
                    &item.fact.observation, &item.fact.check};
}

/// The lists of a fact, in the order in which packed messages and snapshots
/// have them.
template <class Fact>
auto lists_of(Fact& fact) {
  return std::array{&fact.before, &fact.after, &fact.actions, &fact.quiet,
                    &fact.context};
}

} // namespace brewery
