#pragma once
/// A telecom domain of two customers, small enough to read in a test. Its
/// files can be changed before they are loaded.

#include "base/text.hpp"
#include "envs/tau2/tau2_benchmark.hpp"
#include "envs/tau2/telecom/telecom_domain.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace brewery::test {

inline const std::string small_db = R"([[plans]]
plan_id = "P1"
name = "Small"
data_limit_gb = 5
price_per_month = 30.0
data_refueling_price_per_gb = 0.1

[[devices]]
device_id = "D1"
device_type = "phone"
model = "Brick"
is_esim_capable = false
activation_date = "2025-01-02T03:04:05"

[[lines]]
line_id = "L1"
phone_number = "555-1"
status = "Active"
plan_id = "P1"
data_used_gb = 4.5
roaming_enabled = false
contract_end_date = 2026-12-31

[[lines]]
line_id = "L2"
phone_number = "555-2"
status = "Suspended"
plan_id = "P1"

[[customers]]
customer_id = "C1"
full_name = "Ada Quill"
date_of_birth = "1980-02-03"
email = "ada@example.org"
phone_number = "555-9"
line_ids = ["L1"]
bill_ids = ["B1", "B2", "B3"]
[customers.address]
street = "1 Hill"
city = "Xanten"
state = "NW"
zip_code = "46509"

[[customers]]
customer_id = "C2"
full_name = "Bo Reed"
date_of_birth = "1990-01-01"
email = "bo@example.org"
phone_number = "555-2"
line_ids = ["L2"]
[customers.address]
street = "2 Hill"
city = "Xanten"
state = "NW"
zip_code = "46509"

[[bills]]
bill_id = "B1"
customer_id = "C1"
period_start = "2025-01-01"
period_end = "2025-01-31"
issue_date = "2025-01-05"
due_date = "2025-01-19"
total_due = 30.0
status = "Issued"

[[bills]]
bill_id = "B2"
customer_id = "C1"
period_start = "2025-02-01"
period_end = "2025-02-28"
issue_date = "2025-02-05"
due_date = "2025-02-19"
total_due = 12.25
status = "Issued"

[[bills]]
bill_id = "B3"
customer_id = "C1"
period_start = "2025-03-01"
period_end = "2025-03-31"
issue_date = "2025-02-05"
due_date = "2025-03-15"
total_due = 0.0
status = "Draft"
)";

inline const std::string small_user_db = R"([device]
battery_level = 70
[device.app_statuses.zulu]
app_name = "zulu"
[device.app_statuses.messaging]
app_name = "messaging"
[device.app_statuses.messaging.permissions]
sms = true
storage = true
)";

inline const std::string small_tasks = R"([
 {"id": "data_off", "user_scenario": {"instructions": "x"},
  "ticket": "Mobile data does not work.",
  "initial_state": {"initialization_actions": [
    {"env_type": "user", "func_name": "set_user_info",
     "arguments": {"name": "Ada", "phone_number": "555-1"}},
    {"env_type": "user", "func_name": "turn_data_off", "arguments": {}}]},
  "evaluation_criteria": {
    "actions": [{"action_id": "a", "requestor": "user", "name": "toggle_data",
                 "arguments": {}}],
    "env_assertions": [
      {"env_type": "user", "func_name": "assert_mobile_data_status",
       "arguments": {"expected_status": true}},
      {"env_type": "assistant", "func_name": "assert_no_overdue_bill",
       "arguments": {"overdue_bill_id": "B7"}, "assert_value": true}],
    "reward_basis": ["ENV_ASSERTION", "DB"]}},
 {"id": "hand_over", "user_scenario": {"instructions": "x"},
  "ticket": "The SIM is locked.",
  "initial_state": {"initialization_actions": [
    {"env_type": "user", "func_name": "lock_sim_card",
     "arguments": {"mode": "pin"}}]},
  "evaluation_criteria": {
    "actions": [{"action_id": "a", "name": "transfer_to_human_agents",
                 "arguments": {"summary": "s"}, "compare_args": []}],
    "env_assertions": [
      {"env_type": "user", "func_name": "assert_service_status",
       "arguments": {"expected_status": "connected"}, "assert_value": false}],
    "reward_basis": ["ENV_ASSERTION", "ACTION"]}}
])";

inline const std::string small_splits =
    R"({"train": ["hand_over", "data_off"], "test": ["hand_over"]})";

/// A directory of the four files, removed at the end.
class small_store {
public:
  small_store() {
    static int count = 0;
    folder_ = std::filesystem::temp_directory_path()
              / ("brewery_desk_" + std::to_string(::getpid()) + "_"
                 + std::to_string(count++));
    std::filesystem::create_directories(folder_);
    write("db.toml", small_db);
    write("user_db.toml", small_user_db);
    write("tasks.json", small_tasks);
    write("split_tasks.json", small_splits);
  }
  ~small_store() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  small_store(const small_store&) = delete;
  small_store& operator=(const small_store&) = delete;

  void write(const std::string& name, const std::string& text) const {
    std::ofstream{folder_ / name, std::ios::binary} << text;
  }
  void remove(const std::string& name) const {
    std::filesystem::remove(folder_ / name);
  }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  [[nodiscard]] std::shared_ptr<const tau2::tau2_benchmark>
  load(const tau2::tau2_options& options = {}) const {
    auto loaded = tau2::load_tau2("tau2-telecom", folder_, options);
    if (!loaded) FAIL(to_string(loaded.error()));
    return *loaded;
  }

  /// The one-line error of a load that must fail.
  [[nodiscard]] std::string
  refusal(const tau2::tau2_options& options = {}) const {
    const auto loaded = tau2::load_tau2("tau2-telecom", folder_, options);
    REQUIRE_FALSE(loaded.has_value());
    const std::string text = to_string(loaded.error());
    INFO(text);
    CHECK(text.find('\n') == std::string::npos);
    return text;
  }

private:
  std::filesystem::path folder_;
};

/// The telecom state of a telecom environment.
inline const tau2::telecom_state& state_of(const tau2::domain_state& state) {
  return dynamic_cast<const tau2::telecom_domain_state&>(state).state();
}

/// The small desk's state without any task.
inline tau2::telecom_state small_state() {
  tau2::telecom_state state;
  auto accounts = tau2::parse_telecom_db({"db.toml", small_db});
  if (!accounts) FAIL(to_string(accounts.error()));
  auto user = tau2::parse_telecom_user_db({"user_db.toml", small_user_db});
  if (!user) FAIL(to_string(user.error()));
  state.accounts = std::move(*accounts);
  state.user = tau2::cow<tau2::telecom_user_db>{std::move(*user)};
  return state;
}

/// Calls any function of either side; failures come back as "Error: ...".
inline std::string run(tau2::telecom_state& state, const std::string& side,
                       const std::string& name,
                       const json& arguments = json::object()) {
  const auto* kit = tau2::functions_of(side);
  REQUIRE(kit != nullptr);
  const auto* function = kit->find(name);
  INFO(name);
  REQUIRE(function != nullptr);
  const auto value = kit->call(*function, state, arguments);
  if (!value) return "Error: " + value.error().message;
  if (const auto* text = std::get_if<std::string>(&*value)) return *text;
  return std::get<bool>(*value) ? "met" : "not met";
}

inline std::string desk(tau2::telecom_state& state, const std::string& name,
                        const json& arguments = json::object()) {
  return run(state, "assistant", name, arguments);
}

inline std::string phone(tau2::telecom_state& state, const std::string& name,
                         const json& arguments = json::object()) {
  return run(state, "user", name, arguments);
}

} // namespace brewery::test
