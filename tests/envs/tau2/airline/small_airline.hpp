#pragma once
/// An airline of two customers and five flights, small enough to read in a
/// test, and calls on it through the domain's port.

#include "envs/tau2/airline/airline_domain.hpp"

#include <catch2/catch.hpp>

namespace brewery::test {

/// Seats and prices are {basic_economy, economy, business}.
inline json open_day(std::vector<int> seats, std::vector<int> prices) {
  json day = {{"status", "available"}};
  for (const auto& [member, values] :
       {std::pair{"available_seats", seats}, std::pair{"prices", prices}})
    day[member] = {{"basic_economy", values[0]},
                   {"economy", values[1]},
                   {"business", values[2]}};
  return day;
}

inline json one_flight(const char* number, const char* origin,
                       const char* destination, const char* departure,
                       const char* arrival, json dates) {
  return {{"origin", origin},
          {"destination", destination},
          {"flight_number", number},
          {"scheduled_departure_time_est", departure},
          {"scheduled_arrival_time_est", arrival},
          {"dates", std::move(dates)}};
}

/// X1 is by day; X2 arrives after midnight, where X3 and X4 go on.
inline json small_airline_flights() {
  const json cheap = open_day({9, 3, 1}, {50, 100, 200});
  const json onward = open_day({9, 9, 9}, {10, 20, 30});
  json flights = json::object();
  for (json flight :
       {one_flight("X1", "AAA", "BBB", "08:00:00", "09:00:00",
                   {{"2024-05-20", cheap},
                    {"2024-05-21", {{"status", "cancelled"}}},
                    {"2024-05-22", open_day({9, 9, 9}, {60, 110, 210})}}),
        one_flight("X2", "AAA", "CCC", "22:00:00", "01:00:00+1",
                   {{"2024-05-09", cheap}, {"2024-05-19", cheap}}),
        one_flight("X3", "CCC", "BBB", "00:30:00", "02:00:00",
                   {{"2024-05-10", onward}, {"2024-05-20", onward}}),
        one_flight("X4", "CCC", "BBB", "06:00:00", "07:00:00",
                   {{"2024-05-10", onward}, {"2024-05-20", onward}}),
        one_flight("X5", "BBB", "DDD", "09:00:00", "10:00:00",
                   {{"2024-05-20", onward}})})
    flights[flight["flight_number"].get<std::string>()] = flight;
  return flights;
}

inline json small_airline_customer(const char* id, json methods,
                                   json reservations) {
  return {{"user_id", id},
          {"name", {{"first_name", "Ada"}, {"last_name", "Quill"}}},
          {"address",
           {{"address1", "1 Hill"},
            {"address2", ""},
            {"city", "Xanten"},
            {"country", "DE"},
            {"state", "NW"},
            {"zip", "46509"}}},
          {"email", "ada@example.org"},
          {"dob", "1980-02-03"},
          {"payment_methods", std::move(methods)},
          {"saved_passengers", json::array()},
          {"membership", "gold"},
          {"reservations", std::move(reservations)}};
}

/// R1: two passengers on X1, economy, one paid bag.
inline json small_airline_file() {
  const json methods = {
      {"card_1",
       {{"source", "credit_card"},
        {"id", "card_1"},
        {"brand", "visa"},
        {"last_four", "0001"}}},
      {"gift_1", {{"source", "gift_card"}, {"id", "gift_1"}, {"amount", 120}}},
      {"cert_1",
       {{"source", "certificate"}, {"id", "cert_1"}, {"amount", 500}}}};
  const json ada = {
      {"first_name", "Ada"}, {"last_name", "Quill"}, {"dob", "1980-02-03"}};
  return {
      {"flights", small_airline_flights()},
      {"users",
       {{"ada_1",
         small_airline_customer("ada_1", methods, json::array({"R1"}))},
        {"ben_2",
         small_airline_customer("ben_2", json::object(), json::array())}}},
      {"reservations",
       {{"R1",
         {{"reservation_id", "R1"},
          {"user_id", "ada_1"},
          {"origin", "AAA"},
          {"destination", "BBB"},
          {"flight_type", "one_way"},
          {"cabin", "economy"},
          {"flights",
           {{{"origin", "AAA"},
             {"destination", "BBB"},
             {"flight_number", "X1"},
             {"date", "2024-05-20"},
             {"price", 70}}}},
          {"passengers", {ada, ada}},
          {"payment_history", {{{"payment_id", "card_1"}, {"amount", 190}}}},
          {"created_at", "2024-05-01T00:00:00"},
          {"total_baggages", 3},
          {"nonfree_baggages", 1},
          {"insurance", "no"}}}}}};
}

class small_airline {
public:
  explicit small_airline(const json& file = small_airline_file()) {
    auto loaded = tau2::parse_airline({"db.json", file.dump()});
    if (!loaded) FAIL(to_string(loaded.error()));
    domain_ = *loaded;
    state_ = domain_->initial();
  }

  /// The answer as text; failures start with "Error: ".
  std::string text(std::string_view tool, const json& arguments) {
    const auto value = state_->use_tool("assistant", tool, arguments);
    return value ? std::get<std::string>(*value)
                 : "Error: " + value.error().message;
  }

  /// The answer of a call that must succeed.
  json ask(std::string_view tool, const json& arguments) {
    const std::string answer = text(tool, arguments);
    INFO(tool << arguments.dump());
    if (answer.rfind("Error: ", 0) == 0) FAIL(answer);
    return json::parse(answer);
  }

  json user(const char* id = "ada_1") {
    return ask("get_user_details", {{"user_id", id}});
  }
  json reservation(const char* id = "R1") {
    return ask("get_reservation_details", {{"reservation_id", id}});
  }
  /// Free economy seats of X1 on 2024-05-20.
  json seats() {
    return ask("search_direct_flight", {{"origin", "AAA"},
                                        {"destination", "BBB"},
                                        {"date", "2024-05-20"}})
        .at(0)["available_seats"]["economy"];
  }
  bool unchanged() const { return state_->same(*domain_->initial()); }

  tau2::domain_state& state() { return *state_; }
  const tau2::domain& domain() const { return *domain_; }

private:
  std::shared_ptr<const tau2::domain> domain_;
  std::unique_ptr<tau2::domain_state> state_;
};

/// One passenger on X1 in economy, for 100, paid by card.
inline json small_booking() {
  return {
      {"user_id", "ada_1"},
      {"origin", "AAA"},
      {"destination", "BBB"},
      {"flight_type", "one_way"},
      {"cabin", "economy"},
      {"flights", {{{"flight_number", "X1"}, {"date", "2024-05-20"}}}},
      {"passengers",
       {{{"first_name", "Cy"}, {"last_name", "Fox"}, {"dob", "2000-01-01"}}}},
      {"payment_methods", {{{"payment_id", "card_1"}, {"amount", 100}}}},
      {"total_baggages", 0},
      {"nonfree_baggages", 0},
      {"insurance", "no"}};
}

/// The same with some members replaced.
inline json small_booking(const json& changes) {
  json booking = small_booking();
  booking.update(changes);
  return booking;
}

} // namespace brewery::test
