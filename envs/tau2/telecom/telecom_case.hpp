#pragma once
/// One generated support case as a value, and its text: ticket, initial state
/// and grading in the file format of tau2-bench's telecom tasks.

#include "envs/tau2/telecom/fault_catalogue.hpp"
#include "envs/tau2/telecom/telecom_generator.hpp"

namespace brewery::tau2 {

struct telecom_case {
  std::uint8_t complaint = 0; ///< one bit of `complaint`
  bool abroad = false;
  std::vector<const telecom_fault*> faults; ///< in catalogue order
  telecom_line line;
  std::uint64_t facts_seed = 0; ///< draws country and usage
};

generated_task make_task(const telecom_case& item, std::string_view split);

} // namespace brewery::tau2
