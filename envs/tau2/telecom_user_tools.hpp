#pragma once
/// The phone in the user's hand: 15 checks and 15 actions, and the functions
/// only task files may name. Descriptions are our own words; the reference's
/// prompts differ.

#include "envs/tau2/telecom_state.hpp"

namespace brewery::tau2 {

std::vector<telecom_function> user_checks();
std::vector<telecom_function> user_actions();
std::vector<telecom_function> user_task_functions();

/// Actions that set-up functions share with the tools.
result<void> toggle_airplane_mode(telecom_user_db& user);
void disconnect_vpn(phone_device& phone);
/// False when a VPN is connected already.
bool connect_vpn(telecom_state& state);
/// Sets the preference and searches; false when the text names no mode. A
/// value that is no string is stored unchecked, as the reference does.
result<bool> prefer_network_mode(telecom_user_db& user, const json& mode);

app_status* find_app(phone_device& phone, std::string_view name);
const app_status* find_app(const phone_device& phone, std::string_view name);
/// The permission's switch, or nullptr when there is no such permission.
bool* permission_switch(app_permissions& permissions, std::string_view name);

/// As the phone's answers name a switch.
constexpr std::string_view on_off(bool on) {
  return on ? "ON" : "OFF";
}

/// Reads APN settings from an object the way the reference's model validates
/// them; `ec::invalid_argument` when it would refuse.
result<apn_settings> parse_apn_settings(const json& given);

} // namespace brewery::tau2
