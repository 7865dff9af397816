#pragma once
/// The fault of an id, for tests.

#include "envs/tau2/telecom/fault_catalogue.hpp"

#include <string_view>

namespace brewery::tau2 {

inline const telecom_fault* find_fault(std::string_view id) {
  for (const auto& row : fault_catalogue())
    if (row.id == id) return &row;
  return nullptr;
}

} // namespace brewery::tau2
