#include "envs/tau2/retail/retail_tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace brewery::tau2 {

namespace {

/// The first item with this id, as const as the order; null if there is none.
auto* item_of(auto& order, const json& item_id) {
  auto& items = order["items"];
  const auto at =
      std::find_if(items.begin(), items.end(), [&](const json& item) {
        return item["item_id"] == item_id;
      });
  return at == items.end() ? nullptr : &*at;
}

/// The first id that is requested more often than the order has it.
result<std::optional<json>> surplus(const json& order, const json& given,
                                    const std::vector<json>& ids) {
  if (given.is_object() && !ids.empty())
    return shop_refusal("'dict' object has no attribute 'count'");
  for (const json& id : ids) {
    const auto asked = std::count(ids.begin(), ids.end(), id);
    const auto there =
        std::count_if(order["items"].begin(), order["items"].end(),
                      [&](const json& item) { return item["item_id"] == id; });
    if (asked > there) return std::optional<json>{id};
  }
  return std::optional<json>{};
}

/// An exchange of an order's items for others of the same products.
struct swap_plan {
  std::vector<json> old_ids, new_ids;
  /// The price difference to the new items, unrounded. Without items it is an
  /// int.
  std::optional<double> difference;
  const json* last_variant = nullptr; ///< null without items

  [[nodiscard]] double owed() const { return difference.value_or(0); }
};

/// The differences between the two tools that exchange items.
struct swap_words {
  const char* not_found; ///< with one {} for the item
  const char* unequal_numbers;
  bool refuses_same_item;
};

/// Checks arguments 1 and 2 against order and stock.
result<swap_plan> plan_swap(const record_db& db, const json& order,
                            const call_arguments& args,
                            const swap_words& words) {
  swap_plan plan;
  auto old_ids = py_elements(args[1]);
  if (!old_ids) return old_ids.error();
  plan.old_ids = std::move(*old_ids);
  const auto missing = surplus(order, args[1], plan.old_ids);
  if (!missing) return missing.error();
  if (*missing)
    return shop_refusal(
        fmt::format(fmt::runtime(words.not_found), py_str(**missing)));
  auto new_ids = py_elements(args[2]);
  // Their number is asked for before they are looked at.
  if (!new_ids)
    return shop_refusal(
        fmt::format("object of type '{}' has no len()", py_type_name(args[2])));
  plan.new_ids = std::move(*new_ids);
  if (plan.old_ids.size() != plan.new_ids.size())
    return shop_refusal(words.unequal_numbers);
  for (std::size_t i = 0; i < plan.old_ids.size(); ++i) {
    const json &old_id = plan.old_ids[i], &new_id = plan.new_ids[i];
    if (words.refuses_same_item && old_id == new_id)
      return shop_refusal(
          "The new item id should be different from the old item id");
    const json& item = *item_of(order, old_id);
    const auto variant = find_variant(db, item["product_id"], new_id);
    if (!variant) return variant.error();
    if (!(**variant)["available"].get<bool>())
      return shop_refusal(
          fmt::format("New item {} not found or available", py_str(new_id)));
    plan.difference =
        plan.owed()
        + ((**variant)["price"].get<double>() - item["price"].get<double>());
    plan.last_variant = *variant;
  }
  return plan;
}

/// Whether a gift card's balance is below the amount.
bool too_little(const json& payment_method, double amount) {
  return is_gift_card(payment_method)
         && payment_method["balance"].get<double>() < amount;
}

json sorted(std::vector<json> ids) {
  std::sort(ids.begin(), ids.end(), [](const json& a, const json& b) {
    return a.get_ref<const std::string&>() < b.get_ref<const std::string&>();
  });
  return json(std::move(ids));
}

} // namespace

retail_outcome exchange_delivered_order_items(record_db& db,
                                              const call_arguments& args) {
  const auto found = find_order(db, args[0]);
  if (!found) return found.error();
  const json& order = **found;
  if (order["status"] != "delivered")
    return shop_refusal("Non-delivered order cannot be exchanged");
  auto plan =
      plan_swap(db, order, args,
                {"Number of {} not found.",
                 "The number of items to be exchanged should match.", false});
  if (!plan) return plan.error();
  if (plan->difference) plan->difference = py_round2(*plan->difference);
  const auto method = find_payment_method(db, order["user_id"], args[3]);
  if (!method) return method.error();
  if (too_little(**method, plan->owed()))
    return shop_refusal("Insufficient gift card balance to pay for the price "
                        "difference");

  json& changed = edit_order(db, args[0]);
  changed["status"] = "exchange requested";
  changed["exchange_items"] = sorted(std::move(plan->old_ids));
  changed["exchange_new_items"] = sorted(std::move(plan->new_ids));
  changed["exchange_payment_method_id"] = args[3];
  changed["exchange_price_difference"] =
      plan->difference ? json(*plan->difference) : json(0);
  return record_text(changed);
}

retail_outcome modify_pending_order_items(record_db& db,
                                          const call_arguments& args) {
  const auto found = find_order(db, args[0]);
  if (!found) return found.error();
  const json& order = **found;
  if (order["status"] != "pending")
    return shop_refusal("Non-pending order cannot be modified");
  const auto plan =
      plan_swap(db, order, args,
                {"{} not found",
                 "The number of items to be exchanged should match", true});
  if (!plan) return plan.error();
  const json user_id = order["user_id"];
  const auto method = find_payment_method(db, user_id, args[3]);
  if (!method) return method.error();
  const double owed = plan->owed();
  if (too_little(**method, owed))
    return shop_refusal(
        "Insufficient gift card balance to pay for the new item");

  settle(db, user_id, args[3], -owed);
  json& changed = edit_order(db, args[0]);
  changed["payment_history"].push_back(
      payment_row(owed > 0 ? "payment" : "refund", std::abs(owed), args[3]));
  for (std::size_t i = 0; i < plan->old_ids.size(); ++i) {
    // Each step takes one item of an id; the order has enough of them.
    json& item = *item_of(changed, plan->old_ids[i]);
    item["item_id"] = plan->new_ids[i];
    // The reference reads a variable that its first loop left.
    item["price"] = (*plan->last_variant)["price"];
    item["options"] = (*plan->last_variant)["options"];
  }
  changed["status"] = "pending (item modified)";
  return record_text(changed);
}

retail_outcome return_delivered_order_items(record_db& db,
                                            const call_arguments& args) {
  const auto found = find_order(db, args[0]);
  if (!found) return found.error();
  const json& order = **found;
  if (order["status"] != "delivered")
    return shop_refusal("Non-delivered order cannot be returned");
  const auto user = find_shop_user(db, order["user_id"]);
  if (!user) return user.error();
  const json& method_id = args[2];
  const auto method = find_payment_method(db, (**user)["user_id"], method_id);
  if (!method) return method.error();
  const json& history = order["payment_history"];
  if (!is_gift_card(**method)) {
    if (history.empty()) return shop_refusal("list index out of range");
    if (history[0]["payment_method_id"] != method_id)
      return shop_refusal(
          "Payment method should be the original payment method");
  }
  auto ids = py_elements(args[1]);
  if (!ids) return ids.error();
  const auto missing = surplus(order, args[1], *ids);
  if (!missing) return missing.error();
  if (*missing) return shop_refusal("Some item not found");

  json& changed = edit_order(db, args[0]);
  changed["status"] = "return requested";
  changed["return_items"] = sorted(std::move(*ids));
  changed["return_payment_method_id"] = method_id;
  return record_text(changed);
}

} // namespace brewery::tau2
