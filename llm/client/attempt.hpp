#pragma once
/// Turns the outcome of an HTTP exchange into the result of an attempt: an
/// answer, or a failure that says whether to try again. Pure.

#include "llm/client/retry.hpp"
#include "llm/client/streaming.hpp"
#include "llm/http/http_exchange.hpp"
#include "messages/model_msgs.hpp"

#include <cstdint>

namespace brewery {

struct call_attempt {
  attempt_result result;
  model_answer answer;  ///< set if the call was answered
  bool charged = false; ///< may be charged, but has no known usage
  token_usage refused;  ///< of a reply that is no answer, if it was counted
  stream_verdict stream = stream_verdict::unknown;
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
};

/// What was asked, as far as it decides how the reply is read.
struct attempt_request {
  const embedding_request* embedding = nullptr; ///< null: a chat
  /// Joins the reply to a chat that asked for a stream; null: it did not.
  chat_stream* stream = nullptr;
};

/// `now` is seconds since 1970. The server's secrets are in no text of the
/// result, not even if it echoes them.
///
/// A stream that ended without its finish_reason is cut off, however complete
/// its words look. One that broke after it is whole.
call_attempt classify_attempt(const checked_provider& server,
                              http_outcome outcome,
                              const attempt_request& asked, std::int64_t now);

} // namespace brewery
