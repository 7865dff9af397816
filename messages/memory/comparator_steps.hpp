#pragma once
/// The comparators: memories beside BREW's that arms of a final evaluation are
/// given. Their names, the steps of their memory jobs, and the names of those
/// steps' texts: what learners/comparators asks for, and roles/memory does.

#include <string_view>

namespace brewery {

namespace comparators {
/// As in `eval.baselines`; also `memory_job::learner`.
inline constexpr std::string_view a_mem = "a-mem-mechanism";
inline constexpr std::string_view cognee = "cognee-mechanism";
/// A package in a child process, which is told what A-Mem's notes would be.
inline constexpr std::string_view port = "memory-port";
} // namespace comparators

constexpr bool is_comparator(std::string_view arm) {
  return arm == comparators::a_mem || arm == comparators::cognee
         || arm == comparators::port;
}

namespace comparator_steps {
/// A graded train attempt -> what the memory keeps of it (recorded_attempt).
inline constexpr auto record = "record";
/// A note and its neighbours -> what the note changes (note_evolution).
inline constexpr auto evolve = "evolve";
} // namespace comparator_steps

namespace comparator_texts {
inline constexpr auto task = "task"; ///< the instruction
// Of an attempt.
inline constexpr auto told = "told"; ///< in one line; one of them
inline constexpr auto keyword = "keyword";
inline constexpr auto tag = "tag"; ///< also one that a note gets
inline constexpr auto context = "context";
inline constexpr auto sentence = "sentence";
inline constexpr auto seen = "seen";
inline constexpr auto ended = "ended";
/// Lines: "kept" or "", call, after, sentence, then what was before.
inline constexpr auto change = "change";
// Of an evolution; a neighbour's number is from 1.
inline constexpr auto note = "note"; ///< the document of a note
inline constexpr auto neighbour = "neighbour";
inline constexpr auto link = "link"; ///< a neighbour's number
/// Two lines: a neighbour's number, and what it gets.
inline constexpr auto neighbour_context = "neighbour context";
inline constexpr auto neighbour_tag = "neighbour tag";
} // namespace comparator_texts

} // namespace brewery
