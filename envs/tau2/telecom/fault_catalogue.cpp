#include "envs/tau2/telecom/fault_catalogue.hpp"

namespace brewery::tau2 {

namespace {

constexpr std::uint8_t any = no_service | mobile_data | picture_mms;
constexpr std::uint8_t data_or_mms = mobile_data | picture_mms;

constexpr std::string_view account =
    R"({"customer_id":"$customer","line_id":"$line"})";
constexpr std::string_view fast = R"({"mode":"4g_5g_preferred"})";

std::vector<telecom_fault> build() {
  std::vector<telecom_fault> rows;
  const auto add = [&rows](telecom_fault row) {
    rows.push_back(std::move(row));
  };

  // Faults of the account.
  add({.id = "overdue_bill",
       .group = "line",
       .complaints = any,
       .reboot = true,
       .cause = {{"assistant", "suspend_line_for_overdue_bill",
                  R"({"customer_id":"$customer","line_id":"$line",
                      "new_bill_id":"$bill","contract_ended":false})"}},
       .remedy = {{"assistant", "send_payment_request",
                   R"({"customer_id":"$customer","bill_id":"$bill"})"},
                  {"user", "make_payment"},
                  {"assistant", "resume_line", account}},
       .proof = {{"assistant", "assert_no_overdue_bill",
                  R"({"overdue_bill_id":"$bill"})"}}});
  add({.id = "contract_ended",
       .group = "line",
       .complaints = no_service,
       .hand_over = true,
       .cause = {{"assistant", "suspend_line_for_overdue_bill",
                  R"({"customer_id":"$customer","line_id":"$line",
                      "new_bill_id":"$bill","contract_ended":true})"}}});
  add({.id = "data_used_up",
       .group = "usage",
       .complaints = data_or_mms,
       .cause = {{"assistant", "set_data_usage",
                  R"({"customer_id":"$customer","line_id":"$line",
                      "data_used_gb":"$used_up"})"}},
       .remedy = {{"assistant", "refuel_data",
                   R"({"customer_id":"$customer","line_id":"$line",
                       "gb_amount":"$refuel"})"}},
       .proof = {{"assistant", "assert_data_refueling_amount",
                  R"({"customer_id":"$customer","line_id":"$line",
                      "expected_amount":"$refuel"})"}}});
  add({.id = "roaming_not_in_contract",
       .group = "roaming_account",
       .complaints = data_or_mms,
       .abroad_only = true,
       .cause = {{"assistant", "disable_roaming", account}},
       .remedy = {{"assistant", "enable_roaming", account}}});

  // Faults of the phone: SIM and connection.
  add({.id = "sim_loose",
       .group = "sim",
       .complaints = any,
       .cause = {{"user", "unseat_sim_card"}},
       .remedy = {{"user", "reseat_sim_card"}}});
  add({.id = "sim_locked_pin",
       .group = "sim",
       .complaints = no_service,
       .hand_over = true,
       .cause = {{"user", "lock_sim_card", R"({"mode":"pin"})"}}});
  add({.id = "sim_locked_puk",
       .group = "sim",
       .complaints = no_service,
       .hand_over = true,
       .cause = {{"user", "lock_sim_card", R"({"mode":"puk"})"}}});
  add({.id = "airplane_mode",
       .group = "airplane",
       .complaints = any,
       .cause = {{"user", "turn_airplane_mode_on"}},
       .remedy = {{"user", "toggle_airplane_mode"}}});
  add({.id = "apn_broken",
       .group = "apn",
       .complaints = any,
       .reboot = true,
       .cause = {{"user", "break_apn_settings"}},
       .remedy = {{"user", "reset_apn_settings"}}});
  add({.id = "mode_2g",
       .group = "mode",
       .complaints = data_or_mms,
       .cause = {{"user", "set_network_mode_preference",
                  R"({"mode":"2g_only"})"}},
       .remedy = {{"user", "set_network_mode_preference", fast}}});
  add({.id = "mode_3g",
       .group = "mode",
       .complaints = mobile_data,
       .cause = {{"user", "set_network_mode_preference",
                  R"({"mode":"3g_only"})"}},
       .remedy = {{"user", "set_network_mode_preference", fast}}});
  add({.id = "mode_4g",
       .group = "mode",
       .complaints = mobile_data,
       .cause = {{"user", "set_network_mode_preference",
                  R"({"mode":"4g_only"})"}},
       .remedy = {{"user", "set_network_mode_preference", fast}}});

  // Faults of the phone: data and messages.
  add({.id = "data_off",
       .group = "data",
       .complaints = data_or_mms,
       .cause = {{"user", "turn_data_off"}},
       .remedy = {{"user", "toggle_data"}}});
  add({.id = "roaming_off",
       .group = "roaming_phone",
       .complaints = data_or_mms,
       .abroad_only = true,
       .cause = {{"user", "turn_roaming_off"}},
       .remedy = {{"user", "toggle_roaming"}}});
  add({.id = "data_saver",
       .group = "saver",
       .complaints = mobile_data,
       .cause = {{"user", "turn_data_saver_mode_on"}},
       .remedy = {{"user", "toggle_data_saver_mode"}}});
  add({.id = "bad_vpn",
       .group = "vpn",
       .complaints = mobile_data,
       .cause = {{"user", "break_vpn"}},
       .remedy = {{"user", "disconnect_vpn"}}});
  add({.id = "wifi_calling",
       .group = "wifi_calling",
       .complaints = picture_mms,
       .cause = {{"user", "set_wifi_calling",
                  R"({"enabled":true,"mms_over_wifi":true})"}},
       .remedy = {{"user", "toggle_wifi_calling"}}});
  add({.id = "mms_centre_missing",
       .group = "apn",
       .complaints = picture_mms,
       .reboot = true,
       .cause = {{"user", "break_apn_mms_setting"}},
       .remedy = {{"user", "reset_apn_settings"}}});
  add({.id = "no_sms_permission",
       .group = "permission_sms",
       .complaints = picture_mms,
       .cause = {{"user", "remove_app_permission",
                  R"({"app_name":"messaging","permission":"sms"})"}},
       .remedy = {{"user", "grant_app_permission",
                   R"({"app_name":"messaging","permission":"sms"})"}}});
  add({.id = "no_storage_permission",
       .group = "permission_storage",
       .complaints = picture_mms,
       .cause = {{"user", "remove_app_permission",
                  R"({"app_name":"messaging","permission":"storage"})"}},
       .remedy = {{"user", "grant_app_permission",
                   R"({"app_name":"messaging","permission":"storage"})"}}});
  return rows;
}

} // namespace

const std::vector<telecom_fault>& fault_catalogue() {
  static const std::vector<telecom_fault> rows = build();
  return rows;
}

} // namespace brewery::tau2
