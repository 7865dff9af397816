#include "tests/envs/tau2/airline/small_airline.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

json flights_change(const json& cabin, const json& flights,
                    const json& payment = "card_1") {
  return {{"reservation_id", "R1"},
          {"cabin", cabin},
          {"flights", flights},
          {"payment_id", payment}};
}

json on(const char* flight, const char* date) {
  return json::array({{{"flight_number", flight}, {"date", date}}});
}

json bags(const json& total, const json& paid, const json& payment = "card_1") {
  return {{"reservation_id", "R1"},
          {"total_baggages", total},
          {"nonfree_baggages", paid},
          {"payment_id", payment}};
}

std::vector<int> amounts(const json& reservation) {
  std::vector<int> all;
  for (const json& row : reservation["payment_history"])
    all.push_back(row["amount"]);
  return all;
}

} // namespace

TEST_CASE("cancelling twice refunds the refunds and gives no seats back") {
  small_airline desk;
  const json cancel = {{"reservation_id", "R1"}};
  const json once = desk.ask("cancel_reservation", cancel);
  CHECK(once["status"] == "cancelled");
  CHECK(amounts(once) == std::vector{190, -190});
  CHECK(amounts(desk.ask("cancel_reservation", cancel))
        == std::vector{190, -190, -190, 190});
  CHECK(desk.seats() == 3);
  CHECK(desk.user()["payment_methods"]["gift_1"]["amount"].dump() == "120.0");
}

TEST_CASE("a flight kept in the same cabin keeps its price, others do not") {
  small_airline desk;
  const json answer =
      desk.ask("update_reservation_flights",
               flights_change("economy", on("X1", "2024-05-20")));
  CHECK(answer["flights"][0]["price"] == 70);
  CHECK(amounts(answer) == std::vector{190});
  const json moved =
      desk.ask("update_reservation_flights",
               flights_change("economy", on("X1", "2024-05-22")));
  CHECK(moved["flights"][0]["price"] == 110);
  CHECK(amounts(moved) == std::vector{190, 80});
  const json basic =
      desk.ask("update_reservation_flights",
               flights_change("basic_economy", on("X1", "2024-05-22")));
  CHECK(basic["cabin"] == "basic_economy");
  CHECK(amounts(basic) == std::vector{190, 80, -100});
  CHECK(desk.seats() == 3);
}

TEST_CASE("a change is paid by credit card or a gift card that covers it") {
  small_airline desk;
  const auto change = [&](const json& payment) {
    return desk.text(
        "update_reservation_flights",
        flights_change("basic_economy", on("X1", "2024-05-22"), payment));
  };
  CHECK(change("cert_1")
        == "Error: Certificate cannot be used to update reservation");
  CHECK(change("gift_9") == "Error: Payment method not found");
  CHECK(change(5) == "Error: Payment method not found");
  CHECK(change(json::object()) == "Error: unhashable type: 'dict'");
  CHECK(desk.text("update_reservation_baggages", bags(9, 4, "gift_1"))
        == "Error: Gift card balance is not enough");
  CHECK(desk.unchanged());
  // 2 x (60 - 70) back on the card.
  CHECK(change("gift_1").rfind("Error", 0) == std::string::npos);
  CHECK(desk.user()["payment_methods"]["gift_1"]["amount"].dump() == "140.0");
}

TEST_CASE("new flights need a known cabin, a free day and seats") {
  small_airline desk;
  const auto change = [&](const json& cabin, const json& flights) {
    return desk.text("update_reservation_flights",
                     flights_change(cabin, flights));
  };
  CHECK(change("deck", on("X1", "2024-05-20")) == "Error: 'deck'");
  CHECK(change(5, on("X1", "2024-05-20")) == "Error: 5");
  CHECK(change(nullptr, on("X1", "2024-05-20")) == "Error: None");
  CHECK(change("business", on("X1", "2024-05-20"))
        == "Error: Not enough seats on flight X1");
  CHECK(change("economy", on("X1", "2024-05-21"))
        == "Error: Flight X1 not available on date 2024-05-21");
  CHECK(change("economy", json::array({{{"flight_number", "X1"}}}))
        == "Error: 1 validation error for FlightInfo\ndate\n  Field required");
  CHECK(desk.unchanged());
}

TEST_CASE("whatever cabin comes with no flights is stored") {
  small_airline desk;
  const json emptied =
      desk.ask("update_reservation_flights", flights_change(5, json::array()));
  CHECK(emptied["cabin"].dump() == "5");
  CHECK(emptied["flights"] == json::array());
  CHECK(amounts(emptied) == std::vector{190, -140});
}

TEST_CASE("only more paid bags cost, and counts are stored as given") {
  small_airline desk;
  const json fewer = desk.ask("update_reservation_baggages", bags("6", 0));
  CHECK(fewer["total_baggages"].dump() == "\"6\"");
  CHECK(amounts(fewer) == std::vector{190});
  const json more = desk.ask("update_reservation_baggages", bags(9, 2.0));
  CHECK(more["nonfree_baggages"].dump() == "2.0");
  CHECK(more["payment_history"][1]["amount"].dump() == "100");
  const json truth = desk.ask("update_reservation_baggages", bags(9, true));
  CHECK(truth["nonfree_baggages"].dump() == "true");
  const auto before = desk.state().agent_hash();
  CHECK(desk.text("update_reservation_baggages", bags(9, "3"))
        == "Error: unsupported operand type(s) for -: 'str' and 'bool'");
  CHECK(desk.state().agent_hash() == before);
}

TEST_CASE("a gift card is charged before a total with a fraction is refused") {
  small_airline desk;
  const auto answer =
      desk.text("update_reservation_baggages", bags(9, 1.25, "gift_1"));
  CHECK(answer.rfind("Error: 1 validation error for Payment\namount\n", 0)
        == 0);
  CHECK(desk.user()["payment_methods"]["gift_1"]["amount"].dump() == "107.5");
  CHECK(desk.reservation()["nonfree_baggages"] == 1);
  CHECK(amounts(desk.reservation()) == std::vector{190});
}

TEST_CASE("a change that costs nothing still needs a payment method") {
  small_airline desk;
  CHECK(desk.text("update_reservation_baggages", bags(3, 1, "gift_9"))
        == "Error: Payment method not found");
  CHECK(desk.text("update_reservation_baggages", bags(3, 1, "cert_1"))
        == "Error: Certificate cannot be used to update reservation");
  CHECK(amounts(desk.ask("update_reservation_baggages", bags(4, 1)))
        == std::vector{190});
}

TEST_CASE("passengers become records only if all of them are objects") {
  const json cy = {{"dob", "2000-01-01"},
                   {"last_name", "Fox"},
                   {"first_name", "Cy"},
                   {"seat", 4}};
  const auto change = [](small_airline& desk, const json& passengers) {
    return desk.text("update_reservation_passengers",
                     {{"reservation_id", "R1"}, {"passengers", passengers}});
  };
  small_airline desk;
  CHECK(change(desk, {cy, cy}).rfind("Error", 0) == std::string::npos);
  CHECK(desk.reservation()["passengers"][0].dump()
        == R"({"first_name":"Cy","last_name":"Fox","dob":"2000-01-01"})");
  // Not all: kept as given, unknown members too.
  CHECK(change(desk, {cy, "x"}).rfind("Error", 0) == std::string::npos);
  CHECK(desk.reservation()["passengers"] == json::array({cy, "x"}));
  CHECK(change(desk, "é!").rfind("Error", 0) == std::string::npos);
  CHECK(desk.reservation()["passengers"] == "é!");
  CHECK(change(desk, "abc") == "Error: Number of passengers does not match");
  CHECK(change(desk, {cy, {{"first_name", "Cy"}}})
            .rfind("Error: 2 validation errors for Passenger\n", 0)
        == 0);
  // A text of two letters counts as two passengers.
  CHECK(change(desk, {{"a", 1}, {"b", 2}}).rfind("Error", 0)
        == std::string::npos);
  CHECK(change(desk, 2) == "Error: 'int' object is not iterable");
}

TEST_CASE("a customer is sent three certificates at most") {
  small_airline desk;
  const auto send = [&](const json& amount) {
    return desk.text("send_certificate",
                     {{"user_id", "ben_2"}, {"amount", amount}});
  };
  CHECK(send("none").rfind("Error: 1 validation error for Certificate", 0)
        == 0);
  CHECK(desk.unchanged());
  CHECK(send("1e2")
        == "Certificate certificate_3221322 added to user ben_2 with amount "
           "1e2.");
  CHECK(send(110.0)
        == "Certificate certificate_3221323 added to user ben_2 with amount "
           "110.0.");
  CHECK(send(true)
        == "Certificate certificate_3221324 added to user ben_2 with amount "
           "True.");
  CHECK(send(1) == "Error: Too many certificates");
  CHECK(desk.user("ben_2")["payment_methods"].dump()
        == R"({"certificate_3221322":{"source":"certificate",)"
           R"("id":"certificate_3221322","amount":100.0},)"
           R"("certificate_3221323":{"source":"certificate",)"
           R"("id":"certificate_3221323","amount":110.0},)"
           R"("certificate_3221324":{"source":"certificate",)"
           R"("id":"certificate_3221324","amount":1.0}})");
}
