#pragma once
/// What roles say about an attempt or a note, as the texts of a memory_result:
/// written by roles/memory, read by comparator_memory. Reading is strict: what
/// is no line, number or change is left out. PURE.

#include "kb/comparators/note_memory.hpp"
#include "messages/memory/memory_msgs.hpp"

#include <optional>
#include <vector>

namespace brewery {

std::vector<named_text> texts_of_attempt(const recorded_attempt& attempt);

/// Empty: the role said nothing. `solved` is left to the reader.
std::optional<recorded_attempt>
attempt_in(const std::vector<named_text>& texts);

std::vector<named_text> texts_of_evolution(const note_evolution& evolution);
note_evolution evolution_in(const std::vector<named_text>& texts);

} // namespace brewery
