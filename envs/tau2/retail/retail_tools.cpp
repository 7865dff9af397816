#include "envs/tau2/retail/retail_tools.hpp"

#include "base/text.hpp"
#include "envs/tau2/python_rules/calculate.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::tau2 {

namespace {

using outcome = retail_outcome;

outcome found_text(const result<const json*>& found) {
  if (!found) return found.error();
  return record_text(**found);
}

outcome get_order_details(record_db& db, const call_arguments& args) {
  return found_text(find_order(db, args[0]));
}

outcome get_product_details(record_db& db, const call_arguments& args) {
  return found_text(find_product(db, args[0]));
}

outcome get_item_details(record_db& db, const call_arguments& args) {
  return found_text(find_item(db, args[0]));
}

outcome get_user_details(record_db& db, const call_arguments& args) {
  return found_text(find_shop_user(db, args[0]));
}

result<std::string> lowered(const json& value) {
  if (!value.is_string())
    return shop_refusal(fmt::format("'{}' object has no attribute 'lower'",
                                    py_type_name(value)));
  return lower(value.get_ref<const std::string&>());
}

outcome find_user_id_by_email(record_db& db, const call_arguments& args) {
  const auto wanted = lowered(args[0]);
  if (!wanted) return wanted.error();
  for (const auto& [id, user] : db.table("users").rows())
    if (lower((*user)["email"].get_ref<const std::string&>()) == *wanted)
      return tool_value{id};
  return shop_refusal("User not found");
}

outcome find_user_id_by_name_zip(record_db& db, const call_arguments& args) {
  const auto first = lowered(args[0]), last = lowered(args[1]);
  if (!first) return first.error();
  for (const auto& [id, user] : db.table("users").rows()) {
    const json& name = (*user)["name"];
    if (lower(name["first_name"].get_ref<const std::string&>()) != *first)
      continue;
    // A last name is read only for a customer with the first name.
    if (!last) return last.error();
    if (lower(name["last_name"].get_ref<const std::string&>()) == *last
        && (*user)["address"]["zip"] == args[2])
      return tool_value{id};
  }
  return shop_refusal("User not found");
}

outcome list_all_product_types(record_db& db, const call_arguments&) {
  json ids = json::object();
  for (const auto& [id, product] : db.table("products").rows())
    ids[(*product)["name"].get_ref<const std::string&>()] =
        (*product)["product_id"];
  std::string text;
  append_json(text, ids, key_order::sorted);
  return tool_value{std::move(text)};
}

outcome calculate_tool(record_db&, const call_arguments& args) {
  auto value = calculate(args[0]);
  if (!value) return value.error();
  return tool_value{std::move(*value)};
}

outcome transfer_customer(record_db&, const call_arguments&) {
  return tool_value{"Transfer successful"};
}

// -- tool descriptions for agents
// ----------------------------------------------

retail_function tool(tool_kind kind, const char* name, const char* description,
                     std::vector<tool_parameter> parameters,
                     outcome (*run)(record_db&, const call_arguments&)) {
  return {{"assistant", name, kind, description, std::move(parameters)},
          function_kind::tool,
          run};
}

tool_parameter text(const char* name, const char* description) {
  return {name, "string", description, {}};
}

tool_parameter order_id() {
  return text("order_id", "The order's id, # included, like #W1234567.");
}

tool_parameter user_id() {
  return text("user_id", "The customer's id, like jane_doe_1234.");
}

tool_parameter item_ids(const char* description) {
  return {"item_ids", "array", description, {}, true, "string"};
}

tool_parameter new_item_ids() {
  return {"new_item_ids",
          "array",
          "Ids of the items wanted instead: as many, in the same order, each "
          "of the same product as the one it replaces and in stock.",
          {},
          true,
          "string"};
}

tool_parameter payment_method_id(const char* description) {
  return text("payment_method_id", description);
}

std::vector<tool_parameter> with_address(tool_parameter whose) {
  return {std::move(whose),
          text("address1", "Street and number."),
          text("address2", "Flat, suite or the like; may be empty."),
          text("city", "City."),
          text("state", "State, in two letters, like CA."),
          text("country", "Country, like USA."),
          text("zip", "Zip code.")};
}

std::vector<retail_function> reading_retail_tools() {
  constexpr auto read = tool_kind::read;
  return {
      tool(read, "find_user_id_by_email", "Find a customer by email address.",
           {text("email", "The address; upper or lower case does not matter.")},
           find_user_id_by_email),
      tool(read, "find_user_id_by_name_zip",
           "Find a customer by name and zip code: for those who cannot be "
           "found by email.",
           {text("first_name", "First name; case does not matter."),
            text("last_name", "Last name; case does not matter."),
            text("zip", "Zip code of the customer's own address.")},
           find_user_id_by_name_zip),
      tool(read, "get_item_details",
           "Show one item, a variant of a product: its options, price and "
           "whether it is in stock.",
           {text("item_id", "The item's id, which is not its product's.")},
           get_item_details),
      tool(read, "get_order_details",
           "Show an order: items, status, address, deliveries and payments.",
           {order_id()}, get_order_details),
      tool(read, "get_product_details",
           "Show a product with all its items: options, prices and stock.",
           {text("product_id", "The product's id, which is not an item's.")},
           get_product_details),
      tool(read, "get_user_details",
           "Show a customer: name, address, payment methods and order ids.",
           {user_id()}, get_user_details),
      tool(read, "list_all_product_types",
           "List the names of all products with their ids.", {},
           list_all_product_types),
  };
}

std::vector<retail_function> changing_retail_tools() {
  constexpr auto write = tool_kind::write;
  return {
      tool(write, "cancel_pending_order",
           "Cancel a pending order and refund what was paid: to a gift card at "
           "once, elsewhere within days. Have the customer confirm first.",
           {order_id(),
            {"reason",
             "string",
             "Why.",
             {"no longer needed", "ordered by mistake"}}},
           cancel_pending_order),
      tool(write, "exchange_delivered_order_items",
           "Ask for items of a delivered order to be exchanged for others of "
           "the same products. Possible once for an order, and not after a "
           "return. Have the customer confirm first.",
           {order_id(),
            item_ids("Ids of the items to give back; one that was bought "
                     "twice may be named twice."),
            new_item_ids(),
            payment_method_id("Who pays, or gets, the difference in price: an "
                              "id of the customer's payment methods.")},
           exchange_delivered_order_items),
      tool(write, "modify_pending_order_address",
           "Change where a pending order is sent. Have the customer confirm "
           "first.",
           with_address(order_id()), modify_pending_order_address),
      tool(write, "modify_pending_order_items",
           "Replace items of a pending order by others of the same products. "
           "Possible once for an order, so ask for all changes. Have the "
           "customer confirm first.",
           {order_id(),
            item_ids("Ids of the items to replace; one that was bought twice "
                     "may be named twice."),
            new_item_ids(),
            payment_method_id("Who pays, or gets, the difference in price: an "
                              "id of the customer's payment methods.")},
           modify_pending_order_items),
      tool(write, "modify_pending_order_payment",
           "Pay a pending order by another method; the first one is refunded. "
           "Have the customer confirm first.",
           {order_id(),
            payment_method_id("The method to pay with from now on: an id of "
                              "the customer's payment methods.")},
           modify_pending_order_payment),
      tool(write, "modify_user_address",
           "Change a customer's own address; orders keep theirs. Have the "
           "customer confirm first.",
           with_address(user_id()), modify_user_address),
      tool(write, "return_delivered_order_items",
           "Ask for items of a delivered order to be taken back. The customer "
           "is told by email how. Have the customer confirm first.",
           {order_id(),
            item_ids("Ids of the items to return; one that was bought twice "
                     "may be named twice."),
            payment_method_id("Where the refund goes: the method the order was "
                              "paid with, or a gift card of the customer.")},
           return_delivered_order_items),
  };
}

std::vector<retail_function> other() {
  constexpr auto generic = tool_kind::generic;
  return {
      tool(generic, "calculate",
           "Work out an expression of numbers, + - * / and parentheses.",
           {text("expression", "What to work out, like 3 * (19.9 + 4).")},
           calculate_tool),
      tool(generic, "transfer_to_human_agents",
           "Hand the customer over to a person: when asked for one, or when "
           "rules and tools do not allow a solution.",
           {text("summary", "What the person needs to know.")},
           transfer_customer),
  };
}

std::vector<retail_function> all() {
  std::vector<retail_function> tools;
  for (auto group : {reading_retail_tools, changing_retail_tools, other})
    for (auto& one : group())
      tools.push_back(std::move(one));
  std::sort(tools.begin(), tools.end(), [](const auto& a, const auto& b) {
    return a.spec.name < b.spec.name;
  });
  return tools;
}

} // namespace

const retail_functions& retail_tools() {
  static const retail_functions table{"RetailTools", all()};
  return table;
}

} // namespace brewery::tau2
