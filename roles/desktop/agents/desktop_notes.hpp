#pragma once
/// The knowledge that an agent on a desktop is given: the documents found for
/// its task, within a budget. Models of seven billion parameters have room for
/// little text beside their screenshots.

#include "roles/roles.hpp"

namespace brewery::desktop {

/// The documents' texts, the most relevant first, of at most `tokens` together
/// (at four bytes a token). One that does not fit whole ends at the end of a
/// line, and those after it are left out. Pure.
std::vector<std::string> within_tokens(const std::vector<std::string>& texts,
                                       std::uint32_t tokens);

/// Asks once, with the task's instruction.
result<std::vector<std::string>> find_notes(const task_info& task,
                                            retrieval_session& retrieval,
                                            std::uint32_t tokens);

} // namespace brewery::desktop
