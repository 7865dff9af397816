#pragma once
/// Turns the outcome of an HTTP exchange into the result of an attempt: an
/// answer, or a failure that says whether to try again. Pure.

#include "llm/client/retry.hpp"
#include "llm/http/http_exchange.hpp"
#include "messages/model_msgs.hpp"

#include <cstdint>

namespace brewery {

struct call_attempt {
  attempt_result result;
  model_answer answer;  ///< set if the call was answered
  bool charged = false; ///< may be charged, but has no known usage
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
};

/// `embedding` is the request if it was one, null of a chat. `now` is seconds
/// since 1970. The server's secrets are in no text of the result, not even if
/// it echoes them.
call_attempt classify_attempt(const checked_provider& server,
                              http_outcome outcome,
                              const embedding_request* embedding,
                              std::int64_t now);

} // namespace brewery
