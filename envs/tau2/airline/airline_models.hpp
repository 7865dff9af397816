#pragma once
/// The airline's records: what the reference's data models add, drop and check
/// when they load the file or read an object among a tool's arguments.

#include "envs/tau2/data/model_reader.hpp"

namespace brewery::tau2 {

json read_flight(const json& from, model_trace& trace);
json read_airline_user(const json& from, model_trace& trace);
json read_reservation(const json& from, model_trace& trace);

/// Objects that tools take: {flight_number, date}, {first_name, last_name,
/// dob}, {payment_id, amount}.
json read_flight_info(const json& from, model_trace& trace);
json read_passenger(const json& from, model_trace& trace);
json read_payment(const json& from, model_trace& trace);
json read_certificate(const json& from, model_trace& trace);

} // namespace brewery::tau2
