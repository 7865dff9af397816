#pragma once
/// The readers that make up `parse_tasks`, one for each part of a task file.

#include "envs/tau2/task.hpp"
#include "envs/tau2/task_fields.hpp"

#include <unordered_map>

namespace brewery::tau2 {

/// A set-up function or the part of an assertion that is one.
result<void> read_call(const json& value, const task_place& where,
                       function_call& out);

result<void> read_criteria(const json& value, const task_place& where,
                           task_criteria& out);

/// The user's scenario as the reference writes it out, and the part of it that
/// says what the task is about.
result<void> read_scenario(const json& value, const task_place& where,
                           task& out);

using task_index = std::unordered_map<std::string, std::size_t>;

/// By split: indices in file order of the tasks, whatever order the split names
/// them in.
result<std::map<std::string, std::vector<std::size_t>>>
read_splits(const text_file& file, const task_index& index);

} // namespace brewery::tau2
