#pragma once
/// When two model calls are the same call. A reply may be used again when the
/// request is the same in everything that can change the answer, and the reply
/// is not wanted as another sample: a request that samples (a temperature above
/// 0, or none said) is the same only at the same place, that is as the same
/// call of the same job. PURE.

#include "messages/model_msgs.hpp"

#include <string>

namespace brewery {

/// Whether each asking is another sample.
bool samples(const model_call& call);

request_print print_of(const model_call& call);

/// 32 hex digits; equal for the same call.
std::string key_of(const model_call& call, const request_print& print);

/// Where `asked` first differs from `recorded`, for people: "message 7 of 9".
/// Empty when they are equal.
std::string first_difference(const request_print& recorded,
                             const request_print& asked);

} // namespace brewery
