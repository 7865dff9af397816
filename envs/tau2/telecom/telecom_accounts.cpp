#include "envs/tau2/telecom/telecom_accounts.hpp"

#include "base/hash.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::tau2 {

namespace {

error not_found(std::string_view what, std::string_view name) {
  return {ec::not_found, fmt::format("{} {} not found", what, name)};
}

template <class T>
result<std::size_t> find_record(const table<T>& records, std::string T::*key,
                                std::string_view value, std::string_view what) {
  for (std::size_t i = 0; i < records->size(); ++i)
    if ((*(*records)[i]).*key == value) return i;
  return not_found(what, value);
}

bool is_string(const json& value, std::string_view text) {
  return value.is_string() && value.get_ref<const std::string&>() == text;
}

template <class T>
T& edit_record(table<T>& records, std::size_t index) {
  return records.edit()[index].edit();
}

} // namespace

result<std::size_t> customer_by_id(const telecom_db& db, const json& id) {
  if (id.is_string())
    return find_record(db.customers, &customer::customer_id,
                       id.get_ref<const std::string&>(), "Customer with ID");
  return not_found("Customer with ID", py_str(id));
}

result<std::size_t> customer_by_phone(const telecom_db& db, const json& phone) {
  for (std::size_t i = 0; i < db.customers->size(); ++i) {
    const customer& candidate = *(*db.customers)[i];
    if (is_string(phone, candidate.phone_number)) return i;
    for (const std::string& id : candidate.line_ids) {
      const auto owned = line_by_id(db, id);
      if (!owned) return owned.error();
      if (is_string(phone, (*db.lines)[*owned]->phone_number)) return i;
    }
  }
  return not_found("Customer with phone number", py_str(phone));
}

result<std::size_t> line_by_id(const telecom_db& db, std::string_view id) {
  return find_record(db.lines, &line::line_id, id, "Line with ID");
}

result<std::size_t> line_by_any_id(const telecom_db& db, const json& id) {
  if (id.is_string())
    return line_by_id(db, std::string_view{id.get_ref<const std::string&>()});
  return not_found("Line with ID", py_str(id));
}

result<std::size_t> line_by_phone(const telecom_db& db,
                                  std::string_view phone) {
  return find_record(db.lines, &line::phone_number, phone,
                     "Line with phone number");
}

result<std::size_t> plan_by_id(const telecom_db& db, std::string_view id) {
  return find_record(db.plans, &plan::plan_id, id, "Plan with ID");
}

result<std::size_t> device_by_id(const telecom_db& db, std::string_view id) {
  return find_record(db.devices, &device::device_id, id, "Device with ID");
}

result<std::size_t> bill_by_id(const telecom_db& db, std::string_view id) {
  return find_record(db.bills, &bill::bill_id, id, "Bill with ID");
}

result<std::size_t> owned_line(const telecom_db& db, const json& customer_id,
                               const json& line_id) {
  const auto owner = customer_by_id(db, customer_id);
  if (!owner) return owner.error();
  const auto& owned = (*db.customers)[*owner]->line_ids;
  const bool owns =
      std::any_of(owned.begin(), owned.end(), [&](const std::string& id) {
        return is_string(line_id, id);
      });
  if (owns) return line_by_any_id(db, line_id);
  return error{ec::not_found,
               fmt::format("Line {} not found for customer {}", py_str(line_id),
                           py_str(customer_id))};
}

result<std::optional<std::size_t>> bill_with_status(const telecom_db& db,
                                                    const customer& owner,
                                                    bill_status status) {
  for (const std::string& id : owner.bill_ids) {
    const auto found = bill_by_id(db, id);
    if (!found) return found.error();
    if ((*db.bills)[*found]->status == status) return std::optional{*found};
  }
  return std::optional<std::size_t>{};
}

result<void> charge(telecom_db& db, const json& customer_id, double amount,
                    std::string description) {
  const auto owner = customer_by_id(db, customer_id);
  if (!owner) return owner.error();
  const customer& payer = *(*db.customers)[*owner];
  auto draft = bill_with_status(db, payer, bill_status::draft);
  if (!draft) return draft.error();
  if (!*draft) {
    bill next;
    next.bill_id =
        'B'
        + sha256_hex(fmt::format("{}/{}", payer.customer_id, db.bills->size()))
              .substr(0, 8);
    next.customer_id = payer.customer_id;
    next.period_start = next.issue_date = {"2025-03-01"};
    next.period_end = {"2025-03-31"};
    next.due_date = {"2025-03-15"};
    add_bill(db, *owner, std::move(next));
    *draft = db.bills->size() - 1;
  }
  bill& open = edit_bill(db, **draft);
  open.line_items.push_back({std::move(description),
                             amount,
                             {std::string{today}},
                             amount < 0 ? "Credit" : "Charge"});
  open.total_due += amount;
  return {};
}

line& edit_line(telecom_db& db, std::size_t index) {
  return edit_record(db.lines, index);
}

bill& edit_bill(telecom_db& db, std::size_t index) {
  return edit_record(db.bills, index);
}

customer& edit_customer(telecom_db& db, std::size_t index) {
  return edit_record(db.customers, index);
}

void add_bill(telecom_db& db, std::size_t owner, bill added) {
  edit_customer(db, owner).bill_ids.push_back(added.bill_id);
  db.bills.edit().emplace_back(std::move(added));
}

} // namespace brewery::tau2
