#pragma once
/// An experience of Agent KB: what was to be solved, how, under which
/// circumstances, and what goes wrong (its version 1: problem pi, goal gamma,
/// steps S, characteristics C, failure modes F). Its Markdown is its content:
/// it is stored, exported and hashed as a document, and an agent can read it as
/// one. How it did (utility.hpp) and what it has to do with others
/// (learners/agent_kb/experience_base.hpp) is kept beside it. PURE.
///
///   # TITLE
///
///   ## Problem
///   - LINE ...            at least one
///   ## Goal
///   - LINE ...
///   ## Steps
///   1. LINE ...           at least one
///   ## Failures
///   - SIGN => RECOVERY    the recovery may be empty
///   ## Characteristics
///   - domain: WORD
///   - difficulty: NUMBER  0 or more
///   - tools: NAME, NAME
///   - from: TASK, TASK
///
/// All parts are there, in this order; Goal and Failures may have no line. A
/// line is one line of text without a newline; what a step says is opaque here.

#include "base/result.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// What shows that it goes wrong, and what helped.
struct failure_mode {
  std::string sign;
  std::string recovery; ///< empty: not known
  bool operator==(const failure_mode&) const = default;
};

struct experience {
  std::string title;
  std::vector<std::string> problem; ///< pi: what the task says and shows
  std::vector<std::string> goal;    ///< gamma: what shows that it is solved
  std::vector<std::string> steps;   ///< S
  std::vector<failure_mode> failures;
  std::string domain;             ///< of C: the benchmark
  std::uint32_t difficulty = 0;   ///< of C: how much was out of order
  std::vector<std::string> tools; ///< of C: sorted names
  std::vector<std::string> from;  ///< ids of the tasks it was learned from
  bool operator==(const experience&) const = default;
};

/// The headings of its Markdown, in order.
inline constexpr std::array<std::string_view, 5> experience_parts{
    "Problem", "Goal", "Steps", "Failures", "Characteristics"};

/// Limits of a text that may come from a model or a file.
inline constexpr std::size_t experience_bytes_max = 64'000;
inline constexpr std::size_t experience_lines_max = 1'000;

/// The Markdown; lines are made single. Equal experiences give equal bytes.
std::string to_markdown(const experience& item);

/// The same for whoever is to use it, without the tasks that it is from: their
/// ids may name what was wrong there, which nobody is told who solves a task.
std::string told_markdown(const experience& item);

/// The same of a document, which need not be an experience.
std::string told_text(const std::string& document);

/// Error ec::malformed names the line and what was expected there, in a form
/// that can be sent back to a model. Safe on any bytes.
result<experience> read_experience(std::string_view markdown);

/// A facet as text, for vectors and search.
std::string problem_text(const experience& item);
std::string goal_text(const experience& item);
std::string traits_text(const experience& item);

} // namespace brewery
