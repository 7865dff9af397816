#pragma once
/// Parses what a model replies to the prompts of MUSE, strictly. Errors are
/// ec::malformed and can be sent back to the model. Pure; safe on any bytes.

#include "base/result.hpp"
#include "learners/muse/sub_tasks.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brewery::muse {

/// At most so many sub-tasks of a plan.
inline constexpr std::size_t plan_most = 12;

std::string plan_schema();
/// In order; none: there is nothing left to do.
result<std::vector<sub_task>> read_plan(std::string_view reply);

struct model_verdict {
  bool met = false;
  std::string report; ///< one line
};

std::string verdict_schema();
/// Every check names steps below `steps` or the verifier's own looks. A verdict
/// without a check that holds is no. Error: it cannot be read, or a check cites
/// what there is not.
result<model_verdict> read_verdict(std::string_view reply, std::size_t steps);

std::string procedure_schema();
/// Empty: the model found nothing worth keeping.
result<std::optional<memory_operation>> read_procedure(std::string_view reply);

std::string lessons_schema();
/// Strategies and notes on tools, which are `tools`.
result<std::vector<memory_operation>>
read_lessons(std::string_view reply, const std::vector<std::string>& tools);

std::string procedures_schema();
/// All procedures of one application.
result<std::vector<memory_operation>>
read_procedures(std::string_view reply, const std::string& application);

} // namespace brewery::muse
