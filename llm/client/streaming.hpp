#pragma once
/// Decides whether a server's chats are asked as streams. Pure.
///
/// The first call tries it, the others meanwhile do without. When its reply
/// came as a stream with token counts, all calls stream. A server that refuses
/// to stream, or that does not count the tokens of a stream, is asked without
/// from then on: budgets need the counts. So at most one reply has none.

#include "llm/format/chat_stream.hpp"

#include <cstdint>
#include <string>

namespace brewery {

/// What an attempt that asked for a stream says about the server.
enum class stream_verdict : std::uint8_t {
  unknown = 0, ///< nothing
  works = 1,
  usage_refused = 2, ///< it refuses stream_options
  refused = 3,
  plain = 4,       ///< it answered without streaming
  no_usage = 5,    ///< it did not count the tokens
  interrupted = 6, ///< it ended the stream in order, but too soon
  failed = 7,      ///< it failed, maybe because it streamed
};

class stream_trial {
public:
  explicit stream_trial(bool allowed)
      : mode_(allowed ? stream_mode::with_usage : stream_mode::off) {}

  /// How to ask the next attempt of a call. `retry`: it has failed before. A
  /// retry is no trial, for a server whose streaming is what fails.
  stream_mode next(std::uint64_t call, bool retry);

  /// The result of an attempt that `next` let stream. Returns why the server is
  /// asked differently from now on; empty: it is not.
  std::string learn(std::uint64_t call, stream_verdict verdict);

  /// The call ended without a result.
  void forget(std::uint64_t call);

private:
  std::string stop(std::string why);

  stream_mode mode_;
  bool works_ = false;
  std::uint64_t trying_ = 0; ///< the call that tries it; 0: none
  int failures_ = 0;         ///< of trials, in a row
};

} // namespace brewery
