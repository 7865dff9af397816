#include "envs/tau2/telecom/telecom_user_tools.hpp"
#include "tests/envs/tau2/small_store.hpp"

using namespace brewery;
using namespace brewery::tau2;
using namespace brewery::test;

TEST_CASE("the status bar tells signal, data and extras, in this order") {
  auto state = small_state();
  const auto bar = [&] { return phone(state, "check_status_bar"); };
  CHECK(bar() == "Status Bar: 📶³ Good | 5G | 📱 Data Enabled | 🔋 70%");
  phone(state, "toggle_data_saver_mode");
  phone(state, "connect_vpn");
  CHECK(bar()
        == "Status Bar: 📶³ Good | 5G | 📱 Data Enabled | 🔽 Data Saver | "
           "🔒 VPN Connected | 🔋 70%");
  phone(state, "unseat_sim_card");
  CHECK(bar()
        == "Status Bar: 📵 No Signal | 📵 Data Disabled | 🔒 VPN Connected | "
           "🔋 70%");
  CHECK(phone(state, "toggle_airplane_mode")
        == "Airplane Mode is now ON.\nStatus Bar: ✈️ Airplane Mode | 🔋 "
           "70%");
  phone_device& device = state.user.edit().device;
  device.wifi_enabled = device.wifi_connected = true;
  CHECK(bar() == "Status Bar: ✈️ Airplane Mode | 📡 Enabled | 🔋 70%");
  device.wifi_ssid = "home";
  CHECK(bar()
        == "Status Bar: ✈️ Airplane Mode | 📡 Connected to home | 🔋 "
           "70%");
}

TEST_CASE("signal follows from SIM, preference, airplane mode, APN and line") {
  auto state = small_state();
  const auto status = [&] {
    const phone_device& d = state.user->device;
    return std::string{text_of(d.network_connection_status)} + ' '
           + std::string{text_of(d.network_technology_connected)} + ' '
           + std::string{text_of(d.network_signal_strength)};
  };
  const auto prefer = [&](const char* mode) {
    phone(state, "set_network_mode_preference", {{"mode", mode}});
    return status();
  };
  CHECK(prefer("2g_only") == "connected 2G poor");
  CHECK(prefer("3g_only") == "connected 3G fair");
  CHECK(prefer("4g_only") == "connected 4G good");
  CHECK(prefer("4g_5g_preferred") == "connected 5G excellent");
  state.user.edit().surroundings.signal_strength.pop_back(); // no 5G here
  CHECK(prefer("4g_5g_preferred") == "connected 4G good");
  const std::string none = "no_service none none";
  phone(state, "break_apn_settings");
  CHECK(status() == none);
  phone(state, "reset_apn_settings");
  CHECK(status() == none);
  CHECK(phone(state, "reboot_device").rfind("Resetting APN settings...\n", 0)
        == 0);
  CHECK(status() == "connected 4G good");
  phone(state, "lock_sim_card", {{"mode", "puk"}});
  CHECK(status() == none);
  CHECK(phone(state, "check_sim_status")
        == "The SIM card is locked with a PUK code.");
  state.user.edit().device.sim_card_status = sim_status::active;
  state.user.edit().surroundings.line_active = false;
  phone(state, "simulate_network_search");
  CHECK(status() == none);
}

TEST_CASE("an unknown network mode changes nothing and lists the choices") {
  auto state = small_state();
  const std::string before = user_hash(state);
  CHECK(phone(state, "set_network_mode_preference", {{"mode", "6g"}})
            .rfind("Failed to set network mode: '6g' is not a valid option. "
                   "Please use one of: 4g_5g_preferred, 4g_only, 3g_only, "
                   "2g_only\nStatus Bar: ",
                   0)
        == 0);
  CHECK(user_hash(state) == before);
}

TEST_CASE("a value of the wrong type is stored and breaks later calls") {
  auto state = small_state();
  SECTION("network mode") {
    CHECK(phone(state, "set_network_mode_preference", {{"mode", 5}})
          == "Error: 'int' object has no attribute 'value'");
    CHECK(text_of(state.user->device.network_technology_connected) == "4G");
    CHECK(phone(state, "check_network_mode_preference")
          == "Error: 'int' object has no attribute 'value'");
    CHECK(model_text(*state.user).find(R"("network_mode_preference": 5,)")
          != std::string::npos);
    CHECK(phone(state, "set_network_mode_preference", {{"mode", nullptr}})
              .rfind("Failed to set network mode: 'None'", 0)
          == 0);
    phone(state, "set_network_mode_preference", {{"mode", "3g_only"}});
    CHECK(phone(state, "check_network_mode_preference")
          == "Network Mode Preference: 3g_only");
  }
  SECTION("access point") {
    const std::string lost = "Error: 'str' object has no attribute 'apn_name'";
    CHECK(phone(state, "set_apn_settings", {{"apn_settings", "x"}}) == lost);
    CHECK(model_text(*state.user).find(R"("active_apn_settings": "x")")
          != std::string::npos);
    CHECK(phone(state, "toggle_data") == lost);
    CHECK_FALSE(state.user->device.data_enabled); // changed before it failed
    CHECK(phone(state, "check_apn_settings")
          == "Error: 'str' object has no attribute 'model_copy'");
    CHECK(phone(state, "reboot_device")
          == "Error: 'str' object has no attribute 'reset_at_reboot'");
    CHECK(phone(state, "reset_apn_settings")
          == "Error: 'str' object has no attribute 'reset_at_reboot'");
    CHECK(phone(state, "can_send_mms")
          == "Your messaging app cannot send MMS messages.");
    state.user.edit().device.data_enabled = true;
    CHECK(phone(state, "can_send_mms")
          == "Error: 'str' object has no attribute 'mmsc_url'");
    CHECK(phone(state, "set_apn_settings", {{"apn_settings", json::object()}})
              .rfind("APN settings set to: internet\n", 0)
          == 0);
  }
}

TEST_CASE("access point objects are validated like the reference's model") {
  const auto accepts = [](const char* text) {
    const auto parsed = parse_apn_settings(json::parse(text));
    return parsed ? model_text(*parsed) : "refused";
  };
  CHECK(accepts(R"({"apn_name":"broken","mms_port":"8080"})")
        == R"({"apn_name": "broken", "reset_at_reboot": false, "mms_apn": )"
           R"("mms", "mmsc_url": "http://mms.carrier.com/mms/wapenc", )"
           R"("mms_proxy": null, "mms_port": 8080})");
  for (const char* good :
       {R"({"reset_at_reboot":"yes"})", R"({"reset_at_reboot":1.0})",
        R"({"mms_port":80.0})", R"({"mms_port":" +80.0 "})",
        R"({"mms_port":true})", R"({"mms_port":null})", R"({"mmsc_url":null})"})
    CHECK(accepts(good) != "refused");
  for (const char* bad :
       {R"({"apn_name":"x"})", R"({"apn_name":null})", R"({"mms_apn":1})",
        R"({"reset_at_reboot":2})", R"({"reset_at_reboot":"maybe"})",
        R"({"reset_at_reboot":null})", R"({"mms_port":80.5})",
        R"({"mms_port":"80.5"})", R"({"mms_port":"x"})", R"({"mms_port":[]})",
        R"({"extra":1})"})
    CHECK(accepts(bad) == "refused");
}

TEST_CASE("speed falls with technology, signal, VPN and data saver") {
  auto state = small_state();
  phone(state, "simulate_network_search");
  CHECK(phone(state, "run_speed_test")
        == "Speed Test Result: 275.00 Mbps (Excellent). Connection is very "
           "fast.");
  phone(state, "break_vpn");
  CHECK(phone(state, "run_speed_test")
            .rfind("Speed Test Result: 27.50 Mbps "
                   "(Good). ",
                   0)
        == 0);
  phone(state, "toggle_data_saver_mode");
  CHECK(phone(state, "run_speed_test")
            .rfind("Speed Test Result: 5.50 Mbps "
                   "(Fair). ",
                   0)
        == 0);
  const json fast = {{"expected_speed", 5.5}};
  CHECK(phone(state, "assert_internet_speed", fast) == "met");
  CHECK(phone(state, "assert_internet_speed",
              {{"expected_speed", 5}, {"expected_desc", "FAIR"}})
        == "met");
  CHECK(phone(state, "assert_internet_speed",
              {{"expected_speed", 5}, {"expected_desc", "good"}})
        == "not met");
  CHECK(phone(state, "assert_internet_not_excellent") == "met");
  phone(state, "set_network_mode_preference", {{"mode", "2g_only"}});
  CHECK(phone(state, "run_speed_test")
            .rfind("Speed Test Result: 0.00 Mbps "
                   "(Very Poor). ",
                   0)
        == 0);
  phone(state, "turn_data_off");
  CHECK(phone(state, "run_speed_test") == "Speed test failed: No Connection.");
  CHECK(phone(state, "assert_internet_speed", {{"expected_speed", 0}})
        == "met");
}

TEST_CASE("mobile data needs roaming on both sides when abroad") {
  auto state = small_state();
  const json works = {{"expected_status", true}};
  phone(state, "set_user_location", {{"abroad", true}});
  CHECK(phone(state, "assert_mobile_data_status", works) == "not met");
  phone(state, "turn_roaming_on");
  CHECK(phone(state, "assert_mobile_data_status", works) == "not met");
  state.user.edit().surroundings.roaming_allowed = true;
  CHECK(phone(state, "assert_mobile_data_status", works) == "met");
  state.user.edit().surroundings.mobile_data_usage_exceeded = true;
  CHECK(phone(state, "assert_mobile_data_status", works) == "not met");
}

TEST_CASE("each cause alone stops picture messages") {
  const auto able = [](telecom_state& s) {
    return phone(s, "assert_can_send_mms", {{"expected_status", true}});
  };
  auto state = small_state();
  CHECK(able(state) == "met");
  for (const std::string permission : {"sms", "storage"}) {
    auto s = state;
    phone(s, "remove_app_permission",
          {{"app_name", "messaging"}, {"permission", permission}});
    CHECK(able(s) == "not met");
    CHECK(phone(s, "grant_app_permission",
                {{"app_name", "messaging"}, {"permission", permission}})
              .rfind("Success. ", 0)
          == 0);
    CHECK(able(s) == "met");
  }
  for (const char* cause : {"break_apn_mms_setting", "turn_data_off",
                            "turn_airplane_mode_on", "unseat_sim_card"}) {
    auto s = state;
    phone(s, cause);
    INFO(cause);
    CHECK(able(s) == "not met");
  }
  auto s = state;
  phone(s, "set_wifi_calling", {{"enabled", true}, {"mms_over_wifi", true}});
  CHECK(able(s) == "not met");
  phone(s, "toggle_wifi_calling");
  CHECK(able(s) == "met");
}

TEST_CASE("apps are listed in file order and looked up by exact name") {
  auto state = small_state();
  CHECK(phone(state, "check_installed_apps")
        == "The following apps are installed on the phone: zulu, messaging");
  CHECK(phone(state, "check_app_status", {{"app_name", "zulu"}})
        == "Status for App: zulu\n - Permissions: None granted.");
  CHECK(phone(state, "check_app_permissions", {{"app_name", "zulu"}})
        == "App 'zulu' currently has no permissions granted.");
  CHECK(phone(state, "check_app_permissions", {{"app_name", "messaging"}})
        == "App 'messaging' has permission for: sms, storage.");
  CHECK(phone(state, "check_app_status", {{"app_name", 3}})
        == "App '3' not found on this phone.");
  CHECK(phone(state, "check_app_status", {{"app_name", json::array()}})
        == "Error: unhashable type: 'list'");
  const auto grant = [&](const json& app, const json& permission) {
    return phone(state, "grant_app_permission",
                 {{"app_name", app}, {"permission", permission}});
  };
  CHECK(grant("zulu", "PHONE")
            .rfind("Success. Permission 'phone' granted to app 'zulu'.\n", 0)
        == 0);
  CHECK(grant("zulu", "fly")
            .rfind(
                "Error. Permission 'fly' not tracked for app 'zulu', available "
                "permissions: ['sms', 'storage', 'phone', 'network']\n",
                0)
        == 0);
  CHECK(grant("yoke", "sms")
            .rfind("Error. App 'yoke' not found. Cannot grant permission.\n", 0)
        == 0);
  CHECK(grant("zulu", 1) == "Error: 'int' object has no attribute 'lower'");
}

TEST_CASE("a broken VPN stays broken in its environment and in no other") {
  auto first = small_state();
  auto second = first;
  phone(first, "break_vpn");
  phone(first, "disconnect_vpn");
  phone(first, "connect_vpn");
  CHECK(phone(first, "check_vpn_status")
        == "VPN is ON and connected. Details: {'server_address': "
           "'192.168.1.1', 'protocol': 'OpenVPN', 'server_performance': "
           "<PerformanceLevel.POOR: 'poor'>}");
  phone(second, "connect_vpn");
  CHECK(phone(second, "check_vpn_status").find("EXCELLENT: 'excellent'")
        != std::string::npos);
  auto third = small_state();
  phone(third, "connect_vpn");
  CHECK(user_hash(third) == user_hash(second));
  CHECK(phone(third, "connect_vpn") == "VPN already connected.");
}

TEST_CASE("airplane mode drops Wi-Fi and VPN and locks the Wi-Fi switch") {
  auto state = small_state();
  CHECK(phone(state, "toggle_wifi").rfind("Wi-Fi is now ON.", 0) == 0);
  CHECK(phone(state, "check_wifi_status")
        == "Wi-Fi is ON but not connected to any network.");
  phone(state, "connect_vpn");
  phone(state, "turn_airplane_mode_on");
  CHECK_FALSE(state.user->device.vpn_connected);
  CHECK(phone(state, "toggle_wifi").rfind("Cannot change Wi-Fi settings", 0)
        == 0);
  CHECK(phone(state, "assert_airplane_mode_status", {{"expected_status", 1}})
        == "met");
  phone(state, "turn_airplane_mode_off");
  CHECK(state.user->device.network_connection_status
        == network_status::connected);
}
