#pragma once
/// The airline's records as its tools see them: look-ups, what a call must
/// bring, and payments for changes. Failures carry the text the reference
/// shows. Arguments may be any JSON value and are used as given, so a wrong
/// type fails where Python would fail, if at all.

#include "envs/tau2/functions.hpp"
#include "envs/tau2/model_reader.hpp"
#include "envs/tau2/records.hpp"

#include <optional>

namespace brewery::tau2 {

/// The fixed moment at which everything happens.
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

/// The record, or "User x not found" and so on; lists and objects cannot be
/// looked up. The pointer holds until the table changes.
result<const json*> find_user(const airline_records& records, const json& id);
result<const json*> find_reservation(const airline_records& records,
                                     const json& id);
result<const json*> find_flight(const airline_records& records,
                                const json& number);
/// The flight's record for one day; its status need not be "available".
result<const json*> find_flight_day(const airline_records& records,
                                    const json& number, const json& date);

/// The member of an object by any JSON value; null when it is not there.
result<const json*> find_member(const json& object, const json& key);

/// One flight with price as a reservation keeps it, if it can be booked on
/// that day with `seats` free seats in the cabin.
result<json> offer(const airline_records& records, const json& number,
                   const json& date, const json& cabin, std::size_t seats);

/// A list a tool was given. Objects become models only if all elements are
/// objects; otherwise `value` is what was given.
struct given_list {
  json value;
  bool models = false;
  std::size_t size = 0; ///< Python's len()
};

/// Error when the value cannot be iterated or a model refuses its object.
result<given_list> take_list(const json& given, std::string_view model,
                             read_model read);

/// The failure of using something that is no flight as one.
error not_a_flight(const json& value);

/// len() of a text, list or object.
std::size_t py_length(const json& value);

/// a + b and a * b as Python has them; an int beyond 64 bits is refused.
result<py_number> py_sum(const py_number& a, const py_number& b);
result<py_number> py_product(const py_number& a, const py_number& b);
bool py_less(const py_number& a, const py_number& b);

/// Int, float or bool as a number; nothing for other types. An int beyond 64
/// bits is taken for a float.
std::optional<py_number> number_of(const json& value);

/// Charges a change of a reservation, or pays back a negative total, and
/// returns the row for its payment history; none when the total is 0. As in
/// the reference a gift card is charged before a total that is not whole is
/// refused.
result<std::optional<json>> pay_for_change(airline_records& records,
                                           const std::string& user_id,
                                           const json& payment_id,
                                           const py_number& total);

} // namespace brewery::tau2
