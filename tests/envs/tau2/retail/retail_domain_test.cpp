#include "base/text.hpp"
#include "tests/envs/tau2/retail/small_shop.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <set>

using namespace brewery;
using namespace brewery::tau2;
using namespace brewery::test;

namespace {

std::shared_ptr<const domain> shop_domain(const std::string& text) {
  const auto loaded = parse_retail({"db.json", text});
  REQUIRE(loaded);
  return *loaded;
}

std::string refusal_of(const std::string& from, const std::string& to) {
  const std::string text = small_shop_text;
  REQUIRE(text.find(from) != std::string::npos);
  const auto loaded = parse_retail({"db.json", replace_all(text, from, to)});
  return loaded ? "taken" : loaded.error().message;
}

} // namespace

TEST_CASE("the shop has 16 tools, each described, none for a user") {
  const auto shop = shop_domain(small_shop_text);
  CHECK(shop->name() == "retail");
  CHECK(shop->tools("user").empty());
  const auto& tools = shop->tools("assistant");
  CHECK(tools.size() == 16);
  CHECK(std::count_if(tools.begin(), tools.end(),
                      [](const auto& t) { return t.kind == tool_kind::write; })
        == 7);
  CHECK(
      std::count_if(tools.begin(), tools.end(),
                    [](const auto& t) { return t.kind == tool_kind::generic; })
      == 2);
  std::set<std::string> names;
  for (const auto& tool : tools) {
    INFO(tool.name);
    CHECK(names.insert(tool.name).second);
    CHECK(tool.requestor == "assistant");
    CHECK_FALSE(tool.description.empty());
    for (const auto& p : tool.parameters) {
      CHECK((p.type == "string" || p.type == "array"));
      CHECK(p.items == (p.type == "array" ? "string" : ""));
      CHECK_FALSE(p.description.empty());
    }
  }
}

TEST_CASE("customers are found without regard to case, and zip codes exactly") {
  small_shop shop;
  const auto by_name = [&](json first, json last, json zip) {
    return shop.use("find_user_id_by_name_zip",
                    {{"first_name", first}, {"last_name", last}, {"zip", zip}});
  };
  CHECK(shop.use("find_user_id_by_email", {{"email", "ANN.lee@Example.com"}})
        == "ann_lee_1");
  CHECK(shop.use("find_user_id_by_email", {{"email", "ann@example.com"}})
        == "Error: User not found");
  CHECK(shop.use("find_user_id_by_email", {{"email", 3}})
        == "Error: 'int' object has no attribute 'lower'");
  CHECK(by_name("aNN", "LEE", "90001") == "ann_lee_1");
  CHECK(by_name("Ann", "Lee", 90001) == "Error: User not found");
  CHECK(by_name("Ann", "Lee", "90002") == "Error: User not found");
  const std::string no_text =
      "Error: 'NoneType' object has no attribute 'lower'";
  CHECK(by_name(nullptr, "Lee", "90001") == no_text);
  // A last name is read only for customers with the first name.
  CHECK(by_name("Ann", nullptr, "90002") == no_text);
  CHECK(by_name("Nobody", nullptr, "90001") == "Error: User not found");
}

TEST_CASE("records are shown as they are kept, unset members as null") {
  small_shop shop;
  CHECK(shop.use("get_item_details", {{"item_id", "13"}})
        == R"({"item_id": "13", "options": {"color": "grey"}, )"
           R"("available": false, "price": 5.0})");
  CHECK(shop.use("list_all_product_types", json::object())
        == R"({"Lamp": "1", "Mug": "2"})");
  CHECK(shop.use("get_order_details", {{"order_id", "#E"}})
            .find(R"("payment_history": [], "cancel_reason": null, )"
                  R"("exchange_items": null, "exchange_new_items": null, )"
                  R"("exchange_payment_method_id": null, )"
                  R"("exchange_price_difference": null, "return_items": null, )"
                  R"("return_payment_method_id": null})")
        != std::string::npos);
  CHECK(shop.use("get_product_details", {{"product_id", "3"}})
        == "Error: Product not found");
  CHECK(shop.use("get_item_details", {{"item_id", "3"}})
        == "Error: Item not found");
  CHECK(shop.use("get_user_details", {{"user_id", json::object()}})
        == "Error: unhashable type: 'dict'");
  CHECK(shop.use("transfer_to_human_agents", {{"summary", 5}})
        == "Transfer successful");
  CHECK(shop.use("calculate", {{"expression", "64.35 - 50.1"}}) == "14.25");
}

TEST_CASE("calls that do not fit a tool are told in Python's words") {
  small_shop shop;
  CHECK(shop.use("nothing", json::object())
        == "Error: Tool 'nothing' not found.");
  CHECK(shop.use("get_order_details", json::object())
        == "Error: RetailTools.get_order_details() missing 1 required "
           "positional argument: 'order_id'");
  CHECK(shop.use("get_order_details", {{"order_id", "#P"}, {"x", 1}})
        == "Error: RetailTools.get_order_details() got an unexpected keyword "
           "argument 'x'");
  const auto of_user = make_tool_call(
      *shop_domain(small_shop_text), shop.state(), play_mode::with_user, "user",
      "get_order_details", {{"order_id", "#P"}});
  REQUIRE_FALSE(of_user);
  CHECK(of_user.error().message == "User tools not available");
}

TEST_CASE("any arguments get an answer, and reading changes nothing") {
  json deep = 1;
  for (int i = 0; i < 40; ++i)
    deep = json::array({deep});
  const std::vector<json> values{"#P",
                                 "#D",
                                 "ann_lee_1",
                                 "21",
                                 "credit_card_1",
                                 "gift_card_1",
                                 "",
                                 json::array({"21"}),
                                 json::array({"22"}),
                                 json::array(),
                                 json::object(),
                                 json{{"21", "22"}},
                                 0,
                                 -1,
                                 2.5,
                                 true,
                                 nullptr,
                                 deep,
                                 std::numeric_limits<std::uint64_t>::max()};
  const auto shop = shop_domain(small_shop_text);
  const auto fresh = shop->initial();
  for (const auto& tool : shop->tools("assistant")) {
    for (const json& first : values) {
      for (const json& rest : values) {
        const auto state = shop->initial();
        json arguments = json::object();
        for (const auto& p : tool.parameters)
          arguments[p.name] = arguments.empty() ? first : rest;
        const auto value = state->use_tool("assistant", tool.name, arguments);
        INFO(tool.name << arguments.dump());
        CHECK((value || !value.error().message.empty()));
        if (tool.kind != tool_kind::write) CHECK(state->same(*fresh));
      }
    }
  }
}

TEST_CASE("a clone is a snapshot of the shop") {
  small_shop shop;
  const auto before = shop.state().clone();
  const auto hash = before->agent_hash();
  CHECK(shop.state().user_hash().empty());
  (void)shop.use("cancel_pending_order",
                 {{"order_id", "#P"}, {"reason", "no longer needed"}});
  CHECK_FALSE(shop.state().same(*before));
  CHECK(shop.state().agent_hash() != hash);
  CHECK(before->agent_hash() == hash);
}

TEST_CASE("tasks may name the shop's tools and nothing else") {
  const auto names = shop_domain(small_shop_text)->vocabulary();
  gold_action action;
  action.name = "calculate";
  CHECK(names.tool(action).empty());
  action.requestor = "user";
  CHECK(names.tool(action).find("has no tools") != std::string::npos);
  action = {};
  action.name = "calculat";
  CHECK(names.tool(action).find("did you mean \"calculate\"?")
        != std::string::npos);
  CHECK(names.set_up({"assistant", "get_order_details", {{"order_id", "#P"}}})
            .empty());
  CHECK(names.set_up({"assistant", "get_order_details", json::object()})
            .find("missing 1 required")
        != std::string::npos);
  CHECK_FALSE(
      names.assertion({"assistant", "calculate", json::object()}).empty());
}

TEST_CASE("a database that is not the shop's is refused by name and place") {
  CHECK(refusal_of(R"("price": 5})", R"("price": 6})") == "taken");
  // As the reference, which converts numbers and drops what it does not know.
  CHECK(refusal_of(R"("price": 5})", R"("price": "5", "extra": 1})")
        == "taken");
  CHECK(refusal_of(R"("price": 5})", R"("price": []})")
            .find("db.json: products \"1\": variants.13.price: ")
        == 0);
  CHECK(refusal_of(R"("available": false)", R"("available": "no")")
            .find("db.json: products \"1\": variants.13.available: ")
        == 0);
  CHECK(refusal_of(R"("email": "Ann.Lee@example.com",)", "")
        == "db.json: users \"ann_lee_1\": email: Field required");
  CHECK(refusal_of(R"("source": "paypal")", R"("source": "cash")")
            .find("db.json: users \"ann_lee_1\": payment_methods.paypal_1."
                  "source: ")
        == 0);
  CHECK(refusal_of(R"("status": "delivered")", R"("status": "lost")")
            .find("db.json: orders \"#D\": status: ")
        == 0);
  CHECK(refusal_of(R"("payment_history": [])",
                   R"("payment_history": [], "return_items": [3])")
            .find("db.json: orders \"#E\": return_items.0: ")
        == 0);
  CHECK(refusal_of("\"users\"", "\"clients\"")
        == "db.json: \"users\" is missing or not an object of records");
  CHECK(load_retail("no/such/folder").error().code == ec::not_found);
}
