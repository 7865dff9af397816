#pragma once
/// An experience as a document of a knowledge base, so that an agent that knows
/// documents alone can use it: `brewery eval`, a coding agent, a person. Its
/// problem tells when to use it, its steps how to perform; the domain, the
/// difficulty and where it comes from are left out. PURE.
///
///   # TITLE
///
///   **When to use:** the task says or shows this
///   - PROBLEM ...
///
///   ### How to perform
///   1. STEP ...
///   ### Additional actions       if there is a goal
///   - GOAL ...
///   ### What goes wrong          if there is a failure
///   - SIGN => RECOVERY

#include "kb/experience/experience.hpp"

#include <string>

namespace brewery {

/// The heading of failures; from_document.cpp knows them again by its words.
inline constexpr std::string_view failures_heading = "### What goes wrong";

/// `experience_of` gives title, problem, steps and failures of it back, and the
/// lines of the goal that begin with "Done when".
std::string to_document(const experience& item);

} // namespace brewery
