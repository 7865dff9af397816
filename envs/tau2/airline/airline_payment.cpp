#include "envs/tau2/airline/airline_models.hpp"
#include "envs/tau2/airline/airline_store.hpp"

namespace brewery::tau2 {

namespace {

json as_json(const py_number& number) {
  return std::visit([](auto n) { return json(n); }, number);
}

bool both_whole(const py_number& a, const py_number& b) {
  return std::holds_alternative<std::int64_t>(a)
         && std::holds_alternative<std::int64_t>(b);
}

error too_large() {
  return refused("the amount does not fit 64 bits");
}

} // namespace

result<py_number> py_sum(const py_number& a, const py_number& b) {
  if (!both_whole(a, b)) return py_number{as_double(a) + as_double(b)};
  std::int64_t sum = 0;
  if (__builtin_add_overflow(std::get<std::int64_t>(a),
                             std::get<std::int64_t>(b), &sum))
    return too_large();
  return py_number{sum};
}

result<py_number> py_product(const py_number& a, const py_number& b) {
  if (!both_whole(a, b)) return py_number{as_double(a) * as_double(b)};
  std::int64_t product = 0;
  if (__builtin_mul_overflow(std::get<std::int64_t>(a),
                             std::get<std::int64_t>(b), &product))
    return too_large();
  return py_number{product};
}

bool py_less(const py_number& a, const py_number& b) {
  // A mantissa of 64 bits represents every int exactly.
  return std::visit(
      [](auto x, auto y) {
        return static_cast<long double>(x) < static_cast<long double>(y);
      },
      a, b);
}

result<std::optional<json>> pay_for_change(airline_records& records,
                                           const std::string& user_id,
                                           const json& payment_id,
                                           const py_number& total) {
  const json& methods = (*records.users().find(user_id))["payment_methods"];
  const auto method = find_member(methods, payment_id);
  if (!method) return method.error();
  if (*method == nullptr) return refused("Payment method not found");
  const json& source = (**method)["source"];
  if (source == "certificate")
    return refused("Certificate cannot be used to update reservation");
  if (source == "gift_card") {
    const double balance = (**method)["amount"].get<double>();
    if (py_less(balance, total))
      return refused("Gift card balance is not enough");
    if (as_double(total) != 0) {
      json& user = *records.db.table("users").edit(user_id);
      user["payment_methods"][payment_id.get_ref<const std::string&>()]
          ["amount"] = balance - as_double(total);
    }
  }
  if (as_double(total) == 0) return std::optional<json>{};
  auto row = model_argument(
      "Payment", {{"payment_id", payment_id}, {"amount", as_json(total)}},
      read_payment);
  if (!row) return row.error();
  return std::optional{std::move(*row)};
}

} // namespace brewery::tau2
