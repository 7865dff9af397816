#pragma once
/// A memory of the learner MUSE as Markdown, one document per application and
/// one each for strategies and tools, in a strict form: what is read is written
/// back byte for byte. People may read and mend it. PURE.
///
///   # Strategies            # Application: NAME      # Tools
///
///   ## DILEMMA              ## OPERATION             ## TOOL
///
///   TEXT                    Preconditions:           TEXT
///                           - LINE
///                           Steps:
///                           1. LINE
///                           Notes:
///                           - LINE

#include "base/result.hpp"
#include "kb/muse/memory.hpp"

#include <optional>

namespace brewery::muse {

/// The names of the applications, sorted, each once.
std::vector<std::string> applications(const memory& from);

/// The documents of a memory: strategies, then applications by name, then
/// tools. A store without entries has none.
std::vector<std::string> documents_of(const memory& from);

/// The document of an application; empty without procedures of it.
std::string application_text(const memory& from, std::string_view application);

/// Adds what a document says to a memory. Error ec::malformed: it is not in the
/// strict form, repeats an entry, or breaks a bound; the message has the line.
result<void> read_document(std::string_view text, memory& into,
                           const memory_limits& limits = {});

/// The outline that an attempt begins with: applications and their operations,
/// a line each.
std::string outline(const memory& from);

/// The bodies of some operations of an application, in their order; no names:
/// of all. Names that are not there are said to be absent.
std::string open_procedures(const memory& from, std::string_view application,
                            const std::vector<std::string>& operations);

/// The note on a tool; empty without one.
std::string_view note_on(const memory& from, std::string_view tool);

} // namespace brewery::muse
