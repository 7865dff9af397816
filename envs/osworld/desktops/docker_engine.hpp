#pragma once
/// Requests to Docker's Engine API over its unix socket, each with one
/// deadline. Source: Docker Engine API, v1.41. Pure function of its arguments
/// and the daemon; thread-safe.

#include "base/json.hpp"
#include "base/result.hpp"

#include <chrono>
#include <filesystem>
#include <string>

namespace brewery::osworld {

class docker_engine {
public:
  docker_engine(std::filesystem::path socket,
                std::chrono::milliseconds deadline)
      : socket_(std::move(socket)), deadline_(deadline) {}

  /// The reply's body; null if it is empty. `body` null: none is sent.
  /// Errors: ec::exhausted if nobody listens; ec::not_found for status 404;
  /// ec::environment for all else, with the daemon's message.
  result<json> ask(const std::string& method, const std::string& path,
                   const json& body = nullptr) const;

private:
  std::filesystem::path socket_;
  std::chrono::milliseconds deadline_;
};

} // namespace brewery::osworld
