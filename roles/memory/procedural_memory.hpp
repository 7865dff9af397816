#pragma once
/// The memory role of Agent KB without a language model. It does each step with
/// what tools showed and what rules say, and knows no domain:
///
///   abstract  the rules of the lessons whose conditions the attempt saw become
///             an experience: problem = clauses of the instruction and the
///             lines that made a rule apply; steps = the rules in the order in
///             which they applied; failures = such lines that stayed to the end
///   reason    clauses of the instruction and every line that the survey saw
///   refine    the steps of the experiences as one document; of rules with one
///             condition and different calls, the one with most support
///   review    lines that were seen first and last alike, one issue each,
///             rules whose call left the line that it was to change, and checks
///             that the grade says were missed, if the attempt has one
///   advise    the guidance, and what the experiences add to it
///   merge     procedural_arbiter.hpp
///
/// It reads no other grade, and only the learner with an oracle hands one to a
/// review. Lessons come from grades of train attempts.

#include "roles/roles.hpp"

namespace brewery {

class procedural_memory final : public memory_worker {
public:
  std::string fingerprint() const override { return "memory=procedural/1"; }
  result<memory_result> perform(const memory_job& job,
                                const std::vector<std::string>& documents,
                                job_context& context) const override;
};

} // namespace brewery
