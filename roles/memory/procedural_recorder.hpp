#pragma once
/// Records train attempts for a comparator without a language model:
///
///   told    the instruction
///   tags    the tools that were called
///   seen    what looks showed first, and
///   ended   last
///   change  a call alone that made states of a look go, with the sentence that
///           does the same: of a solved attempt those that lasted, as
///           in-context is read (procedural/recorded_case.hpp); of another all.
///           A-Mem's have all lines that went, Cognee's one each
///
/// Which of them are lessons is decided over all attempts
/// (kb/comparators/lesson_rule). Notes evolve by the rule of
/// kb/comparators/note_memory.

#include "roles/roles.hpp"

namespace brewery {

class procedural_recorder final : public memory_worker {
public:
  std::string fingerprint() const override { return "recorder=procedural/1"; }
  result<memory_result> perform(const memory_job& job,
                                const std::vector<std::string>& documents,
                                job_context& context) const override;
};

} // namespace brewery
