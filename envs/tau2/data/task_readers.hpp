#pragma once
/// The readers for the parts of a task file, used by `parse_tasks`.

#include "envs/tau2/data/task.hpp"
#include "envs/tau2/data/task_fields.hpp"

#include <unordered_map>

namespace brewery::tau2 {

/// A set-up function, or the function of an assertion.
result<void> read_call(const json& value, const task_place& where,
                       function_call& out);

result<void> read_criteria(const json& value, const task_place& where,
                           task_criteria& out);

/// The user's scenario as the reference writes it, and the part of it about the
/// task's subject.
result<void> read_scenario(const json& value, const task_place& where,
                           task& out);

using task_index = std::unordered_map<std::string, std::size_t>;

/// By split: indices of tasks in file order, independent of the order in the
/// split.
result<std::map<std::string, std::vector<std::size_t>>>
read_splits(const text_file& file, const task_index& index);

} // namespace brewery::tau2
