#include "tests/envs/tau2/airline/small_airline.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

json trip(const json& origin, const json& destination, const json& date) {
  return {{"origin", origin}, {"destination", destination}, {"date", date}};
}

/// Flight numbers of the answer: "X1", or "X2+X3" for a pair.
std::vector<std::string> numbers(const json& found) {
  std::vector<std::string> all;
  for (const json& one : found)
    all.push_back(one.is_object()
                      ? one["flight_number"].get<std::string>()
                      : one[0]["flight_number"].get<std::string>() + "+"
                            + one[1]["flight_number"].get<std::string>());
  return all;
}

} // namespace

using names = std::vector<std::string>;

TEST_CASE("a direct flight is shown with seats and prices, without its date") {
  small_airline desk;
  CHECK(desk.text("search_direct_flight", trip("AAA", "BBB", "2024-05-20"))
        == R"([{"flight_number": "X1", "origin": "AAA", "destination": "BBB", )"
           R"("status": "available", )"
           R"("scheduled_departure_time_est": "08:00:00", )"
           R"("scheduled_arrival_time_est": "09:00:00", "date": null, )"
           R"("available_seats": {"basic_economy": 9, "economy": 3, )"
           R"("business": 1}, "prices": {"basic_economy": 50, )"
           R"("economy": 100, "business": 200}}])");
}

TEST_CASE("only flights available on the day are found") {
  small_airline desk;
  const auto found = [&](const json& query) {
    return numbers(desk.ask("search_direct_flight", query));
  };
  CHECK(found(trip("AAA", "BBB", "2024-05-21")) == names{});
  CHECK(found(trip("AAA", "BBB", "2024-05-23")) == names{});
  CHECK(found(trip("aaa", "BBB", "2024-05-20")) == names{});
  CHECK(found(trip("AAA", "BBB", 20)) == names{});
}

TEST_CASE("null for an airport means any") {
  small_airline desk;
  CHECK(numbers(desk.ask("search_direct_flight",
                         trip(nullptr, nullptr, "2024-05-20")))
        == names{"X1", "X3", "X4", "X5"});
}

TEST_CASE("a date that cannot be looked up fails where a flight fits") {
  small_airline desk;
  CHECK(desk.text("search_direct_flight", trip("AAA", "BBB", json::array()))
        == "Error: unhashable type: 'list'");
  CHECK(desk.text("search_direct_flight", trip("ZZZ", "BBB", json::array()))
        == "[]");
}

TEST_CASE("a connection leaves after the arrival, times compared as text") {
  small_airline desk;
  const auto found = [&](const json& query) {
    return numbers(desk.ask("search_onestop_flight", query));
  };
  CHECK(found(trip("AAA", "DDD", "2024-05-20")) == names{"X1+X5"});
  // Arrives "01:00:00+1": X3 leaves before that, X4 after it.
  CHECK(found(trip("AAA", "BBB", "2024-05-19")) == names{"X2+X4"});
  CHECK(found(trip("AAA", nullptr, "2024-05-19")) == names{"X2+X4"});
}

TEST_CASE("both flights of a connection show their dates") {
  small_airline desk;
  const json pair =
      desk.ask("search_onestop_flight", trip("AAA", "BBB", "2024-05-19"))[0];
  CHECK(pair[0]["date"] == "2024-05-19");
  CHECK(pair[1]["date"] == "2024-05-20");
}

TEST_CASE("the day after an arrival past midnight has no leading zero") {
  json file = small_airline_file();
  json& dates = file["flights"]["X2"]["dates"];
  dates["2024-05-01"] = dates["2024-05-09"];
  for (const char* next : {"2024-05-02", "2024-05-2"}) {
    json changed = file;
    json& later = changed["flights"]["X4"]["dates"];
    later[next] = later["2024-05-10"];
    small_airline desk{changed};
    CHECK(numbers(desk.ask("search_onestop_flight",
                           trip("AAA", "BBB", "2024-05-01")))
          == (next == std::string{"2024-05-2"} ? names{"X2+X4"} : names{}));
  }
  small_airline desk{file};
  CHECK(numbers(
            desk.ask("search_onestop_flight", trip("AAA", "BBB", "2024-05-09")))
        == names{"X2+X4"});
}

TEST_CASE("a flight's status is told as bare text") {
  small_airline desk;
  const auto status = [&](const json& number, const json& date) {
    return desk.text("get_flight_status",
                     {{"flight_number", number}, {"date", date}});
  };
  CHECK(status("X1", "2024-05-20") == "available");
  CHECK(status("X1", "2024-05-21") == "cancelled");
  CHECK(status("X1", "2024-01-01")
        == "Error: Flight X1 not found on date 2024-01-01");
  CHECK(status("X9", "2024-05-20") == "Error: Flight X9 not found");
  CHECK(status(nullptr, "2024-05-20") == "Error: Flight None not found");
}
