/// The operator's functions that only task files name. Argument types are
/// checked: a task file with another type is invalid, while the reference would
/// store anything.

#include "base/text.hpp"
#include "envs/tau2/telecom/telecom_accounts.hpp"
#include "envs/tau2/telecom/telecom_agent_tools.hpp"

#include <fmt/format.h>

#include <cmath>

namespace brewery::tau2 {

namespace {

using outcome = result<tool_value>;

outcome set_data_usage(telecom_state& s, const call_arguments& args) {
  const auto found = owned_line(s.accounts, args[0], args[1]);
  if (!found) return found.error();
  const json& used = args[2];
  if (!used.is_number()) return wrong_type("data_used_gb", "a number", used);
  line& target = edit_line(s.accounts, *found);
  if (used.is_number_integer())
    target.data_used_gb = used.get<std::int64_t>();
  else
    target.data_used_gb = used.get<double>();
  return tool_value{fmt::format("Data usage set to {} GB for line {}",
                                py_str(used), py_str(args[1]))};
}

/// Suspends a line because of an unpaid bill of a month.
outcome suspend_line_for_overdue_bill(telecom_state& s,
                                      const call_arguments& args) {
  if (!args[2].is_string())
    return wrong_type("new_bill_id", "a string", args[2]);
  if (!args[3].is_boolean())
    return wrong_type("contract_ended", "true or false", args[3]);
  const auto found = line_by_any_id(s.accounts, args[1]);
  if (!found) return found.error();
  const line& current = *(*s.accounts.lines)[*found];
  if (current.status != line_status::active)
    return refused("Line must be active to suspend for unpaid bill");
  const auto tariff = plan_by_id(s.accounts, current.plan_id);
  if (!tariff) return tariff.error();
  const double amount = (*s.accounts.plans)[*tariff]->price_per_month;
  if (amount <= 0) return refused("Amount must be positive for overdue bill");
  const auto owner = customer_by_id(s.accounts, args[0]);
  if (!owner) return owner.error();
  const auto overdue = bill_with_status(
      s.accounts, *(*s.accounts.customers)[*owner], bill_status::overdue);
  if (!overdue) return overdue.error();
  if (*overdue) return refused("Customer already has an overdue bill");

  bill unpaid;
  unpaid.bill_id = args[2].get<std::string>();
  unpaid.customer_id = args[0].get<std::string>();
  unpaid.period_start = unpaid.issue_date = {"2025-01-01"};
  unpaid.period_end = {"2025-01-31"};
  unpaid.due_date = {"2025-01-15"};
  unpaid.status = bill_status::overdue;
  unpaid.total_due = amount;
  unpaid.line_items = {{"Charge for line " + current.line_id,
                        amount,
                        {std::string{today}},
                        "Charge"}};
  add_bill(s.accounts, *owner, std::move(unpaid));
  line& target = edit_line(s.accounts, *found);
  target.status = line_status::suspended;
  target.suspension_start_date = {std::string{today}};
  if (args[3].get<bool>()) target.contract_end_date = {"2025-01-31"};
  return tool_value{
      fmt::format("Line {} suspended for unpaid bill {}. Contract ended: {}",
                  py_str(args[1]), py_str(args[2]), py_str(args[3]))};
}

outcome get_available_plan_ids(telecom_state& s, const call_arguments&) {
  std::vector<std::string> ids;
  for (const auto& p : *s.accounts.plans)
    ids.push_back(p->plan_id);
  return tool_value{model_text(ids)};
}

outcome assert_data_refueling_amount(telecom_state& s,
                                     const call_arguments& args) {
  const auto found = owned_line(s.accounts, args[0], args[1]);
  if (!found) return found.error();
  if (!args[2].is_number())
    return wrong_type("expected_amount", "a number", args[2]);
  const double refuelled = (*s.accounts.lines)[*found]->data_refueling_gb;
  return tool_value{std::abs(refuelled - args[2].get<double>()) < 1e-6};
}

outcome assert_line_status(telecom_state& s, const call_arguments& args) {
  const auto found = owned_line(s.accounts, args[0], args[1]);
  if (!found) return found.error();
  return tool_value{
      args[2]
      == json(std::string{text_of((*s.accounts.lines)[*found]->status)})};
}

outcome assert_overdue_bill_exists(telecom_state& s,
                                   const call_arguments& args) {
  const auto owner = customer_by_id(s.accounts, args[0]);
  if (!owner) return owner.error();
  for (const auto& id : (*s.accounts.customers)[*owner]->bill_ids) {
    if (args[1] != json(id)) continue;
    const auto found = bill_by_id(s.accounts, id);
    if (!found) return found.error();
    if ((*s.accounts.bills)[*found]->status == bill_status::overdue)
      return tool_value{true};
    return refused(fmt::format("Overdue bill {} is not overdue", id));
  }
  return refused(fmt::format("Overdue bill {} not found", py_str(args[1])));
}

outcome assert_no_overdue_bill(telecom_state& s, const call_arguments& args) {
  for (const auto& candidate : *s.accounts.bills)
    if (args[0] == json(candidate->bill_id))
      return tool_value{candidate->status == bill_status::paid};
  return tool_value{true};
}

tool_parameter parameter(const char* name, const char* type) {
  return {name, type, "", {}};
}

telecom_function
function(function_kind purpose, const char* name, const char* description,
         std::vector<tool_parameter> parameters,
         outcome (*run)(telecom_state&, const call_arguments&)) {
  const tool_kind kind =
      purpose == function_kind::set_up ? tool_kind::write : tool_kind::read;
  return {{"assistant", name, kind, description, std::move(parameters)},
          purpose,
          run};
}

} // namespace

std::vector<telecom_function> agent_task_functions() {
  constexpr auto set_up = function_kind::set_up;
  constexpr auto assertion = function_kind::assertion;
  const auto customer_id = parameter("customer_id", "string");
  const auto line_id = parameter("line_id", "string");
  const auto overdue_id = parameter("overdue_bill_id", "string");
  return {
      function(set_up, "set_data_usage", "Set the data a line has used.",
               {customer_id, line_id, parameter("data_used_gb", "number")},
               set_data_usage),
      function(set_up, "suspend_line_for_overdue_bill",
               "Leave a month unpaid and suspend the line for it.",
               {customer_id, line_id, parameter("new_bill_id", "string"),
                parameter("contract_ended", "boolean")},
               suspend_line_for_overdue_bill),
      function(set_up, "get_available_plan_ids", "List all plans.", {},
               get_available_plan_ids),
      function(assertion, "assert_data_refueling_amount",
               "The line was refuelled with this much data.",
               {customer_id, line_id, parameter("expected_amount", "number")},
               assert_data_refueling_amount),
      function(assertion, "assert_line_status", "The line has this status.",
               {customer_id, line_id, parameter("expected_status", "string")},
               assert_line_status),
      function(assertion, "assert_overdue_bill_exists", "The bill is overdue.",
               {customer_id, overdue_id}, assert_overdue_bill_exists),
      function(assertion, "assert_no_overdue_bill",
               "The bill is paid or does not exist.", {overdue_id},
               assert_no_overdue_bill),
  };
}

} // namespace brewery::tau2
