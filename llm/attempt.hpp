#pragma once
/// From what came over HTTP to what the attempt was: an answer, or a failure
/// that says whether to try again. Pure.

#include "llm/http_exchange.hpp"
#include "llm/retry.hpp"
#include "messages/model_msgs.hpp"

#include <cstdint>
#include <vector>

namespace brewery {

struct call_attempt {
  attempt_result result;
  model_answer answer;  ///< if answered
  bool charged = false; ///< the server may charge for it; no usage is known
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
};

/// `embedding` is the request if it was one (0..1), else it was a chat. `now`
/// is seconds since 1970. The server's secrets are in no text of the result,
/// not even if it echoes them.
call_attempt judge_attempt(const checked_provider& server, http_outcome outcome,
                           const std::vector<embedding_request>& embedding,
                           std::int64_t now);

} // namespace brewery
