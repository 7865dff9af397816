#include "envs/tau2/telecom/telecom_agent_tools.hpp"

#include "base/text.hpp"
#include "envs/tau2/telecom/telecom_accounts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::tau2 {

namespace {

using outcome = result<tool_value>;

/// A JSON object with a message and its line.
outcome message_with_line(std::string_view message, const line& changed) {
  std::string text = "{\"message\": ";
  append_json(text, message);
  text += ", \"line\": ";
  append_model(text, changed, key_order::model);
  return tool_value{text + '}'};
}

template <class T>
outcome record_text(const table<T>& records, result<std::size_t> found) {
  if (!found) return found.error();
  return tool_value{model_text((*records)[*found])};
}

outcome get_customer_by_phone(telecom_state& s, const call_arguments& args) {
  return record_text(s.accounts.customers,
                     customer_by_phone(s.accounts, args[0]));
}

outcome get_customer_by_id(telecom_state& s, const call_arguments& args) {
  return record_text(s.accounts.customers, customer_by_id(s.accounts, args[0]));
}

outcome get_customer_by_name(telecom_state& s, const call_arguments& args) {
  if (!args[0].is_string()) return no_attribute(args[0], "lower");
  const std::string wanted = lower(args[0].get_ref<const std::string&>());
  std::string text = "[";
  for (const auto& record : *s.accounts.customers) {
    if (lower(record->full_name) != wanted || args[1] != record->date_of_birth)
      continue;
    if (text.size() > 1) text += ", ";
    append_model(text, *record, key_order::model);
  }
  return tool_value{text + ']'};
}

outcome get_details_by_id(telecom_state& s, const call_arguments& args) {
  if (!args[0].is_string()) return no_attribute(args[0], "startswith");
  const auto& id = args[0].get_ref<const std::string&>();
  const telecom_db& db = s.accounts;
  switch (id.empty() ? '\0' : id.front()) {
  case 'L':
    return record_text(db.lines, line_by_id(db, id));
  case 'D':
    return record_text(db.devices, device_by_id(db, id));
  case 'B':
    return record_text(db.bills, bill_by_id(db, id));
  case 'C':
    return record_text(db.customers, customer_by_id(db, args[0]));
  case 'P':
    return record_text(db.plans, plan_by_id(db, id));
  default:
    return refused("Unknown ID format or type: " + id);
  }
}

outcome suspend_line(telecom_state& s, const call_arguments& args) {
  const auto found = owned_line(s.accounts, args[0], args[1]);
  if (!found) return found.error();
  if ((*s.accounts.lines)[*found]->status != line_status::active)
    return refused("Line must be active to suspend");
  line& target = edit_line(s.accounts, *found);
  target.status = line_status::suspended;
  target.suspension_start_date = {std::string{today}};
  return message_with_line(
      "Line suspended successfully. $5/month holding fee will apply.", target);
}

outcome resume_line(telecom_state& s, const call_arguments& args) {
  const auto found = owned_line(s.accounts, args[0], args[1]);
  if (!found) return found.error();
  const line_status status = (*s.accounts.lines)[*found]->status;
  if (status != line_status::suspended && status != line_status::pending)
    return refused("Line must be suspended to resume");
  line& target = edit_line(s.accounts, *found);
  target.status = line_status::active;
  target.suspension_start_date.reset();
  return message_with_line("Line resumed successfully", target);
}

/// Python's items[:limit].
result<std::size_t> slice_end(const json& limit, std::size_t size) {
  if (limit.is_null()) return size;
  if (limit.is_boolean())
    return std::min(size, static_cast<std::size_t>(limit.get<bool>()));
  if (!limit.is_number_integer())
    return refused("slice indices must be integers or None or have an "
                   "__index__ method");
  if (limit.is_number_unsigned())
    return static_cast<std::size_t>(
        std::min<std::uint64_t>(size, limit.get<std::uint64_t>()));
  const auto count = limit.get<std::int64_t>();
  const auto whole = static_cast<std::int64_t>(size);
  return static_cast<std::size_t>(
      count < 0 ? std::max<std::int64_t>(0, whole + std::max(count, -whole))
                : std::min(count, whole));
}

outcome get_bills_for_customer(telecom_state& s, const call_arguments& args) {
  const auto owner = customer_by_id(s.accounts, args[0]);
  if (!owner) return owner.error();
  std::vector<const bill*> bills;
  for (const auto& id : (*s.accounts.customers)[*owner]->bill_ids) {
    const auto found = bill_by_id(s.accounts, id);
    if (!found) return found.error();
    bills.push_back(&*(*s.accounts.bills)[*found]);
  }
  std::stable_sort(bills.begin(), bills.end(), [](auto a, auto b) {
    return a->issue_date.text > b->issue_date.text;
  });
  const auto end = slice_end(args.given(1) ? args[1] : json(12), bills.size());
  if (!end) return end.error();
  std::string text = "[";
  for (std::size_t i = 0; i < *end; ++i) {
    if (i != 0) text += ", ";
    append_model(text, *bills[i], key_order::model);
  }
  return tool_value{text + ']'};
}

outcome send_payment_request(telecom_state& s, const call_arguments& args) {
  const auto owner = customer_by_id(s.accounts, args[0]);
  if (!owner) return owner.error();
  const customer& payer = *(*s.accounts.customers)[*owner];
  const auto open =
      bill_with_status(s.accounts, payer, bill_status::awaiting_payment);
  if (!open) return open.error();
  if (*open)
    return refused("A bill is already awaiting payment for this customer");
  const bool owns = args[1].is_string()
                    && std::find(payer.bill_ids.begin(), payer.bill_ids.end(),
                                 args[1].get_ref<const std::string&>())
                           != payer.bill_ids.end();
  if (!owns)
    return refused(fmt::format("Bill {} not found for customer {}",
                               py_str(args[1]), py_str(args[0])));
  const auto& id = args[1].get_ref<const std::string&>();
  const auto found = bill_by_id(s.accounts, id);
  if (!found) return found.error();
  edit_bill(s.accounts, *found).status = bill_status::awaiting_payment;
  return tool_value{"Payment request sent to the customer for bill " + id};
}

outcome get_data_usage(telecom_state& s, const call_arguments& args) {
  const auto found = owned_line(s.accounts, args[0], args[1]);
  if (!found) return found.error();
  const line& target = *(*s.accounts.lines)[*found];
  const auto tariff = plan_by_id(s.accounts, target.plan_id);
  if (!tariff) return tariff.error();
  // The reference quotes numbers that are direct members of a result.
  std::string text = "{\"line_id\": ";
  append_json(text, args[1], key_order::model);
  text += fmt::format(", \"data_used_gb\": \"{}\", \"data_limit_gb\": \"{}\", "
                      "\"data_refueling_gb\": \"{}\", "
                      "\"cycle_end_date\": \"2025-02-28\"}}",
                      py_number_text(target.data_used_gb),
                      py_float((*s.accounts.plans)[*tariff]->data_limit_gb),
                      py_float(target.data_refueling_gb));
  return tool_value{std::move(text)};
}

outcome set_roaming(telecom_state& s, const call_arguments& args, bool on) {
  const auto found = owned_line(s.accounts, args[0], args[1]);
  if (!found) return found.error();
  const std::string_view word = on ? "enabled" : "disabled";
  if ((*s.accounts.lines)[*found]->roaming_enabled == on)
    return tool_value{fmt::format("Roaming was already {}", word)};
  edit_line(s.accounts, *found).roaming_enabled = on;
  return tool_value{fmt::format("Roaming {} successfully", word)};
}

outcome enable_roaming(telecom_state& s, const call_arguments& args) {
  return set_roaming(s, args, true);
}

outcome disable_roaming(telecom_state& s, const call_arguments& args) {
  return set_roaming(s, args, false);
}

outcome transfer_subscriber(telecom_state&, const call_arguments&) {
  return tool_value{"Transfer successful"};
}

outcome refuel_data(telecom_state& s, const call_arguments& args) {
  const auto found = owned_line(s.accounts, args[0], args[1]);
  if (!found) return found.error();
  const json& amount = args[2];
  if (!amount.is_number() && !amount.is_boolean())
    return refused(
        fmt::format("'<=' not supported between instances of '{}' and 'int'",
                    py_type_name(amount)));
  const double gigabytes = amount.is_boolean()
                               ? (amount.get<bool>() ? 1.0 : 0.0)
                               : amount.get<double>();
  if (gigabytes <= 0) return refused("Refuel amount must be positive");
  const auto tariff =
      plan_by_id(s.accounts, (*s.accounts.lines)[*found]->plan_id);
  if (!tariff) return tariff.error();
  const double price =
      (*s.accounts.plans)[*tariff]->data_refueling_price_per_gb;
  const double cost = gigabytes * price;
  const std::string shown = py_str(amount);
  edit_line(s.accounts, *found).data_refueling_gb += gigabytes;
  if (const auto charged = charge(s.accounts, args[0], cost,
                                  fmt::format("Data refueling: {} GB at ${}/GB",
                                              shown, py_float(price)));
      !charged)
    return charged.error();
  std::string text = "{\"message\": ";
  append_json(text, fmt::format("Successfully added {} GB of data for line {} "
                                "for ${}",
                                shown, py_str(args[1]), py_fixed2(cost)));
  text += fmt::format(
      ", \"new_data_refueling_gb\": \"{}\", \"charge\": \"{}\"}}",
      py_float((*s.accounts.lines)[*found]->data_refueling_gb), py_float(cost));
  return tool_value{std::move(text)};
}

const tool_parameter customer_id{
    "customer_id", "string", "Identifier of the customer, such as C1001.", {}};
const tool_parameter line_id{
    "line_id", "string", "Identifier of one of the customer's lines.", {}};

telecom_function tool(tool_kind kind, const char* name, const char* description,
                      std::vector<tool_parameter> parameters,
                      outcome (*run)(telecom_state&, const call_arguments&)) {
  return {{"assistant", name, kind, description, std::move(parameters)},
          function_kind::tool,
          run};
}

} // namespace

std::vector<telecom_function> agent_tools() {
  constexpr auto read = tool_kind::read, write = tool_kind::write;
  return {
      tool(read, "get_customer_by_phone",
           "Look up a customer by contact number or by the number of a line.",
           {{"phone_number", "string", "Number as stored, with dashes.", {}}},
           get_customer_by_phone),
      tool(read, "get_customer_by_id", "Look up a customer by identifier.",
           {customer_id}, get_customer_by_id),
      tool(read, "get_customer_by_name",
           "List the customers with this name and date of birth.",
           {{"full_name", "string", "First and last name, in any case.", {}},
            {"dob", "string", "Date of birth, YYYY-MM-DD.", {}}},
           get_customer_by_name),
      tool(read, "get_details_by_id",
           "Show one record: a line (L), device (D), bill (B), customer (C) or "
           "plan (P), told apart by the first letter of the identifier.",
           {{"id", "string", "Identifier of the record.", {}}},
           get_details_by_id),
      tool(write, "suspend_line",
           "Suspend an active line from today; a monthly holding fee applies.",
           {customer_id,
            line_id,
            {"reason", "string", "Why the line is suspended.", {}}},
           suspend_line),
      tool(write, "resume_line",
           "Make a suspended line, or one pending activation, active.",
           {customer_id, line_id}, resume_line),
      tool(read, "get_bills_for_customer",
           "List a customer's bills, newest first.",
           {customer_id,
            {"limit",
             "integer",
             "At most this many; 12 if left out.",
             {},
             false}},
           get_bills_for_customer),
      tool(write, "send_payment_request",
           "Ask the customer to pay a bill. Only one bill may await payment at "
           "a "
           "time; whether the bill is already paid is not checked.",
           {customer_id,
            {"bill_id", "string", "Identifier of the customer's bill.", {}}},
           send_payment_request),
      tool(read, "get_data_usage",
           "Show data used, limit and refuelled data of a line this cycle.",
           {customer_id, line_id}, get_data_usage),
      tool(write, "enable_roaming", "Allow roaming on a line.",
           {customer_id, line_id}, enable_roaming),
      tool(write, "disable_roaming", "Forbid roaming on a line.",
           {customer_id, line_id}, disable_roaming),
      tool(tool_kind::generic, "transfer_to_human_agents",
           "Hand the case over to a person, when asked for one or when the "
           "tools cannot solve it.",
           {{"summary", "string", "What the person needs to know.", {}}},
           transfer_subscriber),
      tool(write, "refuel_data",
           "Add data to a line; the plan's price per GB goes on the next bill.",
           {customer_id,
            line_id,
            {"gb_amount", "number", "Gigabytes to add, above 0.", {}}},
           refuel_data),
  };
}

const telecom_functions& agent_functions() {
  static const telecom_functions table{"TelecomTools", [] {
                                         auto all = agent_tools();
                                         auto more = agent_task_functions();
                                         std::move(more.begin(), more.end(),
                                                   std::back_inserter(all));
                                         return all;
                                       }()};
  return table;
}

} // namespace brewery::tau2
