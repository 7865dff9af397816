#pragma once
/// A shop of two products, one customer and five orders, for tests of the
/// retail tools. Its payment history has what the official data has not: rows
/// whose payment method is unknown.

#include "envs/tau2/retail/retail_domain.hpp"

#include <memory>
#include <string>

namespace brewery::test {

/// Lamps 11, 12, 13 (13 is sold out) and mugs 21, 22. Orders, all of ann_lee_1:
/// #P pending, two lamps 11 and a mug 21, paid from the gift card;
/// #Q pending, a mug 21, paid from the gift card and by a method ann has not;
/// #R pending, a mug 21, paid by a method ann has not;
/// #D delivered, two lamps 11 and a mug 21, paid by credit card;
/// #E delivered, a mug 21, with no payment.
inline constexpr auto small_shop_text = R"({
"products": {
 "1": {"name": "Lamp", "product_id": "1", "variants": {
  "11": {"item_id": "11", "options": {"color": "red"}, "available": true, "price": 50.1},
  "12": {"item_id": "12", "options": {"color": "blue"}, "available": true, "price": 64.35},
  "13": {"item_id": "13", "options": {"color": "grey"}, "available": false, "price": 5}}},
 "2": {"name": "Mug", "product_id": "2", "variants": {
  "21": {"item_id": "21", "options": {"size": "S"}, "available": true, "price": 10.1},
  "22": {"item_id": "22", "options": {"size": "L"}, "available": true, "price": 12.2}}}},
"users": {
 "ann_lee_1": {"user_id": "ann_lee_1", "name": {"first_name": "Ann", "last_name": "Lee"},
  "address": {"address1": "1 Elm", "address2": "", "city": "Bonn", "country": "USA", "state": "CA", "zip": "90001"},
  "email": "Ann.Lee@example.com",
  "payment_methods": {
   "gift_card_1": {"source": "gift_card", "id": "gift_card_1", "balance": 20},
   "credit_card_1": {"source": "credit_card", "id": "credit_card_1", "brand": "visa", "last_four": "0001"},
   "paypal_1": {"source": "paypal", "id": "paypal_1"}},
  "orders": ["#P", "#Q", "#R", "#D", "#E"]}},
"orders": {
 "#P": {"order_id": "#P", "user_id": "ann_lee_1",
  "address": {"address1": "1 Elm", "address2": "", "city": "Bonn", "country": "USA", "state": "CA", "zip": "90001"},
  "items": [
   {"name": "Lamp", "product_id": "1", "item_id": "11", "price": 50.1, "options": {"color": "red"}},
   {"name": "Mug", "product_id": "2", "item_id": "21", "price": 10.1, "options": {"size": "S"}},
   {"name": "Lamp", "product_id": "1", "item_id": "11", "price": 50.1, "options": {"color": "red"}}],
  "status": "pending", "fulfillments": [],
  "payment_history": [{"transaction_type": "payment", "amount": 110.3, "payment_method_id": "gift_card_1"}]},
 "#Q": {"order_id": "#Q", "user_id": "ann_lee_1",
  "address": {"address1": "1 Elm", "address2": "", "city": "Bonn", "country": "USA", "state": "CA", "zip": "90001"},
  "items": [{"name": "Mug", "product_id": "2", "item_id": "21", "price": 10.1, "options": {"size": "S"}}],
  "status": "pending", "fulfillments": [],
  "payment_history": [
   {"transaction_type": "payment", "amount": 6.05, "payment_method_id": "gift_card_1"},
   {"transaction_type": "payment", "amount": 4.05, "payment_method_id": "paypal_9"}]},
 "#R": {"order_id": "#R", "user_id": "ann_lee_1",
  "address": {"address1": "1 Elm", "address2": "", "city": "Bonn", "country": "USA", "state": "CA", "zip": "90001"},
  "items": [{"name": "Mug", "product_id": "2", "item_id": "21", "price": 10.1, "options": {"size": "S"}}],
  "status": "pending", "fulfillments": [],
  "payment_history": [{"transaction_type": "payment", "amount": 10.1, "payment_method_id": "paypal_9"}]},
 "#D": {"order_id": "#D", "user_id": "ann_lee_1",
  "address": {"address1": "1 Elm", "address2": "", "city": "Bonn", "country": "USA", "state": "CA", "zip": "90001"},
  "items": [
   {"name": "Mug", "product_id": "2", "item_id": "21", "price": 10.1, "options": {"size": "S"}},
   {"name": "Lamp", "product_id": "1", "item_id": "11", "price": 50.1, "options": {"color": "red"}},
   {"name": "Lamp", "product_id": "1", "item_id": "11", "price": 50.1, "options": {"color": "red"}}],
  "status": "delivered", "fulfillments": [{"tracking_id": ["7"], "item_ids": ["21", "11", "11"]}],
  "payment_history": [{"transaction_type": "payment", "amount": 110.3, "payment_method_id": "credit_card_1"}]},
 "#E": {"order_id": "#E", "user_id": "ann_lee_1",
  "address": {"address1": "1 Elm", "address2": "", "city": "Bonn", "country": "USA", "state": "CA", "zip": "90001"},
  "items": [{"name": "Mug", "product_id": "2", "item_id": "21", "price": 10.1, "options": {"size": "S"}}],
  "status": "delivered", "fulfillments": [], "payment_history": []}}
})";

/// One rollout's shop and short ways to use it.
class small_shop {
public:
  small_shop() {
    const auto loaded = tau2::parse_retail({"db.json", small_shop_text});
    BREWERY_ASSERT(loaded.has_value());
    state_ = (**loaded).initial();
  }

  /// The result's text, or "Error: ...".
  std::string use(const std::string& tool, const json& arguments) {
    const auto value = state_->use_tool("assistant", tool, arguments);
    return value ? std::get<std::string>(*value)
                 : "Error: " + value.error().message;
  }

  /// The same where the result is a record.
  json record(const std::string& tool, const json& arguments) {
    return json::parse(use(tool, arguments), nullptr, false);
  }

  json order(const std::string& id) {
    return record("get_order_details", {{"order_id", id}});
  }

  double gift_balance() {
    return record("get_user_details",
                  {{"user_id",
                    "ann_lee_1"}})["payment_methods"]["gift_card_1"]["balance"]
        .get<double>();
  }

  tau2::domain_state& state() { return *state_; }

private:
  std::unique_ptr<tau2::domain_state> state_;
};

} // namespace brewery::test
