#pragma once
/// Leave-one-out: what each published document contributes. The sealed tasks
/// whose attempts were shown a document are played again without it; the grades
/// of other tasks are taken as they are, since their attempts did not read it.
/// run/left_out.hpp plans these attempts. PURE.

#include "base/statistics.hpp"
#include "messages/search_msgs.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// "without 3": the arm of the published documents but that of concept 3.
std::string left_out_name(concept_id left_out);
/// The concept; empty: the arm is none of these.
std::optional<concept_id> left_out_of(std::string_view arm);

/// Whether an evaluation of `arm` makes an earlier one of `other` void: the
/// same was measured again, or what `other` left a document out of.
bool replaces(std::string_view arm, std::string_view other);

struct contribution {
  concept_id about;
  std::string title;
  std::size_t tasks = 0;        ///< graded with it and without it
  double with = 0, without = 0; ///< mean grades of these tasks
  estimate difference;          ///< paired by task
};

/// Empty if no task was graded in both.
std::optional<contribution> contribution_of(const evaluation_record& whole,
                                            const evaluation_record& without);

/// A Markdown table, the largest contribution first. Empty without any.
std::string contributions_text(std::vector<contribution> all);

} // namespace brewery
