#include "envs/tau2/airline/airline_models.hpp"
#include "envs/tau2/airline/airline_tools.hpp"

#include <fmt/format.h>

namespace brewery::tau2 {

namespace {

/// The arguments of a booking, by position.
enum argument : std::size_t {
  user_id,
  origin,
  destination,
  flight_type,
  cabin,
  flights,
  passengers,
  payment_methods,
  total_baggages,
  nonfree_baggages,
  insurance,
};

struct booking {
  given_list flights, passengers, payments;
  std::string user;
  json reservation; ///< as stored if all checks pass
};

/// A task makes at most three bookings.
result<std::string> new_reservation_id(const airline_records& records) {
  for (const char* id : {"HATHAT", "HATHAU", "HATHAV"})
    if (records.reservations().find(id) == nullptr) return std::string{id};
  return refused("Too many reservations");
}

/// The checks that need neither flights nor payments.
result<booking> read_booking(const airline_records& records,
                             const call_arguments& args) {
  auto flights_given = take_list(args[flights], "FlightInfo", read_flight_info);
  if (!flights_given) return flights_given.error();
  auto people = take_list(args[passengers], "Passenger", read_passenger);
  if (!people) return people.error();
  auto payments = take_list(args[payment_methods], "Payment", read_payment);
  if (!payments) return payments.error();
  const auto user = find_user(records, args[user_id]);
  if (!user) return user.error();
  const auto id = new_reservation_id(records);
  if (!id) return id.error();
  auto reservation =
      model_argument("Reservation",
                     {{"reservation_id", *id},
                      {"user_id", args[user_id]},
                      {"origin", args[origin]},
                      {"destination", args[destination]},
                      {"flight_type", args[flight_type]},
                      {"cabin", args[cabin]},
                      {"flights", json::array()},
                      {"passengers", people->value},
                      {"payment_history", payments->value},
                      {"created_at", airline_now},
                      {"total_baggages", args[total_baggages]},
                      {"nonfree_baggages", args[nonfree_baggages]},
                      {"insurance", args[insurance]}},
                     read_reservation);
  if (!reservation) return reservation.error();
  return booking{std::move(*flights_given), std::move(*people),
                 std::move(*payments), args[user_id].get<std::string>(),
                 std::move(*reservation)};
}

/// Adds the flights to the reservation and returns the total price.
result<py_number> price(const airline_records& records, booking& made,
                        const call_arguments& args) {
  const auto people = static_cast<std::int64_t>(made.passengers.size);
  result<py_number> total = py_number{std::int64_t{0}};
  const auto add = [&](const py_number& each, const py_number& count) {
    const auto cost = py_product(each, count);
    if (!cost)
      total = cost.error();
    else if (total)
      total = py_sum(*total, *cost);
  };
  if (!made.flights.models) return not_a_flight(made.flights.value);
  for (const json& flight : made.flights.value) {
    auto booked = offer(records, flight["flight_number"], flight["date"],
                        args[cabin], made.passengers.size);
    if (!booked) return booked.error();
    add((*booked)["price"].get<std::int64_t>(), people);
    made.reservation["flights"].push_back(std::move(*booked));
  }
  if (args[insurance] == "yes") add(std::int64_t{30}, people);
  const auto bags = number_of(args[nonfree_baggages]);
  // The reservation accepts a text of digits; the sum does not.
  if (!bags)
    return refused(
        fmt::format("unsupported operand type(s) for +=: 'int' and '{}'",
                    py_type_name(args[nonfree_baggages])));
  add(std::int64_t{50}, *bags);
  return total;
}

/// All payment methods exist, cover their amounts, and add up to the price.
result<void> check_payments(const airline_records& records, const booking& made,
                            const py_number& total) {
  const json& methods = (*records.users().find(made.user))["payment_methods"];
  result<py_number> paid = py_number{std::int64_t{0}};
  for (const json& payment : made.payments.value) {
    const json& id = payment["payment_id"];
    const auto method = find_member(methods, id);
    if (!method) return method.error();
    if (*method == nullptr)
      return refused(fmt::format("Payment method {} not found", py_str(id)));
    const py_number amount = payment["amount"].get<std::int64_t>();
    if ((**method)["source"] != "credit_card"
        && py_less((**method)["amount"].get<double>(), amount))
      return refused(
          fmt::format("Not enough balance in payment method {}", py_str(id)));
    if (paid) paid = py_sum(*paid, amount);
  }
  if (!paid) return paid.error();
  if (py_less(*paid, total) || py_less(total, *paid))
    return refused(fmt::format("Payment amount does not add up, total price is "
                               "{}, but paid {}",
                               py_number_text(total), py_number_text(*paid)));
  return {};
}

/// Charges gift cards and removes certificates, whatever they were worth. A
/// certificate that is given twice fails the second time; the first stays
/// charged.
result<void> charge(airline_records& records, const booking& made) {
  if (made.payments.value.empty()) return {};
  json& methods =
      (*records.db.table("users").edit(made.user))["payment_methods"];
  for (const json& payment : made.payments.value) {
    const auto& id = payment["payment_id"].get_ref<const std::string&>();
    const auto method = methods.find(id);
    if (method == methods.end()) return refused(py_quote(id));
    if ((*method)["source"] == "certificate")
      methods.erase(id);
    else if ((*method)["source"] == "gift_card")
      (*method)["amount"] = (*method)["amount"].get<double>()
                            - as_double(payment["amount"].get<std::int64_t>());
  }
  return {};
}

} // namespace

airline_outcome book_reservation(airline_records& records,
                                 const call_arguments& args) {
  auto made = read_booking(records, args);
  if (!made) return made.error();
  const auto total = price(records, *made, args);
  if (!total) return total.error();
  if (const auto ok = check_payments(records, *made, *total); !ok)
    return ok.error();
  if (const auto ok = charge(records, *made); !ok) return ok.error();

  const auto seats = static_cast<std::int64_t>(made->passengers.size);
  const auto& class_name = args[cabin].get_ref<const std::string&>();
  for (const json& flight : made->reservation["flights"]) {
    json& record = *records.db.table("flights").edit(
        flight["flight_number"].get_ref<const std::string&>());
    json& free = record["dates"][flight["date"].get_ref<const std::string&>()]
                       ["available_seats"][class_name];
    free = free.get<std::int64_t>() - seats;
  }
  const auto id = made->reservation["reservation_id"].get<std::string>();
  records.db.table("reservations").add(id, made->reservation);
  (*records.db.table("users").edit(made->user))["reservations"].push_back(id);
  return record_answer(made->reservation);
}

} // namespace brewery::tau2
