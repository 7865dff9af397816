#include "envs/tau2/airline/airline_models.hpp"
#include "envs/tau2/airline/airline_tools.hpp"

#include <fmt/format.h>

namespace brewery::tau2 {

namespace {

json& edit_reservation(airline_records& records, const json& id) {
  return *records.db.table("reservations")
              .edit(id.get_ref<const std::string&>());
}

/// The reservation, if its user exists, who must pay.
result<const json*> reservation_of_user(const airline_records& records,
                                        const json& id) {
  const auto found = find_reservation(records, id);
  if (!found) return found;
  const auto user = find_user(records, (**found)["user_id"]);
  if (!user) return user.error();
  return found;
}

/// A flight that stays in the same cabin keeps its place and price.
const json* unchanged_flight(const json& reservation, const json& flight,
                             const json& cabin) {
  if (!py_equal(cabin, reservation["cabin"])) return nullptr;
  for (const json& current : reservation["flights"])
    if (current["flight_number"] == flight["flight_number"]
        && current["date"] == flight["date"])
      return &current;
  return nullptr;
}

result<json> new_flights(const airline_records& records,
                         const json& reservation, const given_list& asked,
                         const json& cabin) {
  if (!asked.models) return not_a_flight(asked.value);
  const std::size_t people = py_length(reservation["passengers"]);
  json flights = json::array();
  for (const json& flight : asked.value) {
    if (const json* current = unchanged_flight(reservation, flight, cabin)) {
      flights.push_back(*current);
      continue;
    }
    auto booked =
        offer(records, flight["flight_number"], flight["date"], cabin, people);
    if (!booked) return booked.error();
    flights.push_back(std::move(*booked));
  }
  return flights;
}

/// Price of the flights for all passengers.
result<py_number> price_of(const json& flights, std::size_t people) {
  result<py_number> each = py_number{std::int64_t{0}};
  for (const json& flight : flights)
    if (each) each = py_sum(*each, flight["price"].get<std::int64_t>());
  if (!each) return each.error();
  return py_product(*each, static_cast<std::int64_t>(people));
}

} // namespace

airline_outcome cancel_reservation(airline_records& records,
                                   const call_arguments& args) {
  const auto found = find_reservation(records, args[0]);
  if (!found) return found.error();
  json refunds = json::array();
  for (const json& row : (**found)["payment_history"]) {
    const auto amount =
        py_product(row["amount"].get<std::int64_t>(), std::int64_t{-1});
    if (!amount) return amount.error();
    refunds.push_back({{"payment_id", row["payment_id"]},
                       {"amount", std::get<std::int64_t>(*amount)}});
  }
  json& reservation = edit_reservation(records, args[0]);
  for (json& row : refunds)
    reservation["payment_history"].push_back(std::move(row));
  reservation["status"] = "cancelled";
  return record_answer(reservation);
}

airline_outcome update_reservation_flights(airline_records& records,
                                           const call_arguments& args) {
  const json& cabin = args[1];
  const auto asked = take_list(args[2], "FlightInfo", read_flight_info);
  if (!asked) return asked.error();
  const auto found = reservation_of_user(records, args[0]);
  if (!found) return found.error();
  auto flights = new_flights(records, **found, *asked, cabin);
  if (!flights) return flights.error();

  const std::size_t people = py_length((**found)["passengers"]);
  const auto now = price_of(*flights, people);
  if (!now) return now.error();
  const auto before = price_of((**found)["flights"], people);
  if (!before) return before.error();
  const auto credit = py_product(*before, std::int64_t{-1});
  if (!credit) return credit.error();
  const auto due = py_sum(*now, *credit);
  if (!due) return due.error();
  const auto row = pay_for_change(
      records, (**found)["user_id"].get<std::string>(), args[3], *due);
  if (!row) return row.error();

  // As in the reference, the flights' free seats are unchanged.
  json& reservation = edit_reservation(records, args[0]);
  if (*row) reservation["payment_history"].push_back(**row);
  reservation["flights"] = std::move(*flights);
  reservation["cabin"] = cabin;
  return record_answer(reservation);
}

airline_outcome update_reservation_baggages(airline_records& records,
                                            const call_arguments& args) {
  const auto found = reservation_of_user(records, args[0]);
  if (!found) return found.error();
  const json& current = (**found)["nonfree_baggages"];
  const auto asked = number_of(args[2]);
  if (!asked)
    return refused(
        fmt::format("unsupported operand type(s) for -: '{}' and '{}'",
                    py_type_name(args[2]), py_type_name(current)));
  const auto removed = py_product(*number_of(current), std::int64_t{-1});
  if (!removed) return removed.error();
  const auto more = py_sum(*asked, *removed);
  if (!more) return more.error();
  const py_number none = std::int64_t{0};
  const auto due =
      py_product(std::int64_t{50}, py_less(none, *more) ? *more : none);
  if (!due) return due.error();
  const auto row = pay_for_change(
      records, (**found)["user_id"].get<std::string>(), args[3], *due);
  if (!row) return row.error();

  json& reservation = edit_reservation(records, args[0]);
  if (*row) reservation["payment_history"].push_back(**row);
  reservation["total_baggages"] = args[1];
  reservation["nonfree_baggages"] = args[2];
  return record_answer(reservation);
}

airline_outcome update_reservation_passengers(airline_records& records,
                                              const call_arguments& args) {
  auto people = take_list(args[1], "Passenger", read_passenger);
  if (!people) return people.error();
  const auto found = find_reservation(records, args[0]);
  if (!found) return found.error();
  if (people->size != py_length((**found)["passengers"]))
    return refused("Number of passengers does not match");
  json& reservation = edit_reservation(records, args[0]);
  reservation["passengers"] = std::move(people->value);
  return record_answer(reservation);
}

} // namespace brewery::tau2
