#include "tests/envs/tau2/retail/small_shop.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::test;

namespace {

constexpr auto exchange = "exchange_delivered_order_items";
constexpr auto modify = "modify_pending_order_items";
constexpr auto give_back = "return_delivered_order_items";

json swap(const char* order, json old_ids, json new_ids,
          const char* method = "credit_card_1") {
  return {{"order_id", order},
          {"item_ids", std::move(old_ids)},
          {"new_item_ids", std::move(new_ids)},
          {"payment_method_id", method}};
}

json giving_back(const char* order, json ids,
                 const char* method = "credit_card_1") {
  return {{"order_id", order},
          {"item_ids", std::move(ids)},
          {"payment_method_id", method}};
}

json list(std::initializer_list<const char*> ids) {
  json out = json::array();
  for (const char* id : ids)
    out.push_back(id);
  return out;
}

} // namespace

TEST_CASE("an exchange stores sorted ids and the rounded difference") {
  small_shop shop;
  const auto order =
      shop.record(exchange, swap("#D", list({"21", "11"}), list({"22", "12"})));
  CHECK(order["status"] == "exchange requested");
  CHECK(order["exchange_items"] == list({"11", "21"}));
  CHECK(order["exchange_new_items"] == list({"12", "22"}));
  CHECK(order["exchange_payment_method_id"] == "credit_card_1");
  // In floats it is 16.349999999999994.
  CHECK(order["exchange_price_difference"] == 16.35);
  CHECK(order["items"][0]["item_id"] == "21");
  CHECK(shop.use(exchange, swap("#D", list({"21"}), list({"22"})))
        == "Error: Non-delivered order cannot be exchanged");
}

TEST_CASE("an exchange of nothing differs by the int 0") {
  small_shop shop;
  const auto text =
      shop.use(exchange, swap("#D", json::array(), json::array()));
  CHECK(text.find("\"exchange_items\": [], \"exchange_new_items\": [], ")
        != std::string::npos);
  CHECK(text.find("\"exchange_price_difference\": 0, ") != std::string::npos);
}

TEST_CASE("an exchange that is refused changes nothing") {
  small_shop shop;
  const auto before = shop.state().clone();
  const auto refusal = [&](json old_ids, json new_ids,
                           const char* method = "credit_card_1") {
    const auto text = shop.use(
        exchange, swap("#D", std::move(old_ids), std::move(new_ids), method));
    CHECK(shop.state().same(*before));
    return text;
  };
  CHECK(refusal(list({"11", "11", "11"}), list({"12", "12", "12"}))
        == "Error: Number of 11 not found.");
  CHECK(refusal(list({"21"}), list({"22", "22"}))
        == "Error: The number of items to be exchanged should match.");
  CHECK(refusal(list({"21"}), list({"12"})) == "Error: Variant not found");
  CHECK(refusal(list({"11"}), list({"13"}))
        == "Error: New item 13 not found or available");
  CHECK(refusal(list({"21"}), list({"22"}), "paypal_9")
        == "Error: Payment method not found");
  CHECK(refusal(list({"11", "11"}), list({"12", "12"}), "gift_card_1")
        == "Error: Insufficient gift card balance to pay for the price "
           "difference");
}

TEST_CASE("an item may be exchanged for itself, but not modified to itself") {
  small_shop shop;
  CHECK(shop.record(exchange, swap("#D", list({"21"}),
                                   list({"21"})))["exchange_price_difference"]
        == 0.0);
  CHECK(shop.use(modify, swap("#P", list({"21"}), list({"21"})))
        == "Error: The new item id should be different from the old item id");
}

TEST_CASE("every modified item gets price and options of the last new one") {
  small_shop shop;
  const auto order =
      shop.record(modify, swap("#P", list({"11", "21"}), list({"12", "22"})));
  CHECK(order["status"] == "pending (item modified)");
  const json& lamp = order["items"][0];
  CHECK(lamp["item_id"] == "12");
  CHECK(lamp["price"] == 12.2);
  CHECK(lamp["options"] == json{{"size", "L"}});
  CHECK(lamp["name"] == "Lamp");
  CHECK(order["items"][1]["price"] == 12.2);
  CHECK(order["items"][2]["item_id"] == "11");
  CHECK(shop.use(modify, swap("#P", list({"11"}), list({"12"})))
        == "Error: Non-pending order cannot be modified");
}

TEST_CASE("what a modification costs is charged unrounded") {
  small_shop shop;
  const auto text = shop.use(modify, swap("#P", list({"11", "21"}),
                                          list({"12", "22"}), "gift_card_1"));
  CHECK(text.find("{\"transaction_type\": \"payment\", \"amount\": "
                  "16.349999999999994, \"payment_method_id\": \"gift_card_1\"}")
        != std::string::npos);
  // The balance is rounded.
  CHECK(shop.gift_balance() == 3.65);
}

TEST_CASE("a cheaper item is refunded, and nothing at all is a refund of 0.0") {
  small_shop shop;
  REQUIRE(
      shop.record(modify, swap("#P", list({"21"}), list({"22"}))).is_object());
  small_shop other;
  const auto text = other.use(
      modify, swap("#P", json::array(), json::array(), "gift_card_1"));
  CHECK(text.find("{\"transaction_type\": \"refund\", \"amount\": 0.0, ")
        != std::string::npos);
  CHECK(text.find("pending (item modified)") != std::string::npos);
  CHECK(other.gift_balance() == 20);
}

TEST_CASE("an item named twice is taken twice, from the front") {
  small_shop shop;
  const auto order =
      shop.record(modify, swap("#P", list({"11", "11"}), list({"12", "12"})));
  CHECK(order["items"][0]["item_id"] == "12");
  CHECK(order["items"][1]["item_id"] == "21");
  CHECK(order["items"][2]["item_id"] == "12");
  CHECK(order["payment_history"][1]["amount"] == 28.499999999999986);
  small_shop other;
  CHECK(other.use(modify, swap("#P", list({"11", "11", "11"}),
                               list({"12", "12", "12"})))
        == "Error: 11 not found");
  CHECK(other.use(modify, swap("#P", list({"11"}), list({"12", "12"})))
        == "Error: The number of items to be exchanged should match");
  CHECK(other.use(modify, swap("#P", list({"11", "11"}), list({"12", "12"}),
                               "gift_card_1"))
        == "Error: Insufficient gift card balance to pay for the new item");
}

TEST_CASE("a return goes to the first payment's method or any gift card") {
  for (const char* method : {"credit_card_1", "gift_card_1"}) {
    small_shop shop;
    const auto order =
        shop.record(give_back, giving_back("#D", list({"21", "11"}), method));
    CHECK(order["status"] == "return requested");
    CHECK(order["return_items"] == list({"11", "21"}));
    CHECK(order["return_payment_method_id"] == method);
  }
  small_shop shop;
  CHECK(shop.use(give_back, giving_back("#D", list({"21"}), "paypal_1"))
        == "Error: Payment method should be the original payment method");
  CHECK(shop.use(give_back, giving_back("#D", list({"22"})))
        == "Error: Some item not found");
  CHECK(shop.use(give_back, giving_back("#P", list({"11"})))
        == "Error: Non-delivered order cannot be returned");
  // Python's words: the first of no payments.
  CHECK(shop.use(give_back, giving_back("#E", list({"21"})))
        == "Error: list index out of range");
  CHECK(shop.record(give_back,
                    giving_back("#E", list({"21"}), "gift_card_1"))["status"]
        == "return requested");
}

TEST_CASE("item ids of a wrong type fail where Python fails") {
  small_shop shop;
  // Iterable and empty: as good as a list.
  for (const json& none : {json(""), json::object()}) {
    small_shop fresh;
    CHECK(fresh.record(exchange, swap("#D", none, none))["exchange_items"]
          == json::array());
    CHECK(fresh.record(give_back,
                       giving_back("#E", none, "gift_card_1"))["return_items"]
          == json::array());
  }
  const auto before = shop.state().clone();
  CHECK(shop.use(exchange, swap("#D", "21", list({"22"})))
        == "Error: Number of 2 not found.");
  CHECK(shop.use(exchange, swap("#D", "é", list({"22"})))
        == "Error: Number of é not found.");
  CHECK(shop.use(exchange, swap("#D", json::array({21}), list({"22"})))
        == "Error: Number of 21 not found.");
  CHECK(shop.use(exchange, swap("#D", json::array({nullptr}), list({"22"})))
        == "Error: Number of None not found.");
  CHECK(shop.use(exchange, swap("#D", {{"21", 1}}, list({"22"})))
        == "Error: 'dict' object has no attribute 'count'");
  CHECK(shop.use(exchange, swap("#D", 5, list({"22"})))
        == "Error: 'int' object is not iterable");
  // The number of new items is asked for before they are looked at.
  CHECK(shop.use(exchange, swap("#D", list({"21"}), nullptr))
        == "Error: object of type 'NoneType' has no len()");
  CHECK(shop.use(exchange, swap("#D", list({"21"}), json::array({list({})})))
        == "Error: unhashable type: 'list'");
  CHECK(shop.state().same(*before));
  // A dict of new ids is walked by its keys.
  CHECK(shop.record(exchange,
                    swap("#D", list({"21"}), {{"22", 1}}))["exchange_new_items"]
        == list({"22"}));
}
