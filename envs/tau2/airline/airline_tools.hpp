#pragma once
/// The airline's 14 tools. The descriptions are our own; the reference's
/// prompts differ.

#include "envs/tau2/airline/airline_store.hpp"

namespace brewery::tau2 {

/// Ordered by topic: looking, booking, changing, the rest.
const airline_functions& airline_tools();

using airline_outcome = result<tool_value>;

/// The record as the tool returns it.
airline_outcome record_answer(const json& record);

airline_outcome list_all_airports(airline_records& records,
                                  const call_arguments& args);
airline_outcome search_direct_flight(airline_records& records,
                                     const call_arguments& args);
airline_outcome search_onestop_flight(airline_records& records,
                                      const call_arguments& args);

airline_outcome book_reservation(airline_records& records,
                                 const call_arguments& args);

airline_outcome cancel_reservation(airline_records& records,
                                   const call_arguments& args);
airline_outcome update_reservation_flights(airline_records& records,
                                           const call_arguments& args);
airline_outcome update_reservation_baggages(airline_records& records,
                                            const call_arguments& args);
airline_outcome update_reservation_passengers(airline_records& records,
                                              const call_arguments& args);

} // namespace brewery::tau2
