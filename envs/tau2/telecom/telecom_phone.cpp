#include "envs/tau2/telecom/telecom_phone.hpp"

#include <fmt/format.h>

namespace brewery::tau2 {

namespace {

signal signal_of(const surroundings& around, technology tech) {
  for (const auto& [at, strength] : around.signal_strength)
    if (at == tech) return strength;
  return signal::none;
}

technology preferred_technology(const telecom_user_db& user) {
  const auto& preference = user.device.network_mode_preference;
  if (preference.foreign) return technology::four_g;
  switch (preference.value) {
  case network_mode::prefer_4g_5g:
    return signal_of(user.surroundings, technology::five_g) == signal::none
               ? technology::four_g
               : technology::five_g;
  case network_mode::only_3g:
    return technology::three_g;
  case network_mode::only_2g:
    return technology::two_g;
  case network_mode::only_4g:
    break;
  }
  return technology::four_g;
}

void lose_service(phone_device& phone) {
  phone.network_connection_status = network_status::no_service;
  phone.network_technology_connected = technology::none;
  phone.network_signal_strength = signal::none;
}

std::string_view signal_icon(signal strength) {
  switch (strength) {
  case signal::poor:
    return "📶¹ Poor";
  case signal::fair:
    return "📶² Fair";
  case signal::good:
    return "📶³ Good";
  case signal::excellent:
    return "📶⁴ Excellent";
  case signal::none:
    break;
  }
  return "📵 No Signal";
}

double mean_speed(technology tech) {
  switch (tech) {
  case technology::two_g:
    return (0.1 + 0.4) / 2.0;
  case technology::three_g:
    return (1.0 + 5.0) / 2.0;
  case technology::four_g:
    return (10.0 + 100.0) / 2.0;
  case technology::five_g:
    return (50.0 + 500.0) / 2.0;
  case technology::none:
    break;
  }
  return 0.0;
}

double signal_factor(signal strength) {
  constexpr std::array factors{0.0, 0.2, 0.5, 0.8, 1.0};
  return factors[static_cast<std::size_t>(strength)];
}

std::string_view describe_speed(double mbps) {
  if (mbps < 1) return "Very Poor";
  if (mbps < 5) return "Poor";
  if (mbps < 25) return "Fair";
  if (mbps < 100) return "Good";
  return "Excellent";
}

} // namespace

error no_attribute(const json& value, std::string_view attribute) {
  return {ec::invalid_argument, fmt::format("'{}' object has no attribute '{}'",
                                            py_type_name(value), attribute)};
}

sim_status sim_state(const phone_device& phone) {
  return phone.sim_card_missing ? sim_status::missing : phone.sim_card_status;
}

result<void> search_network(telecom_user_db& user) {
  phone_device& phone = user.device;
  if (sim_state(phone) == sim_status::active) {
    const technology tech = preferred_technology(user);
    phone.network_connection_status = network_status::connected;
    phone.network_technology_connected = tech;
    phone.network_signal_strength = signal_of(user.surroundings, tech);
  } else {
    lose_service(phone);
  }
  if (phone.airplane_mode) lose_service(phone);
  const auto& apn = phone.active_apn_settings;
  if (apn.foreign) return no_attribute(*apn.foreign, "apn_name");
  if (apn.value.apn_name == apn_name::broken) lose_service(phone);
  if (!user.surroundings.line_active) lose_service(phone);
  return {};
}

std::string status_bar(const phone_device& phone) {
  std::string bar;
  const auto add = [&bar](std::string_view icon) {
    if (!bar.empty()) bar += " | ";
    bar += icon;
  };
  if (phone.airplane_mode) {
    add("✈️ Airplane Mode");
  } else {
    const bool registered =
        phone.network_technology_connected != technology::none;
    add(signal_icon(phone.network_signal_strength));
    if (registered) add(text_of(phone.network_technology_connected));
    if (phone.data_enabled && registered) {
      add("📱 Data Enabled");
      if (phone.data_saver_mode) add("🔽 Data Saver");
    } else {
      add("📵 Data Disabled");
    }
  }
  if (phone.wifi_enabled && phone.wifi_connected) {
    if (phone.wifi_ssid && !phone.wifi_ssid->empty())
      add("📡 Connected to " + *phone.wifi_ssid);
    else
      add("📡 Enabled");
  }
  if (phone.vpn_connected) add("🔒 VPN Connected");
  add(fmt::format("🔋 {}%", phone.battery_level));
  return bar;
}

bool mobile_data_works(const telecom_user_db& user) {
  const phone_device& phone = user.device;
  const surroundings& around = user.surroundings;
  if (phone.airplane_mode || phone.network_signal_strength == signal::none)
    return false;
  if (phone.network_connection_status == network_status::no_service)
    return false;
  if (around.is_abroad && !(phone.roaming_enabled && around.roaming_allowed))
    return false;
  return phone.data_enabled && !around.mobile_data_usage_exceeded;
}

speed_reading measure_speed(const telecom_user_db& user) {
  if (!mobile_data_works(user)) return {std::nullopt, "No Connection"};
  const phone_device& phone = user.device;
  const bool slow_vpn =
      phone.vpn_connected && phone.vpn_details
      && phone.vpn_details->server_performance == performance::poor;
  double factor = slow_vpn ? 0.1 : 1.0;
  if (phone.data_saver_mode) factor *= 0.2;
  const double mbps =
      py_round2(mean_speed(phone.network_technology_connected)
                * signal_factor(phone.network_signal_strength) * factor);
  return {mbps, describe_speed(mbps)};
}

result<bool> can_send_mms(const telecom_user_db& user) {
  const phone_device& phone = user.device;
  if (!mobile_data_works(user)
      || phone.network_technology_connected == technology::two_g
      || (phone.wifi_calling_enabled && phone.wifi_calling_mms_over_wifi))
    return false;
  const auto& apn = phone.active_apn_settings;
  if (apn.foreign) return no_attribute(*apn.foreign, "mmsc_url");
  if (!apn.value.mmsc_url) return false;
  for (const auto& [name, app] : phone.app_statuses)
    if (name == "messaging")
      return app.permissions.storage && app.permissions.sms;
  return false;
}

} // namespace brewery::tau2
