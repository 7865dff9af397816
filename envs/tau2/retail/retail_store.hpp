#pragma once
/// The shop's records for its tools: look-ups, and money on gift cards.
/// Failures have the reference's texts. Arguments may be any JSON value and are
/// used unconverted, so a wrong type fails where Python fails, if at all.
///
/// Pointers to records are valid until that record is edited.

#include "envs/tau2/data/records.hpp"
#include "envs/tau2/functions.hpp"

#include <vector>

namespace brewery::tau2 {

/// Tables "products", "users", "orders".
using retail_function = function_info<record_db>;
using retail_functions = function_table<record_db>;
using retail_outcome = result<tool_value>;

/// The failure of a tool, with the reference's text.
error shop_refusal(std::string text);

/// A whole record as a tool's result.
tool_value record_text(const json& record);

/// Fails with e.g. "Order not found". Lists and objects are no valid ids.
result<const json*> find_order(const record_db& db, const json& id);
result<const json*> find_shop_user(const record_db& db, const json& id);
result<const json*> find_product(const record_db& db, const json& id);
/// A variant of this product.
result<const json*> find_variant(const record_db& db, const json& product_id,
                                 const json& id);
/// The first product with this item.
result<const json*> find_item(const record_db& db, const json& id);
/// A payment method of this user.
result<const json*> find_payment_method(const record_db& db,
                                        const json& user_id, const json& id);

/// The order for editing; it must exist.
json& edit_order(record_db& db, const json& id);

bool is_gift_card(const json& payment_method);

/// Adds an amount, possibly negative, to the balance of a gift card and rounds
/// the balance to two places. Other payment methods have no balance.
void settle(record_db& db, const json& user_id, const json& payment_method_id,
            double amount);

/// One row of an order's payment history.
json payment_row(const char* type, double amount,
                 const json& payment_method_id);

} // namespace brewery::tau2
