#include "run/setup/server_watch.hpp"

namespace brewery {

namespace {

/// A server that limits its rate or refuses one request works.
bool is_failure(attempt_outcome outcome) {
  switch (outcome) {
  case attempt_outcome::overloaded:
  case attempt_outcome::server_error:
  case attempt_outcome::not_sent:
  case attempt_outcome::maybe_processed:
  case attempt_outcome::invalid_reply:
    return true;
  default:
    return false;
  }
}

} // namespace

server_watch::news server_watch::on(const std::string& server,
                                    attempt_outcome outcome) {
  constexpr std::uint32_t failures_until_told = 3;
  if (outcome == attempt_outcome::cancelled || outcome == attempt_outcome::stale
      || outcome == attempt_outcome::stream_refused)
    return news::none;
  const std::lock_guard lock{mutex_};
  auto& now = servers_[server];
  if (is_failure(outcome)) {
    if (++now.failures < failures_until_told || now.told) return news::none;
    now.told = true;
    return news::failing;
  }
  const bool told = now.told;
  now = {};
  return told ? news::answering : news::none;
}

} // namespace brewery
