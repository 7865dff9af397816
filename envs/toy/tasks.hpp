#pragma once
/// The tasks of the toy benchmark: the initial states of the device, and their
/// distribution to the splits.

#include "envs/toy/device.hpp"
#include "envs/toy/toy.hpp"

namespace brewery {

struct toy_task {
  std::string split;
  std::string id; ///< "train-003"; says nothing about the faults
  toy_device start;
};

/// Tasks in order train, eval, test. Fault counts rotate within a split, so
/// each has tasks with one fault and with many.
std::vector<toy_task> toy_tasks(const toy_options& options);

} // namespace brewery
