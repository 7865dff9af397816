#include "envs/tau2/airline/airline_store.hpp"

#include "base/utf8.hpp"
#include "envs/tau2/airline/airline_models.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::tau2 {

namespace {

result<const json*> find_record(const record_table& table, const json& id,
                                std::string_view noun) {
  if (const auto ok = py_hashable(id); !ok) return ok.error();
  const json* found =
      id.is_string() ? table.find(id.get_ref<const std::string&>()) : nullptr;
  if (found == nullptr)
    return error{ec::not_found,
                 fmt::format("{} {} not found", noun, py_str(id))};
  return found;
}

} // namespace

result<const json*> find_user(const airline_records& records, const json& id) {
  return find_record(records.users(), id, "User");
}

result<const json*> find_reservation(const airline_records& records,
                                     const json& id) {
  return find_record(records.reservations(), id, "Reservation");
}

result<const json*> find_flight(const airline_records& records,
                                const json& number) {
  return find_record(records.flights(), number, "Flight");
}

result<const json*> find_member(const json& object, const json& key) {
  if (const auto ok = py_hashable(key); !ok) return ok.error();
  if (!key.is_string()) return nullptr;
  const auto at = object.find(key.get_ref<const std::string&>());
  return at == object.end() ? nullptr : &*at;
}

result<const json*> find_flight_day(const airline_records& records,
                                    const json& number, const json& date) {
  const auto flight = find_flight(records, number);
  if (!flight) return flight.error();
  const auto day = find_member((**flight)["dates"], date);
  if (day && *day == nullptr)
    return error{ec::not_found, fmt::format("Flight {} not found on date {}",
                                            py_str(number), py_str(date))};
  return day;
}

result<json> offer(const airline_records& records, const json& number,
                   const json& date, const json& cabin, std::size_t seats) {
  const auto day = find_flight_day(records, number, date);
  if (!day) return day.error();
  if ((**day)["status"] != "available")
    return refused(fmt::format("Flight {} not available on date {}",
                               py_str(number), py_str(date)));
  const auto free = find_member((**day)["available_seats"], cabin);
  if (!free) return free.error();
  // KeyError's text is the key.
  if (*free == nullptr) return refused(py_repr(cabin));
  if ((*free)->get<std::int64_t>() < static_cast<std::int64_t>(seats))
    return refused(
        fmt::format("Not enough seats on flight {}", py_str(number)));
  const auto price = find_member((**day)["prices"], cabin);
  if (!price) return price.error();
  if (*price == nullptr) return refused(py_repr(cabin));
  const json& flight = **find_flight(records, number);
  return json{{"flight_number", number},
              {"origin", flight["origin"]},
              {"destination", flight["destination"]},
              {"date", date},
              {"price", **price}};
}

std::size_t py_length(const json& value) {
  if (!value.is_string()) return value.size();
  const auto& text = value.get_ref<const std::string&>();
  return count_characters(text);
}

result<given_list> take_list(const json& given, std::string_view model,
                             read_model read) {
  if (!given.is_structured() && !given.is_string())
    return refused(
        fmt::format("'{}' object is not iterable", py_type_name(given)));
  given_list list{given, py_length(given) == 0, py_length(given)};
  if (list.models) list.value = json::array();
  if (!given.is_array()
      || !std::all_of(given.begin(), given.end(),
                      [](const json& item) { return item.is_object(); }))
    return list;
  list.models = true;
  for (json& item : list.value) {
    auto converted = model_argument(model, item, read);
    if (!converted) return converted.error();
    item = std::move(*converted);
  }
  return list;
}

error not_a_flight(const json& value) {
  // Iterating a text gives texts; iterating an object gives its keys.
  const json element = value.is_array() ? value.front() : json("");
  return refused(fmt::format("'{}' object has no attribute 'flight_number'",
                             py_type_name(element)));
}

std::optional<py_number> number_of(const json& value) {
  if (!value.is_number() && !value.is_boolean()) return std::nullopt;
  const bool whole = !value.is_number_float();
  if (const auto number = lax_int(value); whole && number) return *number;
  return value.get<double>();
}

} // namespace brewery::tau2
