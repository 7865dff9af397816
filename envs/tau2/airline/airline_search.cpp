#include "envs/tau2/airline/airline_tools.hpp"

#include <fmt/format.h>

#include <array>

namespace brewery::tau2 {

namespace {

struct airport {
  std::string_view iata, city;
};

constexpr std::array airports{
    airport{"SFO", "San Francisco"}, airport{"JFK", "New York"},
    airport{"LAX", "Los Angeles"},   airport{"ORD", "Chicago"},
    airport{"DFW", "Dallas"},        airport{"DEN", "Denver"},
    airport{"SEA", "Seattle"},       airport{"ATL", "Atlanta"},
    airport{"MIA", "Miami"},         airport{"BOS", "Boston"},
    airport{"PHX", "Phoenix"},       airport{"IAH", "Houston"},
    airport{"LAS", "Las Vegas"},     airport{"MCO", "Orlando"},
    airport{"EWR", "Newark"},        airport{"CLT", "Charlotte"},
    airport{"MSP", "Minneapolis"},   airport{"DTW", "Detroit"},
    airport{"PHL", "Philadelphia"},  airport{"LGA", "LaGuardia"},
};

/// A search for flights. A null origin or destination matches all.
struct flight_query {
  const json& origin;
  const json& destination;
  const json& date;
  std::string_view leave_after; ///< compared as text; empty: any time
};

bool wanted(const json& asked, const json& airport_code) {
  return asked.is_null() || asked == airport_code;
}

/// The available flights in file order, in the form of search answers. A date
/// that is a list or object fails only once a flight has the right airports.
result<std::vector<json>> search(const airline_records& records,
                                 const flight_query& query,
                                 const json& shown_date) {
  std::vector<json> found;
  for (const auto& [number, record] : records.flights().rows()) {
    const json& flight = *record;
    if (!wanted(query.origin, flight["origin"])
        || !wanted(query.destination, flight["destination"]))
      continue;
    const auto day = find_member(flight["dates"], query.date);
    if (!day) return day.error();
    const json& departure = flight["scheduled_departure_time_est"];
    if (*day == nullptr || (**day)["status"] != "available"
        || departure.get_ref<const std::string&>() < query.leave_after)
      continue;
    found.push_back(
        {{"flight_number", flight["flight_number"]},
         {"origin", flight["origin"]},
         {"destination", flight["destination"]},
         {"status", "available"},
         {"scheduled_departure_time_est", departure},
         {"scheduled_arrival_time_est", flight["scheduled_arrival_time_est"]},
         {"date", shown_date},
         {"available_seats", (**day)["available_seats"]},
         {"prices", (**day)["prices"]}});
  }
  return found;
}

/// The departure day of a connection. An arrival marked "+1" is on the next
/// day, which is written without a leading zero and ignores the end of a month.
result<std::string> connection_date(const std::string& date,
                                    const std::string& arrival) {
  if (arrival.find("+1") == std::string::npos) return date;
  const auto day = date.size() < 2 ? date : date.substr(date.size() - 2);
  const auto number = lax_int(day);
  if (!number)
    return refused(fmt::format("invalid literal for int() with base 10: {}",
                               py_quote(day)));
  return fmt::format("2024-05-{}", *number + 1);
}

} // namespace

airline_outcome record_answer(const json& record) {
  std::string text;
  append_json(text, record, key_order::model);
  return tool_value{std::move(text)};
}

airline_outcome list_all_airports(airline_records&, const call_arguments&) {
  json list = json::array();
  for (const auto& [iata, city] : airports)
    list.push_back({{"iata", iata}, {"city", city}});
  return record_answer(list);
}

airline_outcome search_direct_flight(airline_records& records,
                                     const call_arguments& args) {
  const auto found = search(records, {args[0], args[1], args[2], {}}, nullptr);
  if (!found) return found.error();
  return record_answer(*found);
}

airline_outcome search_onestop_flight(airline_records& records,
                                      const call_arguments& args) {
  const json& date = args[2];
  const auto firsts = search(records, {args[0], nullptr, date, {}}, date);
  if (!firsts) return firsts.error();
  json pairs = json::array();
  for (const json& first : *firsts) {
    const auto& arrival =
        first["scheduled_arrival_time_est"].get_ref<const std::string&>();
    const auto next = connection_date(date.get<std::string>(), arrival);
    if (!next) return next.error();
    const json next_date = *next;
    const auto seconds =
        search(records, {first["destination"], args[1], next_date, arrival},
               next_date);
    if (!seconds) return seconds.error();
    for (const json& second : *seconds)
      pairs.push_back(json::array({first, second}));
  }
  return record_answer(pairs);
}

} // namespace brewery::tau2
