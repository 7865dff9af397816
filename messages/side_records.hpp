#pragma once
/// Events of the log that say something about a run for its readers and decide
/// nothing: a resumed run is not compared with them, and their key alone says
/// whether they are there. A log of an older release has none.

#include "base/fields.hpp"
#include "base/ids.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// What jobs were for. `what` is one of `purpose`.
struct job_purpose {
  std::string what;
  std::string name; ///< the arm, else the search's strategy
  // Of a tree's: whose version the rollouts read.
  concept_id concept_ref{};
  std::uint32_t iteration = 0;
  doc_hash candidate{};
  std::vector<job_id> jobs; ///< the rollouts
  BREWERY_FIELDS(job_purpose, what, name, concept_ref, iteration, candidate,
                 jobs)
};

namespace purpose {
inline constexpr std::string_view first = "first"; ///< before any document
inline constexpr std::string_view learn = "learn"; ///< reviewed for insights
inline constexpr std::string_view score = "score"; ///< to score the version
/// Fresh trials of a version that would be published, and of the published one.
/// A log of an older release says `score` of them.
inline constexpr std::string_view confirm = "confirm";
inline constexpr std::string_view arm = "arm"; ///< of the final evaluation
} // namespace purpose

/// Written when the jobs are asked for, or by a tree at an iteration's end.
struct purpose_record {
  std::vector<job_purpose> purposes;
  BREWERY_FIELDS(purpose_record, purposes)
};

/// What a run's models had cost when a barrier closed. Stands before the
/// barrier's own record.
struct spend_record {
  std::uint32_t iteration = 0;
  double cost_usd = 0; ///< over all sessions
  BREWERY_FIELDS(spend_record, iteration, cost_usd)
};

/// Of the record of what an arm of an evaluation asked for.
inline constexpr std::string_view arm_key_begin = "arm/";
inline std::string arm_key(std::uint32_t trials, const std::string& split,
                           const std::string& arm) {
  return std::string{arm_key_begin} + std::to_string(trials) + ' ' + split + '/'
         + arm;
}

/// Whether events of this kind decide nothing.
constexpr bool is_side_record(std::string_view kind) {
  return kind == purpose_record::type_name || kind == spend_record::type_name;
}

} // namespace brewery
