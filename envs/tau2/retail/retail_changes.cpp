#include "envs/tau2/data/person_models.hpp"
#include "envs/tau2/retail/retail_models.hpp"
#include "envs/tau2/retail/retail_tools.hpp"

namespace brewery::tau2 {

namespace {

/// "pending" and "pending (item modified)".
bool is_pending(const json& order) {
  return order["status"].get_ref<const std::string&>().find("pending")
         != std::string::npos;
}

error not_modifiable() {
  return shop_refusal("Non-pending order cannot be modified");
}

/// Reads arguments 1 to 6.
result<json> address_from(const call_arguments& args) {
  json given = json::object();
  std::size_t i = 0;
  for (const char* line :
       {"address1", "address2", "city", "state", "country", "zip"})
    given[line] = args[++i];
  return model_argument("UserAddress", given, read_address);
}

} // namespace

retail_outcome cancel_pending_order(record_db& db, const call_arguments& args) {
  const auto found = find_order(db, args[0]);
  if (!found) return found.error();
  const json& order = **found;
  if (order["status"] != "pending")
    return shop_refusal("Non-pending order cannot be cancelled");
  const json& reason = args[1];
  if (const auto ok = py_hashable(reason); !ok) return ok.error();
  if (reason != "no longer needed" && reason != "ordered by mistake")
    return shop_refusal("Invalid reason");
  json refunds = json::array();
  for (const json& paid : order["payment_history"]) {
    const json& method_id = paid["payment_method_id"];
    const double amount = paid["amount"].get<double>();
    refunds.push_back(payment_row("refund", amount, method_id));
    const auto user = find_shop_user(db, order["user_id"]);
    if (!user) return user.error();
    const json user_id = (**user)["user_id"];
    const auto method = find_payment_method(db, user_id, method_id);
    if (!method) return method.error();
    // Settled at once, so the card keeps the money even if a later row fails.
    settle(db, user_id, method_id, amount);
  }
  json& cancelled = edit_order(db, args[0]);
  cancelled["status"] = "cancelled";
  cancelled["cancel_reason"] = reason;
  for (json& refund : refunds)
    cancelled["payment_history"].push_back(std::move(refund));
  return record_text(cancelled);
}

retail_outcome modify_pending_order_payment(record_db& db,
                                            const call_arguments& args) {
  const auto found = find_order(db, args[0]);
  if (!found) return found.error();
  const json& order = **found;
  if (!is_pending(order)) return not_modifiable();
  const json user_id = order["user_id"];
  const json& method_id = args[1];
  const auto method = find_payment_method(db, user_id, method_id);
  if (!method) return method.error();
  const json& history = order["payment_history"];
  if (history.size() != 1 || history[0]["transaction_type"] != "payment")
    return shop_refusal(
        "There should be exactly one payment for a pending order");
  const json old_method_id = history[0]["payment_method_id"];
  if (old_method_id == method_id)
    return shop_refusal(
        "The new payment method should be different from the current one");
  const double amount = history[0]["amount"].get<double>();
  if (is_gift_card(**method) && (**method)["balance"].get<double>() < amount)
    return shop_refusal("Insufficient gift card balance to pay for the order");

  json& changed = edit_order(db, args[0]);
  changed["payment_history"].push_back(
      payment_row("payment", amount, method_id));
  changed["payment_history"].push_back(
      payment_row("refund", amount, old_method_id));
  settle(db, user_id, method_id, -amount);
  const auto old_method = find_payment_method(db, user_id, old_method_id);
  if (!old_method) return old_method.error();
  settle(db, user_id, old_method_id, amount);
  return record_text(changed);
}

retail_outcome modify_pending_order_address(record_db& db,
                                            const call_arguments& args) {
  const auto found = find_order(db, args[0]);
  if (!found) return found.error();
  if (!is_pending(**found)) return not_modifiable();
  auto address = address_from(args);
  if (!address) return address.error();
  json& order = edit_order(db, args[0]);
  order["address"] = std::move(*address);
  return record_text(order);
}

retail_outcome modify_user_address(record_db& db, const call_arguments& args) {
  const auto found = find_shop_user(db, args[0]);
  if (!found) return found.error();
  auto address = address_from(args);
  if (!address) return address.error();
  json& user = *db.table("users").edit(args[0].get_ref<const std::string&>());
  user["address"] = std::move(*address);
  return record_text(user);
}

} // namespace brewery::tau2
