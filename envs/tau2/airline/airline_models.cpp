#include "envs/tau2/airline/airline_models.hpp"

#include "envs/tau2/data/person_models.hpp"

namespace brewery::tau2 {

namespace {

/// One day of a flight. The further members depend on the status.
json read_flight_day(const json& from, model_trace& trace) {
  model_reader in{from, trace, "flight on a date"};
  in.choice("status", {"available", "landed", "cancelled", "delayed", "on time",
                       "flying"});
  const std::string status =
      from.is_object() && from.contains("status") && from["status"].is_string()
          ? from["status"].get<std::string>()
          : std::string{};
  if (status == "available") {
    in.map("available_seats", read_integer);
    in.map("prices", read_integer);
  } else if (status == "landed") {
    in.text("actual_departure_time_est");
    in.text("actual_arrival_time_est");
  } else if (status == "flying") {
    in.text("actual_departure_time_est");
    in.text("estimated_arrival_time_est");
  } else if (status == "delayed" || status == "on time") {
    in.text("estimated_departure_time_est");
    in.text("estimated_arrival_time_est");
  }
  return in.take();
}

json read_payment_method(const json& from, model_trace& trace) {
  model_reader in{from, trace, "payment method"};
  in.choice("source", {"credit_card", "gift_card", "certificate"});
  in.text("id");
  if (from.is_object() && from.contains("source")
      && from["source"] == "credit_card") {
    in.text("brand");
    in.text("last_four");
  } else {
    in.number("amount");
  }
  return in.take();
}

json read_reserved_flight(const json& from, model_trace& trace) {
  model_reader in{from, trace, "flight of a reservation"};
  for (const char* member : {"flight_number", "origin", "destination", "date"})
    in.text(member);
  in.integer("price");
  return in.take();
}

} // namespace

json read_flight(const json& from, model_trace& trace) {
  model_reader in{from, trace, "flight"};
  for (const char* member :
       {"flight_number", "origin", "destination",
        "scheduled_departure_time_est", "scheduled_arrival_time_est"})
    in.text(member);
  in.map("dates", read_flight_day);
  return in.take();
}

json read_airline_user(const json& from, model_trace& trace) {
  model_reader in{from, trace, "user"};
  in.text("user_id");
  in.model("name", read_name);
  in.model("address", read_address);
  in.text("email");
  in.text("dob");
  in.map("payment_methods", read_payment_method);
  in.list("saved_passengers", read_passenger);
  in.choice("membership", {"gold", "silver", "regular"});
  in.list("reservations", read_text);
  return in.take();
}

json read_reservation(const json& from, model_trace& trace) {
  model_reader in{from, trace, "reservation"};
  for (const char* member :
       {"reservation_id", "user_id", "origin", "destination"})
    in.text(member);
  in.choice("flight_type", {"round_trip", "one_way"});
  in.choice("cabin", {"business", "economy", "basic_economy"});
  in.list("flights", read_reserved_flight);
  in.list("passengers", read_passenger);
  in.list("payment_history", read_payment);
  in.text("created_at");
  in.integer("total_baggages");
  in.integer("nonfree_baggages");
  in.choice("insurance", {"yes", "no"});
  in.choice_or_null("status", {"cancelled"});
  return in.take();
}

json read_flight_info(const json& from, model_trace& trace) {
  model_reader in{from, trace, "flight"};
  in.text("flight_number");
  in.text("date");
  return in.take();
}

json read_passenger(const json& from, model_trace& trace) {
  model_reader in{from, trace, "passenger"};
  in.text("first_name");
  in.text("last_name");
  in.text("dob");
  return in.take();
}

json read_payment(const json& from, model_trace& trace) {
  model_reader in{from, trace, "payment"};
  in.text("payment_id");
  in.integer("amount");
  return in.take();
}

json read_certificate(const json& from, model_trace& trace) {
  model_reader in{from, trace, "certificate"};
  in.choice("source", {"certificate"});
  in.text("id");
  in.number("amount");
  return in.take();
}

} // namespace brewery::tau2
