#pragma once
/// The shop's records as its tools see them: look-ups, and money on gift cards.
/// Failures carry the text the reference shows. Arguments may be any JSON value
/// and are used as given, so a wrong type fails where Python would fail, if at
/// all.
///
/// Pointers to records hold until the record they point into is edited.

#include "envs/tau2/functions.hpp"
#include "envs/tau2/records.hpp"

#include <vector>

namespace brewery::tau2 {

/// Tables "products", "users", "orders".
using retail_function = function_info<record_db>;
using retail_functions = function_table<record_db>;
using retail_outcome = result<tool_value>;

/// The failure of a tool, in the words of the reference.
error shop_refusal(std::string text);

/// A whole record as a tool's result.
tool_value record_text(const json& record);

/// "Order not found" and so on; lists and objects cannot be looked up.
result<const json*> find_order(const record_db& db, const json& id);
result<const json*> find_shop_user(const record_db& db, const json& id);
result<const json*> find_product(const record_db& db, const json& id);
/// Of that product.
result<const json*> find_variant(const record_db& db, const json& product_id,
                                 const json& id);
/// The first product's that has the item.
result<const json*> find_item(const record_db& db, const json& id);
/// Of that user.
result<const json*> find_payment_method(const record_db& db,
                                        const json& user_id, const json& id);

/// The order to change it; it must be there.
json& edit_order(record_db& db, const json& id);

bool is_gift_card(const json& payment_method);

/// Adds to, or with a negative amount takes from, the balance of a gift card,
/// which is then rounded to two places; other payment methods have none.
void settle(record_db& db, const json& user_id, const json& payment_method_id,
            double amount);

/// One row of an order's payment history.
json payment_row(const char* type, double amount,
                 const json& payment_method_id);

/// What a Python loop over the value goes through: a list's elements, a text's
/// characters, an object's keys. An error for anything else.
result<std::vector<json>> elements(const json& value);

} // namespace brewery::tau2
