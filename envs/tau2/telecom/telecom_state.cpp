#include "envs/tau2/telecom/telecom_state.hpp"

#include "base/hash.hpp"
#include "envs/tau2/telecom/telecom_accounts.hpp"

namespace brewery::tau2 {

namespace {

/// A paid request settles its bill. Then the first bill that awaits payment
/// becomes the phone's request, unless one is open.
result<void> sync_payments(telecom_state& state, const std::string& phone) {
  const auto& open = state.user->surroundings.payment_request;
  if (open && open->paid) {
    const auto settled = bill_by_id(state.accounts, open->bill_id);
    if (!settled) return settled.error();
    edit_bill(state.accounts, *settled).status = bill_status::paid;
    state.user.edit().surroundings.payment_request.reset();
  }
  if (state.user->surroundings.payment_request) return {};
  const auto owner = customer_by_phone(state.accounts, phone);
  if (!owner) return owner.error();
  const auto due =
      bill_with_status(state.accounts, *(*state.accounts.customers)[*owner],
                       bill_status::awaiting_payment);
  if (!due) return due.error();
  if (*due) {
    const bill& asked = *(*state.accounts.bills)[**due];
    state.user.edit().surroundings.payment_request =
        payment_request{asked.bill_id, asked.total_due, false};
  }
  return {};
}

} // namespace

const telecom_functions* functions_of(std::string_view requestor) {
  if (requestor == "assistant") return &agent_functions();
  if (requestor == "user") return &user_functions();
  return nullptr;
}

result<void> sync_tools(telecom_state& state) {
  if (!state.user->surroundings.phone_number) return {};
  const std::string phone = *state.user->surroundings.phone_number;
  const auto found = line_by_phone(state.accounts, phone);
  if (!found) return found.error();
  const line& subscribed = *(*state.accounts.lines)[*found];

  const bool active = subscribed.status == line_status::active;
  const bool roaming = subscribed.roaming_enabled;
  if (const surroundings& now = state.user->surroundings;
      now.line_active != active || now.roaming_allowed != roaming) {
    surroundings& next = state.user.edit().surroundings;
    next.line_active = active;
    next.roaming_allowed = roaming;
  }

  const auto tariff = plan_by_id(state.accounts, subscribed.plan_id);
  if (!tariff) return tariff.error();
  const bool exceeded = as_double(subscribed.data_used_gb)
                        >= (*state.accounts.plans)[*tariff]->data_limit_gb
                               + subscribed.data_refueling_gb;
  if (state.user->surroundings.mobile_data_usage_exceeded != exceeded)
    state.user.edit().surroundings.mobile_data_usage_exceeded = exceeded;
  return sync_payments(state, phone);
}

std::string agent_hash(const telecom_state& state) {
  return sha256_hex(model_text(state.accounts, key_order::sorted));
}

std::string user_hash(const telecom_state& state) {
  return sha256_hex(model_text(*state.user, key_order::sorted));
}

} // namespace brewery::tau2
