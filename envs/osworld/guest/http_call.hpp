#pragma once
/// One HTTP request to a server inside a desktop, with one deadline for all of
/// it, on a connection of its own: a kept connection could have been closed
/// unseen, and then nobody knows whether a request ran. Pure function of its
/// arguments and the network; thread-safe.

#include "base/secret.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace brewery::osworld {

struct http_target {
  std::string host;
  std::uint16_t port = 0;
  secret token{}; ///< empty: no Authorization header
};

struct http_question {
  std::string method = "GET";
  std::string path = "/";
  std::string content_type{}; ///< of the body; empty: there is no body
  std::string body{};
  /// The Authorization header, if the server has no token; empty: none.
  std::string authorization{};
};

struct http_bounds {
  std::chrono::milliseconds deadline{10'000};
  std::size_t reply_bytes_most = std::size_t{64} << 20;
};

enum class call_end : std::uint8_t {
  replied,   ///< a whole reply came, of any status
  not_sent,  ///< no connection: the request certainly did not run
  ambiguous, ///< sent at least in part, but no whole reply: it may have run
};

struct http_answer {
  call_end end = call_end::not_sent;
  bool late = false; ///< the deadline ended it
  unsigned status = 0;
  std::string content_type;
  std::string body;
  std::string what; ///< why there is no reply; one line
};

http_answer http_call(const http_target& server, const http_question& question,
                      const http_bounds& bounds);

} // namespace brewery::osworld
