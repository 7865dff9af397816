#pragma once
/// The phone: 15 checks and 15 actions, and the functions that only task files
/// may name. The descriptions are our own; the reference's prompts differ.

#include "envs/tau2/telecom/telecom_state.hpp"

namespace brewery::tau2 {

std::vector<telecom_function> user_checks();
std::vector<telecom_function> user_actions();
std::vector<telecom_function> user_task_functions();

/// Actions that set-up functions share with the tools.
result<void> toggle_airplane_mode(telecom_user_db& user);
void disconnect_vpn(phone_device& phone);
/// False if a VPN is already connected.
bool connect_vpn(telecom_state& state);
/// Sets the preference and searches. False if the text names no mode. A value
/// that is not a string is stored unchecked, as in the reference.
result<bool> prefer_network_mode(telecom_user_db& user, const json& mode);

app_status* find_app(phone_device& phone, std::string_view name);
const app_status* find_app(const phone_device& phone, std::string_view name);
/// The permission's switch; null if there is no such permission.
bool* permission_switch(app_permissions& permissions, std::string_view name);

/// The text for a switch in the phone's answers.
constexpr std::string_view on_off(bool on) {
  return on ? "ON" : "OFF";
}

/// Reads APN settings from an object with the checks of the reference's model.
/// Error `ec::invalid_argument` if the model refuses it.
result<apn_settings> parse_apn_settings(const json& given);

} // namespace brewery::tau2
