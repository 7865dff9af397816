#pragma once
/// The records of people that retail and airline share.

#include "envs/tau2/data/model_reader.hpp"

namespace brewery::tau2 {

/// {first_name, last_name}, both texts.
json read_name(const json& from, model_trace& trace);

/// {address1, address2, city, country, state, zip}, all of them texts.
json read_address(const json& from, model_trace& trace);

} // namespace brewery::tau2
