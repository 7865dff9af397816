#pragma once
/// From what a distiller wrote about one application to the operations that its
/// procedural memory is replaced by (MUSE, arXiv:2510.08002, section 3.4). A
/// distiller without a language model writes the documents of BREW's
/// integrator: numbered sentences under "How to perform", why for each, and
/// when one is done. PURE.

#include "kb/muse/memory.hpp"

#include <string>
#include <string_view>

namespace brewery::muse {

/// A procedure for each numbered sentence, with its evidence as a note, and one
/// for the sentences that say when one is done. Sentences are opaque, but for
/// the first text in quotes, which names the procedure.
std::vector<memory_operation> procedures_in(std::string_view application,
                                            std::string_view body);

/// "toggle_fan(x=1)" -> "toggle_fan".
inline std::string tool_of(std::string_view call) {
  return std::string{call.substr(0, call.find('('))};
}

/// A procedure of one sentence for a line, named as those of `procedures_in`.
memory_operation procedure_for(std::string_view application,
                               std::string_view line, std::string sentence,
                               std::string note);

} // namespace brewery::muse
