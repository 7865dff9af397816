#pragma once
/// A document of a knowledge base as an experience, so that what another
/// learner wrote can be remembered. What a document has under "When to use",
/// and its text before any heading, is the problem; items and paragraphs
/// elsewhere are steps, those that begin with "Done when" the goal, and those
/// under "What goes wrong" failures (to_document.hpp). Lines that go on with an
/// item are part of it, but not a word with a colon alone, which names what is
/// below it. What a document rests on ("Why to use it", "Example") is left out.
/// PURE.

#include "base/result.hpp"
#include "kb/experience/experience.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace brewery {

/// A text that is an experience is taken as it is. Error ec::malformed: it has
/// the headings of an experience and is none, or there is no step in it.
result<experience> experience_of(std::string_view body,
                                 const std::string& domain);

/// All that a document gives. Of the memory of MUSE that is one for each
/// procedure, whose operation and preconditions are the problem; notes rest on
/// attempts, so they are left out, and strategies and notes on tools give none.
/// Of any other document it is `experience_of`. Error ec::malformed: as there,
/// or it is a document of procedures, but not in their strict form.
result<std::vector<experience>> experiences_of(std::string_view body,
                                               const std::string& domain);

} // namespace brewery
