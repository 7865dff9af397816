#pragma once
/// The shop's records: what the reference's data models add, drop and check
/// when they load the file or read an address among a tool's arguments.

#include "envs/tau2/data/model_reader.hpp"

namespace brewery::tau2 {

json read_product(const json& from, model_trace& trace);
json read_shop_user(const json& from, model_trace& trace);
json read_order(const json& from, model_trace& trace);

} // namespace brewery::tau2
