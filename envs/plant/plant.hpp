#pragma once
/// A simulated plant, to measure what a search is worth. Many kinds of machines
/// in families that share words, few and wrongly graded train tasks, tickets
/// that name no machine, remedies that harm a neighbour. No files, no clock;
/// everything is a function of the options (docs/scarce.md).
///
/// A task is a ticket about one to three machines; only their tools are
/// offered. Its grade is the share of these machines that are in order at the
/// end. A share `grade_noise` of the checks of train rollouts is reported
/// wrong, by a hash of the task and the calls made, so an equal attempt has an
/// equal grade. Eval and test are graded without noise.

#include "envs/environment.hpp"
#include "envs/plant/options.hpp"

namespace brewery::plant {

std::shared_ptr<const benchmark> make_plant(const plant_settings& options);

/// Names of tools that solve the task, a shortest sequence. Error ec::not_found
/// if these options have no such task.
result<std::vector<std::string>> gold(const plant_settings& options,
                                      const task_id& task);

} // namespace brewery::plant
