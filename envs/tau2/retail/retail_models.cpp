#include "envs/tau2/retail/retail_models.hpp"

#include "envs/tau2/data/person_models.hpp"

namespace brewery::tau2 {

namespace {

json read_truth(const json& from, model_trace& trace) {
  if (!from.is_boolean())
    trace.problem("Input should be a valid boolean, not "
                  + std::string{py_type_name(from)});
  return from;
}

/// A product's options: {"color": "blue", "size": "M"}.
void read_options(model_reader& in) {
  in.map("options", read_text);
}

json read_variant(const json& from, model_trace& trace) {
  model_reader in{from, trace, "variant"};
  in.text("item_id");
  read_options(in);
  in.model("available", read_truth);
  in.number("price");
  return in.take();
}

json read_payment_method(const json& from, model_trace& trace) {
  model_reader in{from, trace, "payment method"};
  in.choice("source", {"credit_card", "gift_card", "paypal"});
  in.text("id");
  const bool known = from.is_object() && from.contains("source");
  if (known && from["source"] == "credit_card") {
    in.text("brand");
    in.text("last_four");
  } else if (known && from["source"] == "gift_card") {
    in.number("balance");
  }
  return in.take();
}

json read_item(const json& from, model_trace& trace) {
  model_reader in{from, trace, "item"};
  for (const char* member : {"name", "product_id", "item_id"})
    in.text(member);
  in.number("price");
  read_options(in);
  return in.take();
}

json read_fulfillment(const json& from, model_trace& trace) {
  model_reader in{from, trace, "fulfillment"};
  in.list("tracking_id", read_text);
  in.list("item_ids", read_text);
  return in.take();
}

json read_payment_row(const json& from, model_trace& trace) {
  model_reader in{from, trace, "payment"};
  in.choice("transaction_type", {"payment", "refund"});
  in.number("amount");
  in.text("payment_method_id");
  return in.take();
}

/// The members that only a changed order has; they are null otherwise.
json read_changes(const json& from, model_trace& trace) {
  const auto given = [&from](const char* member) {
    const auto at = from.find(member);
    return at != from.end() && !at->is_null();
  };
  json changes = json::object();
  const auto read = [&](const char* member, auto how) {
    model_reader in{from, trace, "order"};
    if (given(member)) how(in, member);
    json one = in.take();
    changes[member] = given(member) ? one[member] : json{};
  };
  const auto text = [](model_reader& in, const char* m) { in.text(m); };
  const auto texts = [](model_reader& in, const char* m) {
    in.list(m, read_text);
  };
  read("cancel_reason", [](model_reader& in, const char* m) {
    in.choice(m, {"no longer needed", "ordered by mistake"});
  });
  read("exchange_items", texts);
  read("exchange_new_items", texts);
  read("exchange_payment_method_id", text);
  read("exchange_price_difference",
       [](model_reader& in, const char* m) { in.number(m); });
  read("return_items", texts);
  read("return_payment_method_id", text);
  return changes;
}

} // namespace

json read_product(const json& from, model_trace& trace) {
  model_reader in{from, trace, "product"};
  in.text("name");
  in.text("product_id");
  in.map("variants", read_variant);
  return in.take();
}

json read_shop_user(const json& from, model_trace& trace) {
  model_reader in{from, trace, "user"};
  in.text("user_id");
  in.model("name", read_name);
  in.model("address", read_address);
  in.text("email");
  in.map("payment_methods", read_payment_method);
  in.list("orders", read_text);
  return in.take();
}

json read_order(const json& from, model_trace& trace) {
  model_reader in{from, trace, "order"};
  in.text("order_id");
  in.text("user_id");
  in.model("address", read_address);
  in.list("items", read_item);
  in.choice("status",
            {"processed", "pending", "pending (item modified)", "delivered",
             "cancelled", "exchange requested", "return requested"});
  in.list("fulfillments", read_fulfillment);
  in.list("payment_history", read_payment_row);
  json order = in.take();
  if (from.is_object()) order.update(read_changes(from, trace));
  return order;
}

} // namespace brewery::tau2
