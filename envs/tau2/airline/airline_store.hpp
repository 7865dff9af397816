#pragma once
/// The airline's records for its tools: look-ups, checks of arguments, and
/// payments for changes. Failures have the reference's texts. Arguments may be
/// any JSON value and are used unconverted, so a wrong type fails where Python
/// fails, if at all.

#include "envs/tau2/data/model_reader.hpp"
#include "envs/tau2/data/records.hpp"
#include "envs/tau2/functions.hpp"

#include <optional>

namespace brewery::tau2 {

/// The fixed current time of the domain.
inline constexpr std::string_view airline_now = "2024-05-15T15:00:00";

struct airline_records {
  record_db db; ///< tables "flights", "users", "reservations"

  [[nodiscard]] const record_table& flights() const {
    return db.table("flights");
  }
  [[nodiscard]] const record_table& users() const { return db.table("users"); }
  [[nodiscard]] const record_table& reservations() const {
    return db.table("reservations");
  }
};

using airline_function = function_info<airline_records>;
using airline_functions = function_table<airline_records>;

/// The record, or e.g. "User x not found". Lists and objects are no valid ids.
/// The pointer is valid until the table changes.
result<const json*> find_user(const airline_records& records, const json& id);
result<const json*> find_reservation(const airline_records& records,
                                     const json& id);
result<const json*> find_flight(const airline_records& records,
                                const json& number);
/// The flight's record for one day; its status need not be "available".
result<const json*> find_flight_day(const airline_records& records,
                                    const json& number, const json& date);

/// A member of an object, by any JSON value; null if it does not exist.
result<const json*> find_member(const json& object, const json& key);

/// A flight with its price, as in a reservation, if it can be booked on that
/// day with `seats` free seats in the cabin.
result<json> offer(const airline_records& records, const json& number,
                   const json& date, const json& cabin, std::size_t seats);

/// A list argument of a tool. Objects become models only if all elements are
/// objects; otherwise `value` is the argument itself.
struct given_list {
  json value;
  bool models = false;
  std::size_t size = 0; ///< Python's len()
};

/// Error when the value cannot be iterated or a model refuses its object.
result<given_list> take_list(const json& given, std::string_view model,
                             read_model read);

/// The failure of using a value that is no flight as a flight.
error not_a_flight(const json& value);

/// len() of a text, list or object.
std::size_t py_length(const json& value);

/// Python's a + b and a * b. Ints beyond 64 bits are refused.
result<py_number> py_sum(const py_number& a, const py_number& b);
result<py_number> py_product(const py_number& a, const py_number& b);
bool py_less(const py_number& a, const py_number& b);

/// An int, float or bool as a number; empty for other types. An int beyond 64
/// bits is read as a float.
std::optional<py_number> number_of(const json& value);

/// Charges the cost of changing a reservation, or pays back a negative total.
/// Returns the row for its payment history; empty if the total is 0. As in the
/// reference, a gift card is charged before a total that is not whole is
/// refused.
result<std::optional<json>> pay_for_change(airline_records& records,
                                           const std::string& user_id,
                                           const json& payment_id,
                                           const py_number& total);

} // namespace brewery::tau2
