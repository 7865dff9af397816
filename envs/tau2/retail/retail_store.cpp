#include "envs/tau2/retail/retail_store.hpp"

namespace brewery::tau2 {

namespace {

/// The key for a look-up by this value: null if it cannot be an id.
result<const std::string*> as_key(const json& id) {
  if (const auto ok = py_hashable(id); !ok) return ok.error();
  return id.is_string() ? id.get_ptr<const std::string*>() : nullptr;
}

result<const json*> find_record(const record_table& table, const json& id,
                                const char* missing) {
  const auto key = as_key(id);
  if (!key) return key.error();
  const json* record = *key != nullptr ? table.find(**key) : nullptr;
  if (record == nullptr) return shop_refusal(missing);
  return record;
}

result<const json*> find_member(const json& object, const json& id,
                                const char* missing) {
  const auto key = as_key(id);
  if (!key) return key.error();
  const auto at = *key != nullptr ? object.find(**key) : object.end();
  if (at == object.end()) return shop_refusal(missing);
  return &*at;
}

} // namespace

error shop_refusal(std::string text) {
  return {ec::invalid_argument, std::move(text)};
}

tool_value record_text(const json& record) {
  std::string text;
  append_json(text, record, key_order::model);
  return text;
}

result<const json*> find_order(const record_db& db, const json& id) {
  return find_record(db.table("orders"), id, "Order not found");
}

result<const json*> find_shop_user(const record_db& db, const json& id) {
  return find_record(db.table("users"), id, "User not found");
}

result<const json*> find_product(const record_db& db, const json& id) {
  return find_record(db.table("products"), id, "Product not found");
}

result<const json*> find_variant(const record_db& db, const json& product_id,
                                 const json& id) {
  const auto product = find_product(db, product_id);
  if (!product) return product.error();
  return find_member((**product)["variants"], id, "Variant not found");
}

result<const json*> find_item(const record_db& db, const json& id) {
  const auto key = as_key(id);
  if (!key) return key.error();
  if (*key != nullptr) {
    for (const auto& [product_id, product] : db.table("products").rows()) {
      const json& variants = (*product)["variants"];
      if (const auto at = variants.find(**key); at != variants.end())
        return &*at;
    }
  }
  return shop_refusal("Item not found");
}

result<const json*> find_payment_method(const record_db& db,
                                        const json& user_id, const json& id) {
  const auto user = find_shop_user(db, user_id);
  if (!user) return user.error();
  return find_member((**user)["payment_methods"], id,
                     "Payment method not found");
}

json& edit_order(record_db& db, const json& id) {
  json* order = db.table("orders").edit(id.get_ref<const std::string&>());
  BREWERY_ASSERT(order != nullptr);
  return *order;
}

bool is_gift_card(const json& payment_method) {
  return payment_method["source"] == "gift_card";
}

void settle(record_db& db, const json& user_id, const json& payment_method_id,
            double amount) {
  const auto method = find_payment_method(db, user_id, payment_method_id);
  if (!method || !is_gift_card(**method)) return;
  json& user = *db.table("users").edit(user_id.get_ref<const std::string&>());
  json& balance =
      user["payment_methods"][payment_method_id.get_ref<const std::string&>()]
          ["balance"];
  balance = py_round2(balance.get<double>() + amount);
}

json payment_row(const char* type, double amount,
                 const json& payment_method_id) {
  return {{"transaction_type", type},
          {"amount", amount},
          {"payment_method_id", payment_method_id}};
}

} // namespace brewery::tau2
