/// The phone's functions that only task files name: they break it, or check it
/// at the end. Argument types are checked, unlike in the reference.

#include "base/text.hpp"
#include "envs/tau2/telecom/telecom_user_tools.hpp"

#include <fmt/format.h>

namespace brewery::tau2 {

namespace {

using outcome = result<tool_value>;

outcome set_user_info(telecom_state& s, const call_arguments& args) {
  if (!args[0].is_string()) return wrong_type("name", "a string", args[0]);
  if (!args[1].is_string())
    return wrong_type("phone_number", "a string", args[1]);
  surroundings& around = s.user.edit().surroundings;
  around.name = args[0].get<std::string>();
  around.phone_number = args[1].get<std::string>();
  return tool_value{};
}

outcome set_user_location(telecom_state& s, const call_arguments& args) {
  if (!args[0].is_boolean())
    return wrong_type("abroad", "true or false", args[0]);
  s.user.edit().surroundings.is_abroad = args[0].get<bool>();
  return tool_value{};
}

/// Sets airplane mode. The reference toggles once, and again if that was wrong,
/// so the side effects of toggling always happen.
outcome turn_airplane_mode(telecom_state& s, bool on) {
  telecom_user_db& user = s.user.edit();
  for (int i = 0; i < 2; ++i) {
    if (const auto ok = toggle_airplane_mode(user); !ok) return ok.error();
    if (user.device.airplane_mode == on) break;
  }
  return tool_value{fmt::format("Airplane Mode is now {}.", on_off(on))};
}

/// Like turn_airplane_mode: setting the switch and searching once has the same
/// effect as toggling it once or twice.
outcome turn_switch(telecom_state& s, bool phone_device::*which, bool on,
                    bool searches, std::string text) {
  telecom_user_db& user = s.user.edit();
  user.device.*which = on;
  if (searches)
    if (const auto ok = search_network(user); !ok) return ok.error();
  return tool_value{std::move(text)};
}

outcome unseat_sim_card(telecom_state& s, const call_arguments&) {
  return turn_switch(s, &phone_device::sim_card_missing, true, true,
                     "SIM card un-seated successfully.");
}

outcome lock_sim_card(telecom_state& s, const call_arguments& args) {
  telecom_user_db& user = s.user.edit();
  if (args[0] == "pin")
    user.device.sim_card_status = sim_status::locked_pin;
  else if (args[0] == "puk")
    user.device.sim_card_status = sim_status::locked_puk;
  if (const auto ok = search_network(user); !ok) return ok.error();
  return tool_value{
      fmt::format("SIM card locked successfully in {} mode.", py_str(args[0]))};
}

outcome break_apn_settings(telecom_state& s, const call_arguments&) {
  telecom_user_db& user = s.user.edit();
  user.device.active_apn_settings.value.apn_name = apn_name::broken;
  if (const auto ok = search_network(user); !ok) return ok.error();
  return tool_value{
      "APN settings broken. Please call reset_apn_settings() to fix."};
}

outcome break_apn_mms_setting(telecom_state& s, const call_arguments&) {
  s.user.edit().device.active_apn_settings.value.mmsc_url.reset();
  return tool_value{
      "APN MMS setting broken. Please call reset_apn_settings() to fix."};
}

outcome set_wifi_calling(telecom_state& s, const call_arguments& args) {
  if (!args[0].is_boolean())
    return wrong_type("enabled", "true or false", args[0]);
  const bool with_mms = args.given(1) && !args[1].is_null();
  if (with_mms && !args[1].is_boolean())
    return wrong_type("mms_over_wifi", "true, false or null", args[1]);
  phone_device& phone = s.user.edit().device;
  phone.wifi_calling_enabled = args[0].get<bool>();
  std::string text =
      fmt::format("Wi-Fi Calling is now {}.", on_off(args[0].get<bool>()));
  if (with_mms) {
    phone.wifi_calling_mms_over_wifi = args[1].get<bool>();
    text +=
        fmt::format("\nMMS over Wi-Fi is now {}.", on_off(args[1].get<bool>()));
  }
  return tool_value{std::move(text)};
}

/// Slows the VPN down. If connect_vpn made the connection, its server stays
/// slow for later connections of this environment.
outcome break_vpn(telecom_state& s, const call_arguments&) {
  connect_vpn(s);
  phone_device& phone = s.user.edit().device;
  if (!phone.vpn_details) return no_attribute(json{}, "server_performance");
  phone.vpn_details->server_performance = performance::poor;
  if (s.vpn_is_default) s.vpn_server = performance::poor;
  return tool_value{"VPN connection broken."};
}

outcome remove_app_permission(telecom_state& s, const call_arguments& args) {
  if (!args[0].is_string()) return wrong_type("app_name", "a string", args[0]);
  if (!args[1].is_string())
    return wrong_type("permission", "a string", args[1]);
  const auto& name = args[0].get_ref<const std::string&>();
  const std::string permission = lower(args[1].get_ref<const std::string&>());
  app_status* app = find_app(s.user.edit().device, name);
  if (app == nullptr)
    return tool_value{
        fmt::format("App '{}' not found. Cannot remove permission.", name)};
  bool* granted = permission_switch(app->permissions, permission);
  if (granted == nullptr)
    return tool_value{fmt::format("Permission '{}' not tracked for app '{}'.",
                                  permission, name)};
  *granted = false;
  return tool_value{
      fmt::format("Permission '{}' removed from app '{}'.", permission, name)};
}

outcome simulate_network_search(telecom_state& s, const call_arguments&) {
  if (const auto ok = search_network(s.user.edit()); !ok) return ok.error();
  return tool_value{};
}

outcome equals(bool actual, const json& expected) {
  return tool_value{py_equal(json(actual), expected)};
}

outcome assert_service_status(telecom_state& s, const call_arguments& args) {
  const auto expected =
      args[0].is_string()
          ? parse_enum<network_status>(args[0].get_ref<const std::string&>())
          : std::nullopt;
  if (!expected)
    return error{ec::invalid_argument,
                 py_repr(args[0]) + " is not a valid NetworkStatus"};
  return tool_value{s.user->device.network_connection_status == *expected};
}

outcome assert_internet_speed(telecom_state& s, const call_arguments& args) {
  if (!args[0].is_number())
    return wrong_type("expected_speed", "a number", args[0]);
  const speed_reading speed = measure_speed(*s.user);
  const bool enough = speed.mbps.value_or(0.0) >= args[0].get<double>();
  if (!args.given(1) || args[1].is_null()) return tool_value{enough};
  if (!args[1].is_string())
    return wrong_type("expected_desc", "a string or null", args[1]);
  return tool_value{enough
                    && lower(speed.description)
                           == lower(args[1].get_ref<const std::string&>())};
}

outcome assert_internet_not_excellent(telecom_state& s, const call_arguments&) {
  return tool_value{measure_speed(*s.user).description != "Excellent"};
}

outcome assert_can_send_mms(telecom_state& s, const call_arguments& args) {
  const auto able = can_send_mms(*s.user);
  if (!able) return able.error();
  return equals(*able, args[0]);
}

using runner = outcome (*)(telecom_state&, const call_arguments&);

telecom_function set_up(const char* name, runner run,
                        std::vector<tool_parameter> parameters = {}) {
  return {{"user", name, tool_kind::write, "", std::move(parameters)},
          function_kind::set_up,
          run};
}

telecom_function assertion(const char* name, runner run) {
  return {{"user",
           name,
           tool_kind::read,
           "",
           {{"expected_status", "boolean", "", {}}}},
          function_kind::assertion,
          run};
}

telecom_function assertion(const char* name, runner run,
                           std::vector<tool_parameter> parameters) {
  return {{"user", name, tool_kind::read, "", std::move(parameters)},
          function_kind::assertion,
          run};
}

std::vector<telecom_function> switches() {
  return {
      set_up("turn_airplane_mode_on",
             [](telecom_state& s, const call_arguments&) {
               return turn_airplane_mode(s, true);
             }),
      set_up("turn_airplane_mode_off",
             [](telecom_state& s, const call_arguments&) {
               return turn_airplane_mode(s, false);
             }),
      set_up("turn_data_on",
             [](telecom_state& s, const call_arguments&) {
               return turn_switch(s, &phone_device::data_enabled, true, false,
                                  "Data connection restored.");
             }),
      set_up("turn_data_off",
             [](telecom_state& s, const call_arguments&) {
               return turn_switch(s, &phone_device::data_enabled, false, true,
                                  "Data connection broken.");
             }),
      set_up("turn_roaming_on",
             [](telecom_state& s, const call_arguments&) {
               return turn_switch(s, &phone_device::roaming_enabled, true, true,
                                  "Data Roaming is now ON.");
             }),
      set_up("turn_roaming_off",
             [](telecom_state& s, const call_arguments&) {
               return turn_switch(s, &phone_device::roaming_enabled, false,
                                  true, "Data Roaming is now OFF.");
             }),
      set_up("turn_data_saver_mode_on",
             [](telecom_state& s, const call_arguments&) {
               return turn_switch(s, &phone_device::data_saver_mode, true,
                                  false, "Data Saver Mode is now ON.");
             }),
      set_up("turn_data_saver_mode_off",
             [](telecom_state& s, const call_arguments&) {
               return turn_switch(s, &phone_device::data_saver_mode, false,
                                  false, "Data Saver Mode is now OFF.");
             }),
  };
}

std::vector<telecom_function> assertions() {
  return {
      assertion("assert_airplane_mode_status",
                [](telecom_state& s, const call_arguments& args) {
                  return equals(s.user->device.airplane_mode, args[0]);
                }),
      assertion("assert_service_status", assert_service_status,
                {{"expected_status", "string", "", {}}}),
      assertion("assert_mobile_data_status",
                [](telecom_state& s, const call_arguments& args) {
                  return equals(mobile_data_works(*s.user), args[0]);
                }),
      assertion("assert_mobile_roaming_status",
                [](telecom_state& s, const call_arguments& args) {
                  return equals(s.user->device.roaming_enabled, args[0]);
                }),
      assertion("assert_mobile_data_saver_mode_status",
                [](telecom_state& s, const call_arguments& args) {
                  return equals(s.user->device.data_saver_mode, args[0]);
                }),
      assertion("assert_internet_speed", assert_internet_speed,
                {{"expected_speed", "number", "", {}},
                 {"expected_desc", "string", "", {}, false}}),
      assertion("assert_internet_not_excellent", assert_internet_not_excellent,
                {}),
      assertion("assert_can_send_mms", assert_can_send_mms),
      assertion("assert_mobile_data_usage_exceeded",
                [](telecom_state& s, const call_arguments& args) {
                  return equals(s.user->surroundings.mobile_data_usage_exceeded,
                                args[0]);
                }),
  };
}

} // namespace

std::vector<telecom_function> user_task_functions() {
  std::vector<telecom_function> all{
      set_up("set_user_info", set_user_info,
             {{"name", "string", "", {}}, {"phone_number", "string", "", {}}}),
      set_up("set_user_location", set_user_location,
             {{"abroad", "boolean", "", {}}}),
      set_up("unseat_sim_card", unseat_sim_card),
      set_up("lock_sim_card", lock_sim_card, {{"mode", "string", "", {}}}),
      set_up("break_apn_settings", break_apn_settings),
      set_up("break_apn_mms_setting", break_apn_mms_setting),
      set_up("set_wifi_calling", set_wifi_calling,
             {{"enabled", "boolean", "", {}},
              {"mms_over_wifi", "boolean", "", {}, false}}),
      set_up("break_vpn", break_vpn),
      set_up(
          "remove_app_permission", remove_app_permission,
          {{"app_name", "string", "", {}}, {"permission", "string", "", {}}}),
      set_up("simulate_network_search", simulate_network_search),
  };
  for (auto part : {switches, assertions}) {
    auto more = part();
    std::move(more.begin(), more.end(), std::back_inserter(all));
  }
  return all;
}

} // namespace brewery::tau2
