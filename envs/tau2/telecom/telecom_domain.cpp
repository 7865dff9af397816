#include "envs/tau2/telecom/telecom_domain.hpp"

#include "base/text.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::tau2 {

namespace {

std::vector<tool_spec> tool_specs(const telecom_functions& kit) {
  std::vector<tool_spec> specs;
  for (const auto& f : kit.functions())
    if (f.purpose == function_kind::tool) specs.push_back(f.spec);
  return specs;
}

error unknown_tool(std::string_view name) {
  return {ec::not_found, fmt::format("Tool '{}' not found.", name)};
}

std::string unknown_name(const telecom_functions& kit, std::string_view side,
                         std::string_view name, bool tools_only) {
  std::vector<std::string> names;
  for (const auto& f : kit.functions())
    if (!tools_only || f.purpose == function_kind::tool)
      names.push_back(f.spec.name);
  return fmt::format("names the {} {}, which the {} side does not have{}",
                     tools_only ? "tool" : "function", json_quoted(name), side,
                     suggest_choice(std::string{name}, names));
}

/// Checks that the function exists, has the role, and accepts the arguments.
std::string function_problem(const function_call& call, bool asserts) {
  const telecom_functions& kit = *functions_of(call.env_type);
  const telecom_function* function = kit.find(call.name);
  if (function == nullptr)
    return unknown_name(kit, call.env_type, call.name, false);
  if (asserts && function->purpose != function_kind::assertion)
    return fmt::format("names {}, which is not an assertion",
                       json_quoted(call.name));
  const auto bound = kit.bind(*function, call.arguments);
  return bound ? std::string{} : bound.error().message;
}

/// Whether the records are equal in the same order; shared ones are equal.
template <class T>
bool same_table(const table<T>& a, const table<T>& b) {
  if (a.shares_with(b)) return true;
  return std::equal(a->begin(), a->end(), b->begin(), b->end(),
                    [](const cow<T>& x, const cow<T>& y) {
                      return x.shares_with(y)
                             || model_text(*x) == model_text(*y);
                    });
}

bool same_accounts(const telecom_db& a, const telecom_db& b) {
  return same_table(a.plans, b.plans) && same_table(a.customers, b.customers)
         && same_table(a.lines, b.lines) && same_table(a.bills, b.bills)
         && same_table(a.devices, b.devices);
}

} // namespace

std::unique_ptr<domain_state> telecom_domain_state::clone() const {
  return std::make_unique<telecom_domain_state>(state_);
}

result<tool_value> telecom_domain_state::use_tool(std::string_view side,
                                                  std::string_view name,
                                                  const json& arguments) {
  const telecom_functions* kit = functions_of(side);
  const telecom_function* tool =
      kit == nullptr ? nullptr : kit->find_tool(name);
  if (tool == nullptr) return unknown_tool(name);
  return kit->call(*tool, state_, arguments);
}

result<tool_value>
telecom_domain_state::run_function(const function_call& call) {
  const telecom_functions* kit = functions_of(call.env_type);
  const telecom_function* function =
      kit == nullptr ? nullptr : kit->find(call.name);
  if (function == nullptr) return error{ec::not_found, "no such function"};
  return kit->call(*function, state_, call.arguments);
}

std::string telecom_domain_state::agent_hash() const {
  return tau2::agent_hash(state_);
}

std::string telecom_domain_state::user_hash() const {
  return tau2::user_hash(state_);
}

bool telecom_domain_state::same(const domain_state& other) const {
  const auto& theirs = static_cast<const telecom_domain_state&>(other).state_;
  return same_accounts(state_.accounts, theirs.accounts)
         && (state_.user.shares_with(theirs.user)
             || model_text(*state_.user) == model_text(*theirs.user));
}

const std::vector<tool_spec>&
telecom_domain::tools(std::string_view side) const {
  static const std::vector<tool_spec> desk = tool_specs(agent_functions());
  static const std::vector<tool_spec> phone = tool_specs(user_functions());
  return side == "user" ? phone : desk;
}

task_vocabulary telecom_domain::vocabulary() const {
  return {
      [](const function_call& call) { return function_problem(call, false); },
      [](const function_call& call) { return function_problem(call, true); },
      [](const gold_action& action) {
        const telecom_functions& kit = *functions_of(action.requestor);
        return kit.find_tool(action.name) != nullptr
                   ? std::string{}
                   : unknown_name(kit, action.requestor, action.name, true);
      }};
}

std::unique_ptr<domain_state> telecom_domain::initial() const {
  return std::make_unique<telecom_domain_state>(base_);
}

result<std::shared_ptr<const domain>>
load_telecom(const std::filesystem::path& folder) {
  auto accounts = load_telecom_db(folder / "db.toml");
  if (!accounts) return accounts.error();
  auto user = load_telecom_user_db(folder / "user_db.toml");
  if (!user) return user.error();
  telecom_state base;
  base.accounts = std::move(*accounts);
  base.user = cow<telecom_user_db>{std::move(*user)};
  return std::shared_ptr<const domain>{
      std::make_shared<telecom_domain>(std::move(base))};
}

} // namespace brewery::tau2
