#include "base/text.hpp"
#include "envs/tau2/telecom/telecom_user_tools.hpp"

#include <fmt/format.h>

namespace brewery::tau2 {

namespace {

using outcome = result<tool_value>;

std::string_view yes_no(bool yes) {
  return yes ? "Yes" : "No";
}

const phone_device& phone_of(const telecom_state& s) {
  return s.user->device;
}

outcome check_status_bar(telecom_state& s, const call_arguments&) {
  return tool_value{"Status Bar: " + status_bar(phone_of(s))};
}

outcome check_network_status(telecom_state& s, const call_arguments&) {
  const phone_device& phone = phone_of(s);
  std::string text = fmt::format(
      "Airplane Mode: {}\nSIM Card Status: {}\nCellular Connection: {}\n"
      "Cellular Signal: {}\nCellular Network Type: {}\n"
      "Mobile Data Enabled: {}\nData Roaming Enabled: {}\nWi-Fi Radio: {}\n"
      "Wi-Fi Connected: {}",
      on_off(phone.airplane_mode), text_of(sim_state(phone)),
      text_of(phone.network_connection_status),
      text_of(phone.network_signal_strength),
      text_of(phone.network_technology_connected), yes_no(phone.data_enabled),
      yes_no(phone.roaming_enabled), on_off(phone.wifi_enabled),
      yes_no(phone.wifi_connected));
  if (phone.wifi_connected)
    text += "\nConnected Wi-Fi Network: " + phone.wifi_ssid.value_or("None");
  return tool_value{std::move(text)};
}

outcome check_network_mode_preference(telecom_state& s, const call_arguments&) {
  const auto& preference = phone_of(s).network_mode_preference;
  if (preference.foreign) return no_attribute(*preference.foreign, "value");
  return tool_value{
      fmt::format("Network Mode Preference: {}", text_of(preference.value))};
}

outcome run_speed_test(telecom_state& s, const call_arguments&) {
  const speed_reading speed = measure_speed(*s.user);
  if (!speed.mbps)
    return tool_value{fmt::format("Speed test failed: {}.", speed.description)};
  std::string_view advice = "Connection is very fast.";
  if (speed.description == "Very Poor")
    advice = "Connection is very slow. Basic web browsing might be difficult.";
  else if (speed.description == "Poor")
    advice = "Connection is slow. Web browsing may be sluggish, streaming "
             "difficult.";
  else if (speed.description == "Fair")
    advice = "Connection is okay for web browsing and some standard definition "
             "streaming.";
  else if (speed.description == "Good")
    advice = "Connection is good for most activities, including HD streaming.";
  return tool_value{fmt::format("Speed Test Result: {} Mbps ({}). {}",
                                py_fixed2(*speed.mbps), speed.description,
                                advice)};
}

outcome check_sim_status(telecom_state& s, const call_arguments&) {
  switch (sim_state(phone_of(s))) {
  case sim_status::missing:
    return tool_value{"No SIM card detected in the phone."};
  case sim_status::locked_pin:
    return tool_value{"The SIM card is locked with a PIN code."};
  case sim_status::locked_puk:
    return tool_value{"The SIM card is locked with a PUK code."};
  case sim_status::active:
    break;
  }
  return tool_value{"Your SIM card is active and working."};
}

outcome check_data_restriction_status(telecom_state& s, const call_arguments&) {
  return tool_value{phone_of(s).data_saver_mode
                        ? "Data Saver mode is ON (limits data usage)."
                        : "Data Saver mode is OFF."};
}

outcome check_apn_settings(telecom_state& s, const call_arguments&) {
  const auto& apn = phone_of(s).active_apn_settings;
  if (apn.foreign) return no_attribute(*apn.foreign, "model_copy");
  const std::string url = apn.value.mmsc_url.value_or("");
  return tool_value{fmt::format(
      "Current APN Name: {}\nMMSC URL (for picture messages): {}\n"
      "(These are technical settings, usually best left unchanged.)",
      text_of(apn.value.apn_name), url.empty() ? "Not Set" : url)};
}

outcome check_wifi_status(telecom_state& s, const call_arguments&) {
  const phone_device& phone = phone_of(s);
  if (!phone.wifi_enabled) return tool_value{"Wi-Fi is turned OFF."};
  if (!phone.wifi_connected)
    return tool_value{"Wi-Fi is ON but not connected to any network."};
  return tool_value{fmt::format(
      "Wi-Fi is ON and connected to '{}'. Signal strength: {}.",
      phone.wifi_ssid.value_or("None"), text_of(phone.wifi_signal_strength))};
}

outcome check_wifi_calling_status(telecom_state& s, const call_arguments&) {
  return tool_value{fmt::format("Wi-Fi Calling is currently turned {}.",
                                on_off(phone_of(s).wifi_calling_enabled))};
}

std::string repr_or_none(const std::optional<std::string>& text) {
  return text ? py_quote(*text) : "None";
}

/// The enumerator as Python's repr shows it.
std::string performance_repr(performance level) {
  constexpr enum_values<5> names{"UNKNOWN", "POOR", "FAIR", "GOOD",
                                 "EXCELLENT"};
  return fmt::format("<PerformanceLevel.{}: '{}'>",
                     names[static_cast<std::size_t>(level)], text_of(level));
}

outcome check_vpn_status(telecom_state& s, const call_arguments&) {
  const phone_device& phone = phone_of(s);
  if (phone.vpn_connected) {
    if (!phone.vpn_details)
      return tool_value{
          "VPN is ON and connected (no specific details available)."};
    const vpn_details& vpn = *phone.vpn_details;
    return tool_value{fmt::format(
        "VPN is ON and connected. Details: {{'server_address': {}, 'protocol': "
        "{}, 'server_performance': {}}}",
        repr_or_none(vpn.server_address), repr_or_none(vpn.protocol),
        performance_repr(vpn.server_performance))};
  }
  if (phone.vpn_enabled_setting)
    return tool_value{"VPN is turned ON in settings, but currently not "
                      "connected."};
  return tool_value{"VPN is turned OFF."};
}

outcome check_installed_apps(telecom_state& s, const call_arguments&) {
  std::vector<std::string> names;
  for (const auto& [name, app] : phone_of(s).app_statuses)
    names.push_back(name);
  return tool_value{"The following apps are installed on the phone: "
                    + join(names, ", ")};
}

std::vector<std::string> granted(const app_permissions& permissions) {
  std::vector<std::string> names;
  app_permissions::each(permissions, [&](const auto&... switches) {
    ((switches.value ? names.push_back(switches.name) : void()), ...);
  });
  return names;
}

/// An app by its name. Objects and arrays cannot be names in Python.
result<const app_status*> app_named(const telecom_state& s, const json& name) {
  if (name.is_structured())
    return error{ec::invalid_argument,
                 fmt::format("unhashable type: '{}'", py_type_name(name))};
  if (!name.is_string()) return static_cast<const app_status*>(nullptr);
  return find_app(phone_of(s), name.get_ref<const std::string&>());
}

outcome no_such_app(const json& name) {
  return tool_value{
      fmt::format("App '{}' not found on this phone.", py_str(name))};
}

outcome check_app_status(telecom_state& s, const call_arguments& args) {
  const auto app = app_named(s, args[0]);
  if (!app) return app.error();
  if (*app == nullptr) return no_such_app(args[0]);
  std::string text = "Status for App: " + py_str(args[0]);
  const auto names = granted((*app)->permissions);
  text += names.empty() ? "\n - Permissions: None granted."
                        : "\n - Permissions Granted:";
  for (const auto& name : names)
    text += "\n   - " + name;
  return tool_value{std::move(text)};
}

outcome check_app_permissions(telecom_state& s, const call_arguments& args) {
  const auto app = app_named(s, args[0]);
  if (!app) return app.error();
  if (*app == nullptr) return no_such_app(args[0]);
  const auto names = granted((*app)->permissions);
  if (names.empty())
    return tool_value{fmt::format(
        "App '{}' currently has no permissions granted.", py_str(args[0]))};
  return tool_value{fmt::format("App '{}' has permission for: {}.",
                                py_str(args[0]), join(names, ", "))};
}

outcome check_can_send_mms(telecom_state& s, const call_arguments&) {
  const auto able = can_send_mms(*s.user);
  if (!able) return able.error();
  return tool_value{*able ? "Your messaging app can send MMS messages."
                          : "Your messaging app cannot send MMS messages."};
}

outcome check_payment_request(telecom_state& s, const call_arguments&) {
  const auto& asked = s.user->surroundings.payment_request;
  if (!asked) return tool_value{"No payment request has been made."};
  return tool_value{
      fmt::format("You have a payment request for bill {} of {} USD.",
                  asked->bill_id, py_float(asked->amount_due))};
}

telecom_function check(const char* name, const char* description,
                       outcome (*run)(telecom_state&, const call_arguments&),
                       std::vector<tool_parameter> parameters = {}) {
  return {{"user", name, tool_kind::read, description, std::move(parameters)},
          function_kind::tool,
          run};
}

} // namespace

const app_status* find_app(const phone_device& phone, std::string_view name) {
  for (const auto& [installed, app] : phone.app_statuses)
    if (installed == name) return &app;
  return nullptr;
}

std::vector<telecom_function> user_checks() {
  const tool_parameter app{
      "app_name", "string", "Name of an installed app.", {}};
  return {
      check("check_status_bar",
            "Read the icons at the top of the screen: signal, network, data, "
            "Wi-Fi, VPN, battery.",
            check_status_bar),
      check(
          "check_network_status",
          "Show airplane mode, SIM, cellular and Wi-Fi connection, mobile data "
          "and data roaming.",
          check_network_status),
      check("check_network_mode_preference",
            "Show which kind of cellular network the phone prefers.",
            check_network_mode_preference),
      check("run_speed_test",
            "Measure the speed of the mobile data connection.", run_speed_test),
      check("check_sim_status",
            "Tell whether the SIM card works, is missing or is locked.",
            check_sim_status),
      check("check_data_restriction_status", "Tell whether Data Saver is on.",
            check_data_restriction_status),
      check("check_apn_settings",
            "Show the access point name and the address for picture messages.",
            check_apn_settings),
      check("check_wifi_status", "Tell whether Wi-Fi is on and connected.",
            check_wifi_status),
      check("check_wifi_calling_status", "Tell whether Wi-Fi Calling is on.",
            check_wifi_calling_status),
      check("check_vpn_status", "Show the VPN connection, if there is one.",
            check_vpn_status),
      check("check_installed_apps", "List the apps on the phone.",
            check_installed_apps),
      check("check_app_status", "Show what is known of one app.",
            check_app_status, {app}),
      check("check_app_permissions", "Show what one app is allowed to use.",
            check_app_permissions, {app}),
      check("can_send_mms", "Try whether picture messages can be sent.",
            check_can_send_mms),
      check("check_payment_request",
            "Tell whether the operator asks for a payment.",
            check_payment_request),
  };
}

} // namespace brewery::tau2
