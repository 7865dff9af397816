#pragma once
/// What the prompt of the integrator shows: numbered insights, the parent
/// document with its citations, how it did, what training rollouts missed.
/// Pure.

#include "kb/document.hpp"
#include "messages/kb_msgs.hpp"

#include <string>
#include <vector>

namespace brewery {

/// The insights in the order of their numbers: those with the most rollouts
/// first. Then come insights that only lines of the parent cite, without text.
/// Of more than `most` (0: no limit) those with the most rollouts are shown,
/// and half of the places are for fresh ones: these have had no time for many.
struct numbered_insights {
  std::vector<const counted_insight*> shown; ///< of the job
  std::vector<insight_id> ids;               ///< number n is element n - 1
};
numbered_insights number_insights(const integrate_job& job,
                                  std::size_t most = 0);

/// One line for each insight that is shown; "(none)" without any.
std::string insights_text(const numbered_insights& insights);

/// The document, each line with the numbers of the insights behind it.
std::string cited_text(const std::string& body,
                       const std::vector<line_evidence>& evidence,
                       const numbered_insights& insights);

/// Numbers in words; empty if the document was not scored.
std::string score_text(const document_score& score);

/// One line for each check; empty without any.
std::string missed_text(const std::vector<check_share>& missed);

/// One line for each title; empty without any.
std::string titles_text(const std::vector<std::string>& titles);

} // namespace brewery
