#pragma once
/// The text of a document in the schema of the method: When, Why, How,
/// Additional actions, Example. Each line names the insights behind it. Pure.

#include "messages/kb_msgs.hpp"
#include "roles/procedural/induction/rule_induction.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// A line that quotes the instructions starts so.
inline constexpr std::string_view quote_prefix = "- The task is like: ";

/// Clauses of the instructions that tell when the document applies rather than
/// another of its topic, the most telling first.
std::vector<std::string> telling_clauses(const integrate_job& job,
                                         const induced& knowledge,
                                         std::size_t limit);

/// `quotes` are clauses of the instructions, for retrieval. Without a rule or a
/// goal there is nothing to say: the body is empty.
integrate_result document_text(const integrate_job& job,
                               const induced& knowledge,
                               const std::vector<std::string>& quotes);

} // namespace brewery
