#pragma once
/// One message between processes as bytes: "BW", the frame format, the kind,
/// then the struct as msgpack (codec.hpp). A frame of another format, of an
/// unknown kind or above the size limit is refused before it is parsed.

#include "messages/cluster_msgs.hpp"
#include "messages/wire/codec.hpp"

#include <variant>

namespace brewery::wire {

inline constexpr std::uint8_t frame_format = 1;
inline constexpr std::size_t frame_header_bytes = 4;
/// A rollout's result is below 1 MiB. A job that integrates the insights of a
/// thousand rollouts had 21 MB. ZeroMQ disconnects a peer that sends more than
/// this.
inline constexpr std::size_t max_frame_bytes = std::size_t{64} << 20;

/// In the order of their kinds. The order never changes; append new ones.
using message =
    std::variant<worker_hello, worker_heartbeat, result_report, blob_request,
                 worker_goodbye, worker_welcome, peer_refusal, lease_grant,
                 heartbeat_reply, result_ack, lease_cancel, drain_order,
                 blob_content, operator_request, operator_reply, model_ask,
                 model_reply, grade_ask, grade_reply>;

namespace detail {

template <class T, std::size_t I = 0>
constexpr std::uint8_t kind_of() {
  if constexpr (std::is_same_v<std::variant_alternative_t<I, message>, T>)
    return I;
  else
    return kind_of<T, I + 1>();
}

} // namespace detail

/// The kind's number on the wire.
template <class T>
inline constexpr std::uint8_t kind_of = detail::kind_of<T>();

template <class T>
std::string frame(const T& body) {
  writer out;
  out.raw({'B', 'W', static_cast<char>(frame_format),
           static_cast<char>(kind_of<T>)});
  detail::write(out, body);
  return out.take();
}

std::string frame(const message& body);

/// Error ec::malformed says what is wrong; ec::version_mismatch for another
/// frame format.
result<message> unframe(std::string_view bytes);

/// The session in a message; 0 if it has none.
inline std::uint64_t session_of(const message& body) {
  return std::visit(
      [](const auto& one) -> std::uint64_t {
        if constexpr (requires { one.session; })
          return one.session;
        else
          return 0;
      },
      body);
}

/// The name of the frame's kind, for logs: "worker_hello"; "" if unknown.
std::string_view kind_name(std::string_view bytes);

} // namespace brewery::wire
