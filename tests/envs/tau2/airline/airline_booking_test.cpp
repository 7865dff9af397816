#include "tests/envs/tau2/airline/small_airline.hpp"

using namespace brewery;
using namespace brewery::test;

namespace {

json paid(const char* id, const json& amount) {
  return json::array({{{"payment_id", id}, {"amount", amount}}});
}

json both(const json& first, const json& second) {
  json all = first;
  all.push_back(second.at(0));
  return all;
}

std::string book(small_airline& desk, const json& changes) {
  return desk.text("book_reservation", small_booking(changes));
}

} // namespace

TEST_CASE("a booking takes seats and is added to the customer's") {
  small_airline desk;
  const json made = desk.ask("book_reservation", small_booking());
  CHECK(made["reservation_id"] == "HATHAT");
  CHECK(made["created_at"] == "2024-05-15T15:00:00");
  CHECK(made["status"].is_null());
  CHECK(made["flights"].dump()
        == R"([{"flight_number":"X1","origin":"AAA","destination":"BBB",)"
           R"("date":"2024-05-20","price":100}])");
  CHECK(desk.reservation("HATHAT") == made);
  CHECK(desk.user()["reservations"] == json::array({"R1", "HATHAT"}));
  CHECK(desk.seats() == 2);
}

TEST_CASE("payments add up exactly to flights, insurance and paid bags") {
  const json costs = {{"insurance", "yes"}, {"nonfree_baggages", 2}};
  for (const auto& [amount, expected] : std::vector<std::pair<int, bool>>{
           {230, true}, {229, false}, {231, false}}) {
    small_airline desk;
    json changes = costs;
    changes["payment_methods"] = paid("card_1", amount);
    const std::string answer = book(desk, changes);
    INFO(answer);
    CHECK((answer.rfind("Error: ", 0) != 0) == expected);
    if (expected) continue;
    CHECK(answer
          == "Error: Payment amount does not add up, total price is 230, but "
             "paid "
                 + std::to_string(amount));
    CHECK(desk.unchanged());
  }
}

TEST_CASE("a certificate is used up whole, a gift card by what it paid") {
  small_airline desk;
  CHECK(book(desk, {{"payment_methods",
                     both(paid("cert_1", 60), paid("gift_1", 40))}})
            .rfind("Error", 0)
        == std::string::npos);
  const json methods = desk.user()["payment_methods"];
  CHECK_FALSE(methods.contains("cert_1"));
  CHECK(methods["gift_1"]["amount"].dump() == "80.0");
}

TEST_CASE("balances are checked one payment at a time") {
  small_airline desk;
  CHECK(book(desk, {{"payment_methods", paid("gift_1", 121)}})
        == "Error: Not enough balance in payment method gift_1");
  CHECK(book(desk, {{"payment_methods", paid("gift_9", 100)}})
        == "Error: Payment method gift_9 not found");
  CHECK(desk.unchanged());
  // Twice 100 of 120: each is covered.
  json twice = {
      {"payment_methods", both(paid("gift_1", 100), paid("gift_1", 100))}};
  twice["insurance"] = "yes";
  twice["nonfree_baggages"] = 1;
  twice["payment_methods"].push_back(
      {{"payment_id", "card_1"}, {"amount", -20}});
  CHECK(book(desk, twice).rfind("Error", 0) == std::string::npos);
  CHECK(desk.user()["payment_methods"]["gift_1"]["amount"].dump() == "-80.0");
}

TEST_CASE("a certificate given twice is gone although the booking fails") {
  small_airline desk;
  CHECK(book(desk, {{"payment_methods",
                     both(paid("cert_1", 60), paid("cert_1", 40))}})
        == "Error: 'cert_1'");
  CHECK_FALSE(desk.user()["payment_methods"].contains("cert_1"));
  CHECK(desk.seats() == 3);
  CHECK(desk.user()["reservations"] == json::array({"R1"}));
}

TEST_CASE("a booking without flights costs nothing") {
  for (const json& none : {json::array(), json::object(), json("")}) {
    small_airline desk;
    const json made =
        desk.ask("book_reservation",
                 small_booking({{"flights", none}, {"payment_methods", none}}));
    CHECK(made["flights"] == json::array());
    CHECK(made["payment_history"] == json::array());
    CHECK(desk.seats() == 3);
  }
}

TEST_CASE("a customer's task books three times at most") {
  small_airline desk;
  const json free = small_booking(
      {{"flights", json::array()}, {"payment_methods", json::array()}});
  for (const char* id : {"HATHAT", "HATHAU", "HATHAV"})
    CHECK(desk.ask("book_reservation", free)["reservation_id"] == id);
  CHECK(desk.text("book_reservation", free) == "Error: Too many reservations");
}

TEST_CASE("a flight is booked on a day it is available, with enough seats") {
  small_airline desk;
  const auto on = [](const char* flight, const char* date) {
    return json{{"flights", {{{"flight_number", flight}, {"date", date}}}}};
  };
  CHECK(book(desk, on("X9", "2024-05-20")) == "Error: Flight X9 not found");
  CHECK(book(desk, on("X1", "2024-06-20"))
        == "Error: Flight X1 not found on date 2024-06-20");
  CHECK(book(desk, on("X1", "2024-05-21"))
        == "Error: Flight X1 not available on date 2024-05-21");
  const json passenger = small_booking()["passengers"][0];
  CHECK(book(desk,
             {{"cabin", "business"}, {"passengers", {passenger, passenger}}})
        == "Error: Not enough seats on flight X1");
  CHECK(desk.unchanged());
}

TEST_CASE("the same flight twice takes its seats twice, below zero too") {
  small_airline desk;
  json flights = small_booking()["flights"];
  flights.push_back(flights[0]);
  CHECK(book(desk, {{"cabin", "business"},
                    {"flights", flights},
                    {"payment_methods", paid("card_1", 400)}})
            .rfind("Error", 0)
        == std::string::npos);
  const json found = desk.ask(
      "search_direct_flight",
      {{"origin", "AAA"}, {"destination", "BBB"}, {"date", "2024-05-20"}});
  CHECK(found[0]["available_seats"]["business"] == -1);
}

TEST_CASE("amounts are whole: texts and floats convert, fractions do not") {
  for (const json& amount :
       {json(100), json(100.0), json("100"), json("1_00")}) {
    small_airline desk;
    const json made =
        desk.ask("book_reservation",
                 small_booking({{"payment_methods", paid("card_1", amount)}}));
    CHECK(made["payment_history"][0]["amount"].dump() == "100");
  }
  for (const json& amount :
       {json(100.5), json("100.5"), json(nullptr), json::array({100})}) {
    small_airline desk;
    const auto answer =
        book(desk, {{"payment_methods", paid("card_1", amount)}});
    CHECK(answer.rfind("Error: 1 validation error for Payment\namount\n", 0)
          == 0);
    CHECK(desk.unchanged());
  }
}

TEST_CASE("paid bags count as given: a text is stored but cannot be added") {
  small_airline desk;
  CHECK(book(desk, {{"nonfree_baggages", "0"}})
        == "Error: unsupported operand type(s) for +=: 'int' and 'str'");
  CHECK(desk.unchanged());
  const json made =
      desk.ask("book_reservation",
               small_booking({{"nonfree_baggages", 1.0},
                              {"total_baggages", "2"},
                              {"payment_methods", paid("card_1", 150)}}));
  CHECK(made["nonfree_baggages"].dump() == "1");
  CHECK(made["total_baggages"].dump() == "2");
  CHECK(book(desk, {{"nonfree_baggages", 1.0}})
        == "Error: Payment amount does not add up, total price is 150.0, but "
           "paid 100");
}

TEST_CASE("the booking itself is checked member by member") {
  small_airline desk;
  const auto wrong = book(desk, {{"passengers", "x"},
                                 {"payment_methods", json::array({1})},
                                 {"cabin", "deck"},
                                 {"insurance", true},
                                 {"total_baggages", 1.5}});
  CHECK(wrong.rfind("Error: 5 validation errors for Reservation\n", 0) == 0);
  for (const char* where :
       {"\ncabin\n", "\npassengers\n", "\npayment_history.0\n",
        "\ntotal_baggages\n", "\ninsurance\n"})
    CHECK(wrong.find(where) != std::string::npos);
  CHECK(book(desk, {{"flights", "x"}})
        == "Error: 'str' object has no attribute 'flight_number'");
  CHECK(book(desk, {{"flights", 7}}) == "Error: 'int' object is not iterable");
  CHECK(book(desk, {{"user_id", json::array()}})
        == "Error: unhashable type: 'list'");
  CHECK(desk.unchanged());
}
