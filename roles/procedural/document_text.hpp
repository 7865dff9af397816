#pragma once
/// The text of a document in the schema of the method: When, Why, How,
/// Additional actions, Example. Each line names the insights behind it. Pure.

#include "messages/kb_msgs.hpp"
#include "roles/procedural/induction/rule_induction.hpp"

namespace brewery {

/// At most `clauses` clauses of the instructions are quoted, for retrieval.
/// Without a rule or a goal there is nothing to say: the body is empty.
integrate_result document_text(const integrate_job& job,
                               const induced& knowledge, std::size_t clauses);

} // namespace brewery
