#pragma once
/// Which facts of a document (documents/facts.hpp) and which insights are not
/// in the next one. It compares words, not meaning: what it finds lost may be
/// there in other words, and what stands in plain words it does not know. Pure;
/// safe on any bytes.

#include "roles/model/documents/integration_text.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// The facts of `before` that are nowhere in `after`. Case, spaces and order do
/// not count; of quotations and units singular and plural are one; a unit may
/// stand a few words after its number, or before it.
std::vector<std::string> lost_facts(std::string_view before,
                                    std::string_view after);

/// The body without the lines whose insights are all among `dropped`.
std::string without_points(std::string_view body,
                           const std::vector<line_evidence>& evidence,
                           const std::set<insight_id>& dropped);

/// Indices into `insights.shown` of those that are in no point: none cites the
/// insight, and it has no text in backticks or not all of it is in the body.
std::vector<std::size_t> unused_insights(const numbered_insights& insights,
                                         const integrate_result& made);

} // namespace brewery
