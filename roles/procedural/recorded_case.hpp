#pragma once
/// The procedural counterpart of in-context learning: the agent is shown raw
/// records of successful attempts, and imitates what one record did where it
/// sees what that record saw. Each record is read by itself: nothing is counted
/// or compared over several, and no grade but its success is known. Pure.

#include "roles/example_attempts.hpp"
#include "roles/procedural/rule_text.hpp"

#include <string>
#include <string_view>

namespace brewery {

/// The record as a document: the instruction, then each call with its answer as
/// a line of JSON.
std::string recorded_case(const example_attempt& attempt);

/// What a record did, as rules of this one case: where a look shows the lines
/// that a call of the record changed, make that call. Left out are calls that
/// changed nothing that the record looked at, and changes that did not last
/// until its end. There are no goals. Empty for another document.
guidance read_recorded_case(std::string_view body);

} // namespace brewery
