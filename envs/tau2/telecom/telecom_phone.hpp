#pragma once
/// The user's side of the telecom domain: the phone, its settings, the user's
/// surroundings, and what follows from them (signal, speed, messages). Owned by
/// one environment, shared copy-on-write with its benchmark.

#include "envs/tau2/data/text_file.hpp"
#include "envs/tau2/telecom/telecom_enums.hpp"

namespace brewery::tau2 {

struct apn_settings {
  tau2::apn_name apn_name = tau2::apn_name::internet;
  bool reset_at_reboot = false;
  std::optional<std::string> mms_apn = "mms";
  std::optional<std::string> mmsc_url = "http://mms.carrier.com/mms/wapenc";
  std::optional<std::string> mms_proxy;
  std::optional<std::int64_t> mms_port;

  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return f(may("apn_name", self.apn_name),
             may("reset_at_reboot", self.reset_at_reboot),
             may("mms_apn", self.mms_apn), may("mmsc_url", self.mmsc_url),
             may("mms_proxy", self.mms_proxy), may("mms_port", self.mms_port));
  }
};

struct vpn_details {
  std::optional<std::string> server_address, protocol;
  performance server_performance = performance::unknown;

  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return f(may("server_address", self.server_address),
             may("protocol", self.protocol),
             may("server_performance", self.server_performance));
  }
};

struct app_permissions {
  bool sms = false, storage = false, phone = false, network = false;

  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return f(may("sms", self.sms), may("storage", self.storage),
             may("phone", self.phone), may("network", self.network));
  }
};

struct app_status {
  std::string app_name;
  app_permissions permissions;

  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return f(need("app_name", self.app_name),
             may("permissions", self.permissions));
  }
};

struct phone_device {
  tau2::sim_status sim_card_status = tau2::sim_status::active;
  bool sim_card_missing = false, airplane_mode = false;
  signal network_signal_strength = signal::good;
  technology network_technology_connected = technology::five_g;
  network_status network_connection_status = network_status::connected;
  std::int64_t battery_level = 80; ///< percent
  bool data_enabled = true, roaming_enabled = false;
  loose<network_mode> network_mode_preference;
  loose<apn_settings> active_apn_settings;
  bool wifi_enabled = false, wifi_connected = false;
  std::optional<std::string> wifi_ssid;
  signal wifi_signal_strength = signal::none;
  bool wifi_calling_enabled = false, wifi_calling_mms_over_wifi = false;
  bool data_saver_mode = false;
  bool vpn_enabled_setting = false, vpn_connected = false;
  std::optional<tau2::vpn_details> vpn_details;
  ordered<std::string, app_status> app_statuses{
      {"messaging",
       {"messaging", {.sms = true, .storage = true, .phone = true}}},
      {"browser", {"browser", {.storage = true, .network = true}}}};

  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return f(
        may("sim_card_status", self.sim_card_status),
        may("sim_card_missing", self.sim_card_missing),
        may("airplane_mode", self.airplane_mode),
        may("network_signal_strength", self.network_signal_strength),
        may("network_technology_connected", self.network_technology_connected),
        may("network_connection_status", self.network_connection_status),
        may("battery_level", self.battery_level),
        may("data_enabled", self.data_enabled),
        may("roaming_enabled", self.roaming_enabled),
        may("network_mode_preference", self.network_mode_preference),
        may("active_apn_settings", self.active_apn_settings),
        may("wifi_enabled", self.wifi_enabled),
        may("wifi_connected", self.wifi_connected),
        may("wifi_ssid", self.wifi_ssid),
        may("wifi_signal_strength", self.wifi_signal_strength),
        may("wifi_calling_enabled", self.wifi_calling_enabled),
        may("wifi_calling_mms_over_wifi", self.wifi_calling_mms_over_wifi),
        may("data_saver_mode", self.data_saver_mode),
        may("vpn_enabled_setting", self.vpn_enabled_setting),
        may("vpn_connected", self.vpn_connected),
        may("vpn_details", self.vpn_details),
        may("app_statuses", self.app_statuses));
  }
};

struct payment_request {
  std::string bill_id;
  double amount_due = 0;
  bool paid = false;

  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return f(need("bill_id", self.bill_id), need("amount_due", self.amount_due),
             may("paid", self.paid));
  }
};

struct surroundings {
  std::optional<std::string> name, phone_number;
  bool is_abroad = false, roaming_allowed = false;
  ordered<technology, signal> signal_strength{
      {technology::two_g, signal::poor},
      {technology::three_g, signal::fair},
      {technology::four_g, signal::good},
      {technology::five_g, signal::excellent}};
  bool mobile_data_usage_exceeded = false, line_active = true;
  std::optional<tau2::payment_request> payment_request;

  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return f(may("name", self.name), may("phone_number", self.phone_number),
             may("is_abroad", self.is_abroad),
             may("roaming_allowed", self.roaming_allowed),
             may("signal_strength", self.signal_strength),
             may("mobile_data_usage_exceeded", self.mobile_data_usage_exceeded),
             may("line_active", self.line_active),
             may("payment_request", self.payment_request));
  }
};

struct telecom_user_db {
  phone_device device;
  tau2::surroundings surroundings;

  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return f(may("device", self.device),
             may("surroundings", self.surroundings));
  }
};

result<telecom_user_db> parse_telecom_user_db(const text_file& file);
result<telecom_user_db> load_telecom_user_db(const std::filesystem::path& path);

/// The SIM's reported state: a removed card counts as missing.
sim_status sim_state(const phone_device& phone);

/// Registers with the network again. Connection, technology and signal follow
/// from SIM, preference, airplane mode, APN and line. With APN settings of
/// the wrong type it fails half-way, as the reference does.
result<void> search_network(telecom_user_db& user);

/// Icons at the top of the screen, joined by " | ".
std::string status_bar(const phone_device& phone);

bool mobile_data_works(const telecom_user_db& user);

struct speed_reading {
  std::optional<double> mbps;
  std::string_view description;
};

/// Mean of the technology's range x signal factor x 0.1 (poor VPN) x 0.2 (data
/// saver), rounded to 2 decimals; no reading without mobile data.
speed_reading measure_speed(const telecom_user_db& user);

/// Error if APN settings of the wrong type have an effect.
result<bool> can_send_mms(const telecom_user_db& user);

/// Python's AttributeError text for a member of a value of the wrong type.
error no_attribute(const json& value, std::string_view attribute);

} // namespace brewery::tau2
