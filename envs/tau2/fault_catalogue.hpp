#pragma once
/// The faults the telecom generator composes: what causes each one, what cures
/// it and which complaints it explains. A table; the code that combines its
/// rows is telecom_generator.cpp. Only the generator and its tests know it:
/// no agent, reflector or search ever sees it.
///
/// Argument texts are JSON objects; a string that starts with '$' is replaced
/// by that fact of the case (see `case_facts` in telecom_generator.cpp).

#include <cstdint>
#include <string_view>
#include <vector>

namespace brewery::tau2 {

/// What the customer complains about, as bits of a mask.
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
  std::string_view group;  ///< a case has at most one fault of a group
  std::uint8_t complaints; ///< any of which it explains on its own
  bool abroad_only = false;
  /// Nobody at the desk can cure it: the remedy is to hand the case over, and
  /// other faults of the case need no cure.
  bool hand_over = false;
  bool reboot = false; ///< the remedy takes effect at a restart of the phone
  std::vector<fault_call> cause{};
  std::vector<fault_call> remedy{};
  std::vector<fault_call> proof{}; ///< assertions beyond the complaint's own
};

/// In the order in which gold remedies are carried out: account first.
const std::vector<telecom_fault>& fault_catalogue();

/// Null when there is no fault of that id.
const telecom_fault* find_fault(std::string_view id);

} // namespace brewery::tau2
