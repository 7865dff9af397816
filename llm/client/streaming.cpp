#include "llm/client/streaming.hpp"

#include <fmt/format.h>

#include <utility>

namespace brewery {

namespace {

constexpr int most_failures = 3;

} // namespace

stream_mode stream_trial::next(std::uint64_t call, bool retry) {
  if (mode_ == stream_mode::off || works_) return mode_;
  if (retry || trying_ != 0) return stream_mode::off;
  trying_ = call;
  return mode_;
}

void stream_trial::forget(std::uint64_t call) {
  if (trying_ == call) trying_ = 0;
}

std::string stream_trial::stop(std::string why) {
  if (std::exchange(mode_, stream_mode::off) == stream_mode::off) return {};
  return why + "; it is asked without streaming from now on";
}

std::string stream_trial::learn(std::uint64_t call, stream_verdict verdict) {
  const bool tried = trying_ == call;
  forget(call);
  switch (verdict) {
  case stream_verdict::works:
    works_ = true;
    failures_ = 0;
    return {};
  case stream_verdict::usage_refused:
    if (mode_ != stream_mode::with_usage)
      return stop("it refuses stream_options");
    mode_ = stream_mode::plain;
    return "it refuses stream_options; it is asked without them from now on";
  case stream_verdict::refused:
    return stop("it refuses to stream");
  case stream_verdict::plain:
    return stop("it does not stream");
  case stream_verdict::no_usage:
    return works_ ? "" : stop("it does not count the tokens of a stream");
  case stream_verdict::interrupted:
    return works_ ? "" : stop("it ends streams before the reply is whole");
  case stream_verdict::unknown:
    return {};
  case stream_verdict::failed:
    break;
  }
  failures_ += tried;
  if (failures_ < most_failures) return {};
  return stop(fmt::format("its streams failed {} times", failures_));
}

} // namespace brewery
