#pragma once
/// A document of a knowledge base as an experience, so that what another
/// learner wrote can be remembered. What a document has under "When to use" is
/// the problem, numbered and listed lines elsewhere are steps, lines that begin
/// with "Done when" the goal, and those under "What goes wrong" failures
/// (to_document.hpp). PURE.

#include "base/result.hpp"
#include "kb/experience/experience.hpp"

#include <string>
#include <string_view>

namespace brewery {

/// A text that is an experience is taken as it is. Error ec::malformed: it has
/// the headings of an experience and is none, or there is no step in it.
result<experience> experience_of(std::string_view body,
                                 const std::string& domain);

} // namespace brewery
