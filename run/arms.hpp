#pragma once
/// The arms of an evaluation beside each other, for people and other tools:
/// success with its interval, the difference to the first arm, pass^k, shared
/// checks. PURE.

#include "base/statistics.hpp"
#include "config/config.hpp"
#include "messages/search_msgs.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// An arm with its intervals.
struct arm_result {
  evaluation_record record;
  estimate success;
  /// To the first arm, paired by task. Empty for the first arm, and if no task
  /// was graded in both.
  std::optional<estimate> difference;
  std::vector<double> pass_k; ///< pass^1, ..., up to the number of trials
  unscored_attempts unscored; ///< not counted in any of these
  std::uint32_t trials = 0;   ///< planned rollouts per task
};

/// The name of the arm with the documents of a strategy, or of a learner.
std::string learned_arm(std::string_view whose);

/// The arm whose score is the run's: the documents of the first strategy. A run
/// without a search has the last of its baselines instead, or no documents.
std::string scored_arm(const config& options);

/// What no figure of these arms counts, in one line: the calls of models by the
/// package behind a memory port. Empty: nothing.
std::string uncounted_text(const std::vector<arm_result>& arms);

/// "50.0 %" for 0.5.
std::string percent_text(double share);

/// Whether an attempt was graded. If none was, `success` says nothing.
bool is_graded(const arm_result& arm);

/// What `success` is: "success" if all grades are 0 or 1, else "mean grade".
std::string score_name(const std::vector<arm_result>& arms);

/// `trials` is the planned number of rollouts per task. All arms have the same
/// tasks in the same order. Intervals draw them by name, as `compare` does.
std::vector<arm_result> compare_arms(const std::vector<evaluation_record>& arms,
                                     std::uint32_t trials);

/// The checks that all attempts of an arm had: one line each, with how often it
/// was met. Empty if there are none.
std::string checks_text(const std::vector<evaluation_record>& arms);

/// The closing tables, no wider than 80 characters: success, the share of
/// attempts without a score, interval, and the difference to the first arm;
/// pass^k if tasks have several trials. Then what attempts without a score
/// could hide, and how intervals were made.
std::string arms_text(const std::vector<arm_result>& arms);

nlohmann::ordered_json checks_json(const std::vector<check_share>& checks);
nlohmann::ordered_json arm_json(const arm_result& arm);

} // namespace brewery
