#include "envs/tau2/airline/airline_tools.hpp"

#include "envs/tau2/airline/airline_models.hpp"
#include "envs/tau2/python_rules/calculate.hpp"

#include <fmt/format.h>

namespace brewery::tau2 {

namespace {

using outcome = airline_outcome;

outcome get_user_details(airline_records& records, const call_arguments& args) {
  const auto found = find_user(records, args[0]);
  if (!found) return found.error();
  return record_answer(**found);
}

outcome get_reservation_details(airline_records& records,
                                const call_arguments& args) {
  const auto found = find_reservation(records, args[0]);
  if (!found) return found.error();
  return record_answer(**found);
}

outcome get_flight_status(airline_records& records,
                          const call_arguments& args) {
  const auto day = find_flight_day(records, args[0], args[1]);
  if (!day) return day.error();
  return tool_value{(**day)["status"].get<std::string>()};
}

outcome send_certificate(airline_records& records, const call_arguments& args) {
  const auto user = find_user(records, args[0]);
  if (!user) return user.error();
  // A user gets at most three; the numbers are the reference's.
  for (const char* id :
       {"certificate_3221322", "certificate_3221323", "certificate_3221324"}) {
    if ((**user)["payment_methods"].contains(id)) continue;
    auto certificate = model_argument(
        "Certificate",
        {{"source", "certificate"}, {"id", id}, {"amount", args[1]}},
        read_certificate);
    if (!certificate) return certificate.error();
    const auto& user_id = args[0].get_ref<const std::string&>();
    json& edited = *records.db.table("users").edit(user_id);
    edited["payment_methods"][id] = std::move(*certificate);
    return tool_value{
        fmt::format("Certificate {} added to user {} with amount {}.", id,
                    user_id, py_str(args[1]))};
  }
  return refused("Too many certificates");
}

outcome transfer_passenger(airline_records&, const call_arguments&) {
  return tool_value{"Transfer successful"};
}

outcome calculate_tool(airline_records&, const call_arguments& args) {
  auto value = calculate(args[0]);
  if (!value) return value.error();
  return tool_value{std::move(*value)};
}

airline_function tool(tool_kind kind, const char* name, const char* description,
                      std::vector<tool_parameter> parameters,
                      outcome (*run)(airline_records&, const call_arguments&)) {
  return {{"assistant", name, kind, description, std::move(parameters)},
          function_kind::tool,
          run};
}

/// Parameters that several tools have.
namespace parameter {

const tool_parameter user_id{
    "user_id", "string", "Identifier of the customer, like mia_li_3668.", {}};
const tool_parameter reservation_id{
    "reservation_id", "string", "Code of the reservation, like 4WQ150.", {}};
const tool_parameter origin{
    "origin", "string", "Three letters of the airport to leave from.", {}};
const tool_parameter destination{
    "destination", "string", "Three letters of the airport to arrive at.", {}};
const tool_parameter date{
    "date", "string", "Day of the flight, YYYY-MM-DD.", {}};
const tool_parameter cabin{"cabin",
                           "string",
                           "Cabin of all flights of the reservation.",
                           {"business", "economy", "basic_economy"}};
const tool_parameter passengers{
    "passengers",
    "array",
    "One object for each passenger: first_name, last_name and dob, the date of "
    "birth as YYYY-MM-DD.",
    {},
    true,
    "object"};
const tool_parameter total_baggages{"total_baggages",
                                    "integer",
                                    "Checked bags of all passengers together.",
                                    {}};
const tool_parameter nonfree_baggages{
    "nonfree_baggages", "integer", "How many of these bags are paid for.", {}};
const tool_parameter payment_id{
    "payment_id",
    "string",
    "The customer's credit card or gift card to charge or to pay back to.",
    {}};

tool_parameter flights(const char* description) {
  return {"flights", "array", description, {}, true, "object"};
}

} // namespace parameter

std::vector<airline_function> reading_airline_tools() {
  constexpr auto read = tool_kind::read;
  return {
      tool(read, "get_user_details",
           "Show a customer: profile, payment methods, membership and codes of "
           "reservations.",
           {parameter::user_id}, get_user_details),
      tool(read, "get_reservation_details",
           "Show a reservation: flights, passengers, payments, bags and "
           "insurance.",
           {parameter::reservation_id}, get_reservation_details),
      tool(read, "list_all_airports", "List all airports with their cities.",
           {}, list_all_airports),
      tool(read, "search_direct_flight",
           "Find flights without a stop that can be booked, with free seats "
           "and prices for each cabin.",
           {parameter::origin, parameter::destination, parameter::date},
           search_direct_flight),
      tool(read, "search_onestop_flight",
           "Find pairs of flights with one change of planes between them.",
           {parameter::origin, parameter::destination, parameter::date},
           search_onestop_flight),
      tool(read, "get_flight_status", "Tell the status of a flight on a day.",
           {{"flight_number",
             "string",
             "Number of the flight, like HAT001.",
             {}},
            parameter::date},
           get_flight_status),
  };
}

std::vector<airline_function> booking_tools() {
  return {tool(
      tool_kind::write, "book_reservation",
      "Book flights for a customer. The payments must add up exactly to the "
      "price of all flights, insurance and paid bags.",
      {parameter::user_id,
       parameter::origin,
       parameter::destination,
       {"flight_type",
        "string",
        "Whether it goes there and back.",
        {"round_trip", "one_way"}},
       parameter::cabin,
       parameter::flights(
           "One object for each flight, in order: flight_number and date."),
       parameter::passengers,
       {"payment_methods",
        "array",
        "One object for each payment: payment_id, one of the customer's "
        "payment methods, and amount in whole dollars.",
        {},
        true,
        "object"},
       parameter::total_baggages,
       parameter::nonfree_baggages,
       {"insurance",
        "string",
        "Travel insurance for all passengers.",
        {"yes", "no"}}},
      book_reservation)};
}

std::vector<airline_function> changing_airline_tools() {
  constexpr auto write = tool_kind::write;
  return {
      tool(write, "cancel_reservation",
           "Cancel a whole reservation and pay everything back the way it was "
           "paid.",
           {parameter::reservation_id}, cancel_reservation),
      tool(write, "update_reservation_flights",
           "Replace the flights or the cabin of a reservation; the difference "
           "in price is charged or paid back.",
           {parameter::reservation_id, parameter::cabin,
            parameter::flights(
                "All flights of the reservation from now on, those that "
                "stay included: flight_number and date of each."),
            parameter::payment_id},
           update_reservation_flights),
      tool(write, "update_reservation_baggages",
           "Set the checked bags of a reservation; more paid bags than before "
           "are charged.",
           {parameter::reservation_id, parameter::total_baggages,
            parameter::nonfree_baggages, parameter::payment_id},
           update_reservation_baggages),
      tool(write, "update_reservation_passengers",
           "Replace the passengers of a reservation by as many others.",
           {parameter::reservation_id, parameter::passengers},
           update_reservation_passengers),
      tool(write, "send_certificate",
           "Give a customer a travel certificate, for good.",
           {parameter::user_id,
            {"amount", "integer", "Worth of the certificate in dollars.", {}}},
           send_certificate),
  };
}

std::vector<airline_function> helping() {
  constexpr auto generic = tool_kind::generic;
  return {
      tool(generic, "calculate",
           "Work out an expression of numbers, + - * / and parentheses.",
           {{"expression",
             "string",
             "What to work out, like 3 * (120 + 30).",
             {}}},
           calculate_tool),
      tool(generic, "transfer_to_human_agents",
           "Hand the customer over to a person, when asked for one or when the "
           "tools and rules do not allow a solution.",
           {{"summary", "string", "What the person needs to know.", {}}},
           transfer_passenger),
  };
}

} // namespace

const airline_functions& airline_tools() {
  static const airline_functions table{
      "AirlineTools", [] {
        std::vector<airline_function> all;
        for (auto part : {reading_airline_tools, booking_tools,
                          changing_airline_tools, helping})
          for (airline_function& f : part())
            all.push_back(std::move(f));
        return all;
      }()};
  return table;
}

} // namespace brewery::tau2
