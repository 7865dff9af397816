#pragma once
/// The judge without a language model. It rates four general habits of an agent
/// that can be counted in a trajectory. The ratings say how an agent worked,
/// not whether it succeeded.

#include "roles/roles.hpp"

namespace brewery {

class procedural_judge final : public judge {
public:
  result<std::vector<rubric_rating>> rate(const graded_attempt& attempt,
                                          job_context& context) const override;
};

} // namespace brewery
