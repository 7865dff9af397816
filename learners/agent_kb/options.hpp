#pragma once
/// The options of the learner Agent KB. What the paper publishes is the
/// default; the other constants are ours. config/schema_learners.cpp describes
/// each field and its range.

#include <cstdint>
#include <string>
#include <vector>

namespace brewery {

/// `[agent_kb]`.
struct agent_kb_options {
  std::uint32_t rounds = 2; ///< barriers after the first one
  std::uint32_t k = 3;      ///< experiences of one retrieval
  double alpha = 0.5;       ///< share of words in a score
  double duplicate = 0.8;   ///< tau: cosine above which problems are the same
  double gate = 0.8;        ///< beta: least cosine of a refinement; 0: no gate
  double learning_rate = 0.1;
  double first_quality = 0.5;
  double decay = 0.0005; ///< of utility, per finished episode without use
  double least_utility = 0.05;
  std::uint32_t capacity = 0; ///< most experiences; 0: no limit
  /// What happens to two experiences of one problem with other steps: see
  /// `agent_kb_conflicts`.
  std::string conflicts = "keep";
  double compatible = 0.8; ///< theta_c: more than this is merged
  /// A look around before planning, whose calls are charged.
  bool survey = true;
  /// Rules are induced from all train attempts before any is abstracted.
  bool lessons = true;
  /// Off: nothing is attempted or added; the memory is what it begins with.
  bool learn = true;
  // What can be left out, for comparison.
  bool reason = true;
  bool retrieve = true;
  bool refine = true;
  bool planning = true;
  bool feedback = true;
  /// Documents that the memory begins with, e.g. the kb/ of another run; empty:
  /// none.
  std::string start_from;
  /// Arms of the final evaluation beside its own: see `agent_kb_arms`.
  std::vector<std::string> compare{"planning"};

  bool operator==(const agent_kb_options&) const = default;
};

/// Values of `agent_kb.conflicts`.
namespace agent_kb_conflicts {
inline constexpr auto keep = "keep";     ///< both stay, and are related
inline constexpr auto select = "select"; ///< the one that served better stays
/// An arbiter makes one of both if they are compatible, else `select`.
inline constexpr auto merge = "merge";
} // namespace agent_kb_conflicts

/// Values of `agent_kb.compare`.
namespace agent_kb_arms {
inline constexpr auto planning = "planning"; ///< the first attempts alone
/// A second attempt with the guidance of the first one.
inline constexpr auto blind_retry = "planning-retry";
/// Two attempts without knowledge.
inline constexpr auto retry = "retry";
} // namespace agent_kb_arms

} // namespace brewery
