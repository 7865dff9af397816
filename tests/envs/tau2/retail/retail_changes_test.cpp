#include "tests/envs/tau2/retail/small_shop.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::test;

namespace {

json cancelling(const char* order, json reason = "no longer needed") {
  return {{"order_id", order}, {"reason", std::move(reason)}};
}

json paying(const char* order, json method) {
  return {{"order_id", order}, {"payment_method_id", std::move(method)}};
}

json new_address(const char* whose, const char* id) {
  return {{whose, id},      {"address1", "2 Oak"}, {"address2", "3"},
          {"city", "Köln"}, {"state", "NY"},       {"country", "USA"},
          {"zip", "10001"}};
}

} // namespace

TEST_CASE("a cancelled order is refunded, a gift card at once") {
  small_shop shop;
  const auto order = shop.record("cancel_pending_order",
                                 cancelling("#P", "ordered by mistake"));
  CHECK(order["status"] == "cancelled");
  CHECK(order["cancel_reason"] == "ordered by mistake");
  CHECK(order["payment_history"][1]
        == json{{"transaction_type", "refund"},
                {"amount", 110.3},
                {"payment_method_id", "gift_card_1"}});
  CHECK(shop.gift_balance() == 130.3);
  CHECK(shop.use("cancel_pending_order", cancelling("#P"))
        == "Error: Non-pending order cannot be cancelled");
}

TEST_CASE("a cancellation that fails half-way keeps what it refunded") {
  small_shop shop;
  const auto before = shop.order("#Q");
  CHECK(shop.use("cancel_pending_order", cancelling("#Q"))
        == "Error: Payment method not found");
  CHECK(shop.order("#Q") == before);
  CHECK(shop.gift_balance() == 26.05);
  // And again, as often as it is tried.
  (void)shop.use("cancel_pending_order", cancelling("#Q"));
  CHECK(shop.gift_balance() == 32.1);
}

TEST_CASE("only two reasons cancel an order") {
  small_shop shop;
  const auto before = shop.state().clone();
  for (const json& reason :
       {json("No longer needed"), json(""), json(nullptr), json(1)})
    CHECK(shop.use("cancel_pending_order", cancelling("#P", reason))
          == "Error: Invalid reason");
  CHECK(shop.use("cancel_pending_order",
                 cancelling("#P", json::array({"no longer needed"})))
        == "Error: unhashable type: 'list'");
  CHECK(shop.use("cancel_pending_order", cancelling("#D"))
        == "Error: Non-pending order cannot be cancelled");
  CHECK(shop.use("cancel_pending_order", cancelling("P"))
        == "Error: Order not found");
  CHECK(shop.state().same(*before));
}

TEST_CASE("another payment method pays and the first one is refunded") {
  small_shop shop;
  const auto order = shop.record("modify_pending_order_payment",
                                 paying("#P", "credit_card_1"));
  REQUIRE(order["payment_history"].size() == 3);
  CHECK(order["payment_history"][1]["transaction_type"] == "payment");
  CHECK(order["payment_history"][1]["payment_method_id"] == "credit_card_1");
  CHECK(order["payment_history"][2]["transaction_type"] == "refund");
  CHECK(order["payment_history"][2]["payment_method_id"] == "gift_card_1");
  CHECK(order["status"] == "pending");
  CHECK(shop.gift_balance() == 130.3);
  CHECK(shop.use("modify_pending_order_payment", paying("#P", "paypal_1"))
        == "Error: There should be exactly one payment for a pending order");
}

TEST_CASE("a payment is not moved to nothing, to itself or to too little") {
  small_shop shop;
  const auto before = shop.state().clone();
  const auto refusal = [&](const char* order, const json& method) {
    return shop.use("modify_pending_order_payment", paying(order, method));
  };
  CHECK(refusal("#P", "paypal_9") == "Error: Payment method not found");
  CHECK(refusal("#P", json::array()) == "Error: unhashable type: 'list'");
  CHECK(refusal("#P", "gift_card_1")
        == "Error: The new payment method should be different from the current "
           "one");
  CHECK(refusal("#D", "paypal_1")
        == "Error: Non-pending order cannot be modified");
  CHECK(shop.state().same(*before));
  // A modified order is pending enough for this.
  (void)shop.use("modify_pending_order_items",
                 {{"order_id", "#R"},
                  {"item_ids", json::array()},
                  {"new_item_ids", json::array()},
                  {"payment_method_id", "paypal_1"}});
  CHECK(refusal("#R", "paypal_1")
        == "Error: There should be exactly one payment for a pending order");
}

TEST_CASE("a payment that cannot be refunded is charged all the same") {
  small_shop shop;
  CHECK(shop.use("modify_pending_order_payment", paying("#R", "gift_card_1"))
        == "Error: Payment method not found");
  CHECK(shop.order("#R")["payment_history"].size() == 3);
  CHECK(shop.gift_balance() == 9.9);
}

TEST_CASE("addresses of pending orders and of customers are replaced") {
  small_shop shop;
  const auto order = shop.record("modify_pending_order_address",
                                 new_address("order_id", "#P"));
  // In the order of the record, not of the arguments.
  CHECK(order["address"].dump()
        == R"({"address1":"2 Oak","address2":"3","city":"Köln",)"
           R"("country":"USA","state":"NY","zip":"10001"})");
  const auto user =
      shop.record("modify_user_address", new_address("user_id", "ann_lee_1"));
  CHECK(user["address"] == order["address"]);
  CHECK(shop.order("#Q")["address"]["city"] == "Bonn");
  CHECK(shop.use("modify_pending_order_address", new_address("order_id", "#D"))
        == "Error: Non-pending order cannot be modified");
  CHECK(shop.use("modify_user_address", new_address("user_id", "ann"))
        == "Error: User not found");
}

TEST_CASE("an address of anything but texts is refused whole") {
  small_shop shop;
  const auto before = shop.state().clone();
  for (const char* line :
       {"address1", "address2", "city", "state", "country", "zip"}) {
    for (const json& wrong : {json(10001), json(nullptr), json(true),
                              json::array({"a"}), json::object()}) {
      auto given = new_address("user_id", "ann_lee_1");
      given[line] = wrong;
      const auto text = shop.use("modify_user_address", given);
      INFO(line << " " << wrong);
      CHECK(text.find("Error: 1 validation error for UserAddress\n") == 0);
      CHECK(text.find(line) != std::string::npos);
    }
  }
  CHECK(shop.state().same(*before));
}
