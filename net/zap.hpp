#pragma once
/// Decides which keys may connect. libzmq asks this handler at every handshake
/// of a CURVE socket (ZAP, ZeroMQ RFC 27). Without a handler, libzmq accepts
/// any key. Owned by the gateway.

#include "net/key_lookup.hpp"

#include <atomic>
#include <functional>
#include <thread>
#include <zmq.hpp>

namespace brewery {

/// The ZAP status codes.
namespace zap {
inline constexpr std::string_view allowed = "200";
/// The peer is not answered, and tries again.
inline constexpr std::string_view not_now = "300";
inline constexpr std::string_view revoked = "400";
inline constexpr std::string_view unknown = "500";
} // namespace zap

class zap_handler {
public:
  static constexpr const char* domain = "brewery";

  /// Answers on its own thread. Must be created before the socket is bound.
  zap_handler(zmq::context_t& context, std::filesystem::path key_directory,
              std::function<void(std::string_view key)> on_refused = {},
              std::function<void(std::string_view why)> on_unjudged = {});
  ~zap_handler();
  zap_handler(const zap_handler&) = delete;
  zap_handler& operator=(const zap_handler&) = delete;

private:
  void run();
  std::string_view verdict_on(const std::string& public_key);

  zmq::socket_t socket_;
  key_lookup keys_;
  std::function<void(std::string_view)> on_refused_;  ///< may be empty
  std::function<void(std::string_view)> on_unjudged_; ///< may be empty
  std::atomic<bool> done_{false};
  std::thread thread_;
};

} // namespace brewery
