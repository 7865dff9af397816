#pragma once
/// The operator's records of the telecom domain: plans, customers, lines,
/// bills, devices. Loaded once and shared by all environments. An environment
/// copies the tables (five pointers) and copies a record when it first writes
/// to it. Money in USD, data in GB, dates YYYY-MM-DD.

#include "envs/tau2/data/text_file.hpp"
#include "envs/tau2/telecom/telecom_enums.hpp"

namespace brewery::tau2 {

struct plan {
  std::string plan_id, name;
  double data_limit_gb = 0, price_per_month = 0,
         data_refueling_price_per_gb = 0;

  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return f(
        need("plan_id", self.plan_id), need("name", self.name),
        need("data_limit_gb", self.data_limit_gb),
        need("price_per_month", self.price_per_month),
        need("data_refueling_price_per_gb", self.data_refueling_price_per_gb));
  }
};

struct device {
  std::string device_id;
  tau2::device_type device_type = tau2::device_type::phone;
  std::string model;
  std::optional<std::string> imei;
  bool is_esim_capable = false, activated = false;
  std::optional<time_text> activation_date, last_esim_transfer_date;

  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return f(need("device_id", self.device_id),
             need("device_type", self.device_type), need("model", self.model),
             may("imei", self.imei),
             need("is_esim_capable", self.is_esim_capable),
             may("activated", self.activated),
             may("activation_date", self.activation_date),
             may("last_esim_transfer_date", self.last_esim_transfer_date));
  }
};

struct line {
  std::string line_id, phone_number;
  line_status status = line_status::pending;
  std::string plan_id;
  std::optional<std::string> device_id;
  py_number data_used_gb = 0.0; ///< a set-up function may store an int
  double data_refueling_gb = 0;
  bool roaming_enabled = false;
  std::optional<date_text> contract_end_date, last_plan_change_date,
      last_sim_replacement_date, suspension_start_date;

  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return f(need("line_id", self.line_id),
             need("phone_number", self.phone_number),
             may("status", self.status), need("plan_id", self.plan_id),
             may("device_id", self.device_id),
             may("data_used_gb", self.data_used_gb),
             may("data_refueling_gb", self.data_refueling_gb),
             may("roaming_enabled", self.roaming_enabled),
             may("contract_end_date", self.contract_end_date),
             may("last_plan_change_date", self.last_plan_change_date),
             may("last_sim_replacement_date", self.last_sim_replacement_date),
             may("suspension_start_date", self.suspension_start_date));
  }
};

struct line_item {
  std::string description;
  double amount = 0;
  date_text date;
  std::string item_type;

  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return f(need("description", self.description), need("amount", self.amount),
             need("date", self.date), need("item_type", self.item_type));
  }
};

struct bill {
  std::string bill_id, customer_id;
  date_text period_start, period_end, issue_date;
  double total_due = 0;
  date_text due_date;
  std::vector<line_item> line_items;
  bill_status status = bill_status::draft;

  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return f(need("bill_id", self.bill_id),
             need("customer_id", self.customer_id),
             need("period_start", self.period_start),
             need("period_end", self.period_end),
             need("issue_date", self.issue_date),
             need("total_due", self.total_due), need("due_date", self.due_date),
             may("line_items", self.line_items), may("status", self.status));
  }
};

struct address {
  std::string street, city, state, zip_code;

  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return f(need("street", self.street), need("city", self.city),
             need("state", self.state), need("zip_code", self.zip_code));
  }
};

struct payment_method {
  payment_kind method_type = payment_kind::credit_card;
  std::string account_number_last_4, expiration_date;

  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return f(need("method_type", self.method_type),
             need("account_number_last_4", self.account_number_last_4),
             need("expiration_date", self.expiration_date));
  }
};

struct customer {
  std::string customer_id, full_name, date_of_birth, email, phone_number;
  tau2::address address;
  tau2::account_status account_status = tau2::account_status::pending;
  std::vector<payment_method> payment_methods;
  std::vector<std::string> line_ids, bill_ids;
  time_text created_at{"2025-01-01"};
  std::optional<date_text> last_extension_date;
  double goodwill_credit_used_this_year = 0;

  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return f(need("customer_id", self.customer_id),
             need("full_name", self.full_name),
             need("date_of_birth", self.date_of_birth),
             need("email", self.email), need("phone_number", self.phone_number),
             need("address", self.address),
             may("account_status", self.account_status),
             may("payment_methods", self.payment_methods),
             may("line_ids", self.line_ids), may("bill_ids", self.bill_ids),
             may("created_at", self.created_at),
             may("last_extension_date", self.last_extension_date),
             may("goodwill_credit_used_this_year",
                 self.goodwill_credit_used_this_year));
  }
};

template <class T>
using table = cow<std::vector<cow<T>>>;

struct telecom_db {
  table<plan> plans;
  table<customer> customers;
  table<line> lines;
  table<bill> bills;
  table<device> devices;

  template <class Self, class F>
  static auto each(Self& self, F&& f) {
    return f(may("plans", self.plans), may("customers", self.customers),
             may("lines", self.lines), may("bills", self.bills),
             may("devices", self.devices));
  }
};

/// Errors name file, line and key. Error ec::version_mismatch for a key that
/// this version of the domain does not know.
result<telecom_db> parse_telecom_db(const text_file& file);
result<telecom_db> load_telecom_db(const std::filesystem::path& path);

} // namespace brewery::tau2
