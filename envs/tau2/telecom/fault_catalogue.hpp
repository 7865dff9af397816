#pragma once
/// The faults that the telecom generator combines: causes, remedies, and the
/// complaints that each explains. A table; telecom_generator.cpp combines its
/// rows. Only the generator and its tests use it: no agent, reflector or search
/// ever sees it.
///
/// Argument texts are JSON objects. A string that starts with '$' is replaced
/// by that fact of the case (see `case_facts` in telecom_case.cpp).

#include <cstdint>
#include <string_view>
#include <vector>

namespace brewery::tau2 {

/// The customer's complaint, as bits of a mask.
enum complaint : std::uint8_t {
  no_service = 1,  ///< no signal, no calls
  mobile_data = 2, ///< no or slow internet away from Wi-Fi
  picture_mms = 4, ///< picture messages do not leave the phone
};

/// A call on one side: `who` is "user" (the phone) or "assistant" (the account
/// system).
struct fault_call {
  std::string_view who;
  std::string_view function;
  std::string_view arguments = "{}";
};

struct telecom_fault {
  std::string_view id;
  std::string_view group;  ///< a case has at most one fault per group
  std::uint8_t complaints; ///< each of which it explains on its own
  bool abroad_only = false;
  /// The agent cannot cure it: the remedy is to transfer the customer, and the
  /// other faults of the case need no cure.
  bool hand_over = false;
  bool reboot = false; ///< the remedy takes effect after a restart of the phone
  std::vector<fault_call> cause{};
  std::vector<fault_call> remedy{};
  /// Assertions besides those of the complaint.
  std::vector<fault_call> proof{};
};

/// In the order in which gold remedies are applied: account first.
const std::vector<telecom_fault>& fault_catalogue();

} // namespace brewery::tau2
