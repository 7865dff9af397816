#pragma once
/// The mutable state of one telecom environment, and the sync between its two
/// sides. A copy of a state is a snapshot: records are shared until one side
/// writes.

#include "envs/tau2/functions.hpp"
#include "envs/tau2/telecom/telecom_db.hpp"
#include "envs/tau2/telecom/telecom_phone.hpp"

namespace brewery::tau2 {

struct telecom_state {
  telecom_db accounts;
  cow<telecom_user_db> user;
  /// Performance of the VPN server that connect_vpn uses. In the reference, all
  /// environments of a process share it, so a broken VPN leaks into later
  /// tasks. Here each environment has its own.
  performance vpn_server = performance::excellent;
  /// Whether connect_vpn made the current connection. Breaking it then also
  /// breaks the server for later connections.
  bool vpn_is_default = false;
};

using telecom_function = function_info<telecom_state>;
using telecom_functions = function_table<telecom_state>;

/// "assistant": the operator's 13 tools.
const telecom_functions& agent_functions();

/// "user": the phone's 30 tools.
const telecom_functions& user_functions();

/// The kit of "assistant" or "user"; nullptr for any other name.
const telecom_functions* functions_of(std::string_view requestor);

/// Carries account facts to the phone (line active, roaming allowed, data used
/// up, payment requests) and payments back. No effect until the user's phone
/// number is known. Error if the number belongs to no line.
result<void> sync_tools(telecom_state& state);

/// SHA-256 of the operator's records or of the user's side, as in the
/// reference: json.dumps with sorted keys.
std::string agent_hash(const telecom_state& state);
std::string user_hash(const telecom_state& state);

} // namespace brewery::tau2
