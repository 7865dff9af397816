#pragma once
/// The three stores of the learner MUSE (arXiv:2510.08002, section 3.2), with
/// bounds. A memory is a value: whoever learns owns one, attempts read copies.
///
///   strategic   dilemma -> strategy; an attempt knows all of them
///   procedural  application -> operation -> procedure; an attempt knows the
///               outline and opens bodies on demand
///   tool        what to know about a tool, with every result of it
///
/// Texts are opaque here: whether a step is a sentence that a program can
/// follow is the business of who wrote it. PURE.

#include "messages/memory/muse_msgs.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace brewery::muse {

struct strategy {
  std::string dilemma; ///< two to six words
  std::string text;    ///< what to do and why, one line
  bool operator==(const strategy&) const = default;
};

/// A standard operating procedure.
struct procedure {
  std::string application, operation;
  std::vector<std::string> preconditions, steps, notes; ///< lines
  bool operator==(const procedure&) const = default;
};

struct tool_note {
  std::string tool;
  std::string text; ///< one line
  bool operator==(const tool_note&) const = default;
};

struct memory {
  std::vector<strategy> strategies;  ///< in the order in which they came
  std::vector<procedure> procedures; ///< by application, then by operation
  std::vector<tool_note> tools;      ///< by name
  [[nodiscard]] bool empty() const {
    return strategies.empty() && procedures.empty() && tools.empty();
  }
  bool operator==(const memory&) const = default;
};

/// The bounds of a memory. All are ours but the ten strategies of two to six
/// words, which are the published code's.
struct memory_limits {
  std::size_t strategies = 10;
  std::size_t dilemma_words_min = 2, dilemma_words_max = 6;
  std::size_t applications = 64;
  std::size_t operations = 40; ///< of an application
  std::size_t tools = 200;
  std::size_t lines = 40; ///< of each list of a procedure
  std::size_t name_bytes = 120;
  std::size_t line_bytes = 2000;
  std::size_t body_bytes = 32'000; ///< of an application's procedures as text
};

/// What a merge did, in the order of the operations.
struct merge_report {
  std::vector<std::string> added, changed; ///< names of entries
  std::vector<std::string> refused;        ///< "NAME: why", one line each
};

/// The name of the entry that an operation is about: "tool/x",
/// "procedural/application/operation".
std::string entry_name(const memory_operation& what);

/// Adds or replaces entries. An operation that breaks a bound, or has a text
/// that does not fit the strict form (a line break, a heading, nothing at all),
/// leaves the memory as it was and is reported.
merge_report merge(memory& into, const std::vector<memory_operation>& what,
                   const memory_limits& limits = {});

/// Drops the entries of these names (`entry_name`). Returns those that were
/// there.
std::vector<std::string> forget(memory& in,
                                const std::vector<std::string>& names);

} // namespace brewery::muse
