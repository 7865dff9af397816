#pragma once
/// Lets in whose key is allowed: libzmq asks it at every handshake of a CURVE
/// socket (ZeroMQ RFC 27). Without one, libzmq would accept any key.

#include "net/curve_keys.hpp"

#include <atomic>
#include <functional>
#include <thread>
#include <zmq.hpp>

namespace brewery {

class zap_handler {
public:
  static constexpr const char* domain = "brewery";

  /// Answers from its own thread; must exist before the socket is bound.
  zap_handler(zmq::context_t& context, std::filesystem::path key_directory,
              std::function<void(std::string_view key)> on_refused = {});
  ~zap_handler();
  zap_handler(const zap_handler&) = delete;
  zap_handler& operator=(const zap_handler&) = delete;

private:
  void run();
  /// The status to answer with.
  const char* verdict_on(const std::string& public_key) const;

  zmq::socket_t socket_;
  std::filesystem::path keys_;
  std::function<void(std::string_view)> on_refused_; ///< may be empty
  std::atomic<bool> done_{false};
  std::thread thread_;
};

} // namespace brewery
