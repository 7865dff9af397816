#include "envs/tau2/telecom/telecom_user_tools.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::tau2 {

namespace {

using outcome = result<tool_value>;

/// The report of an action: its own line, then the status bar.
outcome with_bar(std::string_view text, const telecom_state& s) {
  return tool_value{
      fmt::format("{}\nStatus Bar: {}", text, status_bar(s.user->device))};
}

outcome set_network_mode(telecom_state& s, const call_arguments& args) {
  const auto known = prefer_network_mode(s.user.edit(), args[0]);
  if (!known) return known.error();
  if (!*known) {
    const auto& modes = enum_text<network_mode>::values;
    return with_bar(
        fmt::format("Failed to set network mode: '{}' is not a valid option. "
                    "Please use one of: {}",
                    py_str(args[0]), fmt::join(modes, ", ")),
        s);
  }
  const auto& preference = s.user->device.network_mode_preference;
  if (preference.foreign) return no_attribute(*preference.foreign, "value");
  return with_bar(fmt::format("Preferred Network Mode set to: {}",
                              text_of(preference.value)),
                  s);
}

outcome airplane_mode(telecom_state& s, const call_arguments&) {
  const auto toggled = toggle_airplane_mode(s.user.edit());
  if (!toggled) return toggled.error();
  return with_bar(fmt::format("Airplane Mode is now {}.",
                              on_off(s.user->device.airplane_mode)),
                  s);
}

outcome reseat_sim_card(telecom_state& s, const call_arguments&) {
  telecom_user_db& user = s.user.edit();
  user.device.sim_card_missing = false;
  if (const auto ok = search_network(user); !ok) return ok.error();
  // An absent card cannot be put back: the reference fails with a bare
  // assertion error.
  if (sim_state(user.device) == sim_status::missing)
    return error{ec::invalid_argument, ""};
  return with_bar("SIM card re-seated successfully.", s);
}

/// Flips a switch, searches the network if that may change it, and reports.
outcome flip(telecom_state& s, bool phone_device::*which, bool searches,
             std::string_view what) {
  telecom_user_db& user = s.user.edit();
  user.device.*which = !(user.device.*which);
  if (searches)
    if (const auto ok = search_network(user); !ok) return ok.error();
  return with_bar(
      fmt::format("{} is now {}.", what, on_off(user.device.*which)), s);
}

outcome toggle_data(telecom_state& s, const call_arguments&) {
  return flip(s, &phone_device::data_enabled, true, "Mobile Data");
}

outcome toggle_roaming(telecom_state& s, const call_arguments&) {
  return flip(s, &phone_device::roaming_enabled, true, "Data Roaming");
}

outcome toggle_data_saver(telecom_state& s, const call_arguments&) {
  return flip(s, &phone_device::data_saver_mode, false, "Data Saver Mode");
}

outcome toggle_wifi_calling(telecom_state& s, const call_arguments&) {
  return flip(s, &phone_device::wifi_calling_enabled, false, "Wi-Fi Calling");
}

outcome set_apn(telecom_state& s, const call_arguments& args) {
  auto& active = s.user.edit().device.active_apn_settings;
  if (!args[0].is_object()) {
    // Stored before the report reads its name, which then fails.
    active.foreign = args[0];
    return no_attribute(args[0], "apn_name");
  }
  auto settings = parse_apn_settings(args[0]);
  if (!settings) return settings.error();
  active = {std::move(*settings), std::nullopt};
  if (const auto ok = search_network(s.user.edit()); !ok) return ok.error();
  return with_bar(
      fmt::format("APN settings set to: {}",
                  text_of(s.user->device.active_apn_settings.value.apn_name)),
      s);
}

outcome reset_apn(telecom_state& s, const call_arguments&) {
  telecom_user_db& user = s.user.edit();
  auto& active = user.device.active_apn_settings;
  if (active.foreign) return no_attribute(*active.foreign, "reset_at_reboot");
  active.value.reset_at_reboot = true;
  if (const auto ok = search_network(user); !ok) return ok.error();
  return with_bar("APN settings will reset at reboot.", s);
}

outcome toggle_wifi(telecom_state& s, const call_arguments&) {
  if (s.user->device.airplane_mode)
    return with_bar("Cannot change Wi-Fi settings while Airplane Mode is ON.",
                    s);
  phone_device& phone = s.user.edit().device;
  phone.wifi_enabled = !phone.wifi_enabled;
  if (!phone.wifi_enabled) {
    phone.wifi_connected = false;
    phone.wifi_ssid.reset();
    phone.wifi_signal_strength = signal::none;
  }
  return with_bar(fmt::format("Wi-Fi is now {}.", on_off(phone.wifi_enabled)),
                  s);
}

outcome vpn_on(telecom_state& s, const call_arguments&) {
  if (!connect_vpn(s)) return tool_value{"VPN already connected."};
  return with_bar("VPN connected successfully.", s);
}

outcome vpn_off(telecom_state& s, const call_arguments&) {
  if (!s.user->device.vpn_connected)
    return with_bar("No active VPN connection to disconnect.", s);
  disconnect_vpn(s.user.edit().device);
  return with_bar("VPN disconnected successfully.", s);
}

outcome grant_app_permission(telecom_state& s, const call_arguments& args) {
  if (args[0].is_structured())
    return error{ec::invalid_argument,
                 fmt::format("unhashable type: '{}'", py_type_name(args[0]))};
  if (!args[1].is_string()) return no_attribute(args[1], "lower");
  const std::string permission = lower(args[1].get_ref<const std::string&>());
  const std::string name = py_str(args[0]);
  app_status* app =
      args[0].is_string() ? find_app(s.user.edit().device, name) : nullptr;
  if (app == nullptr)
    return with_bar(
        fmt::format("Error. App '{}' not found. Cannot grant permission.",
                    name),
        s);
  bool* granted = permission_switch(app->permissions, permission);
  if (granted == nullptr)
    return with_bar(
        fmt::format(
            "Error. Permission '{}' not tracked for app '{}', available "
            "permissions: ['sms', 'storage', 'phone', 'network']",
            permission, name),
        s);
  *granted = true;
  return with_bar(fmt::format("Success. Permission '{}' granted to app '{}'.",
                              permission, name),
                  s);
}

outcome reboot_device(telecom_state& s, const call_arguments&) {
  telecom_user_db& user = s.user.edit();
  auto& apn = user.device.active_apn_settings;
  if (apn.foreign) return no_attribute(*apn.foreign, "reset_at_reboot");
  const bool reset = apn.value.reset_at_reboot;
  if (reset) apn.value = apn_settings{};
  user.device.network_connection_status = network_status::searching;
  if (const auto ok = search_network(user); !ok) return ok.error();
  return with_bar(reset ? "Resetting APN settings...\n"
                          "Restarting network services..."
                        : "Restarting network services...",
                  s);
}

outcome make_payment(telecom_state& s, const call_arguments&) {
  if (!s.user->surroundings.payment_request)
    return tool_value{"You do not have a payment request."};
  payment_request& asked = *s.user.edit().surroundings.payment_request;
  asked.paid = true;
  return tool_value{fmt::format("Payment of {} USD has been made for bill {}.",
                                py_float(asked.amount_due), asked.bill_id)};
}

telecom_function action(const char* name, const char* description,
                        outcome (*run)(telecom_state&, const call_arguments&),
                        std::vector<tool_parameter> parameters = {}) {
  return {{"user", name, tool_kind::write, description, std::move(parameters)},
          function_kind::tool,
          run};
}

std::vector<std::string> mode_names() {
  const auto& values = enum_text<network_mode>::values;
  return {values.begin(), values.end()};
}

} // namespace

result<void> toggle_airplane_mode(telecom_user_db& user) {
  phone_device& phone = user.device;
  const bool was_on = phone.airplane_mode;
  phone.airplane_mode = !was_on;
  if (was_on) phone.network_connection_status = network_status::searching;
  if (!was_on || phone.wifi_enabled) {
    phone.wifi_connected = false;
    phone.wifi_ssid.reset();
    phone.wifi_signal_strength = signal::none;
  }
  if (!was_on) disconnect_vpn(phone);
  return search_network(user);
}

void disconnect_vpn(phone_device& phone) {
  if (!phone.vpn_connected) return;
  phone.vpn_connected = false;
  phone.vpn_details.reset();
}

bool connect_vpn(telecom_state& state) {
  if (state.user->device.vpn_connected) return false;
  phone_device& phone = state.user.edit().device;
  phone.vpn_connected = true;
  phone.vpn_details = vpn_details{"192.168.1.1", "OpenVPN", state.vpn_server};
  state.vpn_is_default = true;
  return true;
}

result<bool> prefer_network_mode(telecom_user_db& user, const json& mode) {
  auto& preference = user.device.network_mode_preference;
  if (mode.is_string()) {
    const auto known =
        parse_enum<network_mode>(mode.get_ref<const std::string&>());
    if (!known) return false;
    preference = {*known, std::nullopt};
  } else {
    preference.foreign = mode;
  }
  if (const auto ok = search_network(user); !ok) return ok.error();
  // The reference treats a missing mode as "not a valid option".
  return !mode.is_null();
}

app_status* find_app(phone_device& phone, std::string_view name) {
  for (auto& [installed, app] : phone.app_statuses)
    if (installed == name) return &app;
  return nullptr;
}

bool* permission_switch(app_permissions& permissions, std::string_view name) {
  return app_permissions::each(permissions, [&](auto... switches) -> bool* {
    bool* found = nullptr;
    ((switches.name == name ? void(found = &switches.value) : void()), ...);
    return found;
  });
}

std::vector<telecom_function> user_actions() {
  const tool_parameter app{
      "app_name", "string", "Name of an installed app.", {}};
  return {
      action("set_network_mode_preference",
             "Choose which kind of cellular network the phone prefers.",
             set_network_mode,
             {{"mode", "string", "Preferred networks.", mode_names()}}),
      action("toggle_airplane_mode",
             "Switch airplane mode on or off; on cuts all connections and the "
             "VPN.",
             airplane_mode),
      action("reseat_sim_card", "Take the SIM card out and put it back.",
             reseat_sim_card),
      action("toggle_data", "Switch mobile data on or off.", toggle_data),
      action("toggle_roaming", "Switch data roaming on or off.",
             toggle_roaming),
      action("toggle_data_saver_mode",
             "Switch Data Saver on or off; on slows data down.",
             toggle_data_saver),
      action("set_apn_settings", "Replace the access point settings.", set_apn,
             {{"apn_settings",
               "object",
               "apn_name, mms_apn, mmsc_url, mms_proxy, mms_port.",
               {}}}),
      action("reset_apn_settings",
             "Mark the access point settings to be reset at the next restart.",
             reset_apn),
      action("toggle_wifi", "Switch the Wi-Fi radio on or off.", toggle_wifi),
      action("toggle_wifi_calling", "Switch Wi-Fi Calling on or off.",
             toggle_wifi_calling),
      action("connect_vpn", "Connect to the VPN.", vpn_on),
      action("disconnect_vpn", "Close the VPN connection.", vpn_off),
      action("grant_app_permission", "Allow an app to use something.",
             grant_app_permission,
             {app,
              {"permission",
               "string",
               "In lower case, one of: sms, storage, phone, network.",
               {}}}),
      action("reboot_device", "Restart the phone.", reboot_device),
      action("make_payment", "Pay the bill the operator asks to be paid.",
             make_payment),
  };
}

const telecom_functions& user_functions() {
  static const telecom_functions table{
      "TelecomUserTools", [] {
        auto all = user_checks();
        for (auto part : {user_actions, user_task_functions}) {
          auto more = part();
          std::move(more.begin(), more.end(), std::back_inserter(all));
        }
        return all;
      }()};
  return table;
}

} // namespace brewery::tau2
