#pragma once
/// Notices that a model server does not answer, and that it answers again, from
/// the attempts that end. A call is retried for minutes, so its own error comes
/// late. Thread-safe.

#include "llm/client/retry.hpp"

#include <map>
#include <mutex>
#include <string>

namespace brewery {

class server_watch {
public:
  enum class news { none, failing, answering };

  /// The next attempt at this server. `failing` is told once, after three
  /// failures in a row; then `answering` once.
  news on(const std::string& server, attempt_outcome outcome);

private:
  struct state {
    std::uint32_t failures = 0; ///< in a row
    bool told = false;
  };
  std::mutex mutex_;
  std::map<std::string, state> servers_;
};

} // namespace brewery
