#pragma once
/// Decides when two model calls are the same call. A reply may be used again if
/// the request is equal in everything that can change the answer, and if the
/// reply is not wanted as another sample. A request that samples (temperature
/// above 0, or not set) equals only a request from the same place: the same
/// call of the same job. The limit of the reply's length is no part of it: a
/// whole reply is the same under a larger limit. Which cut reply may be used
/// again says actors/reply_index.hpp. Pure.

#include "messages/model_msgs.hpp"

#include <string>

namespace brewery {

/// True if each request for this call is another sample.
bool samples(const model_call& call);

request_print print_of(const model_call& call);

/// 32 hex digits; equal for equal calls.
std::string key_of(const model_call& call, const request_print& print);

} // namespace brewery
