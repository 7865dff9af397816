#pragma once
/// How many calls one server gets at once, and whose turn it is. Pure: time is
/// an argument. One of these serves all searches of a process.
///
/// The limit grows while it is used and nothing is refused: by one for each
/// answer at first, after the first refusal by one for each limit's worth of
/// answers. A refusal halves it, but once for all calls that were already out
/// when it was halved: they were refused for the same reason. Never below 1.
///
/// Turns: the owner with the fewest calls out is next; among equals, who has
/// waited longest since its last turn. So one search with a thousand waiting
/// calls does not delay another's only one.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

namespace brewery {

class call_limiter {
public:
  using ticket = std::uint64_t;
  using instant = std::chrono::milliseconds; ///< since any fixed moment

  /// 1 <= initial <= most.
  call_limiter(std::uint32_t initial, std::uint32_t most);

  /// A ticket is in at most one of waiting and out. `first`: before the others
  /// of its owner, as a call is that has begun.
  void wait(const std::string& owner, ticket call, bool first = false);

  /// Tickets that start now, in their order.
  std::vector<ticket> start(instant now);

  enum class verdict { good, congested, neither };
  /// Of a call that `start` gave out.
  void finish(ticket call, verdict what);

  /// Takes back a ticket that waits or is out; nothing is learned from it.
  void withdraw(ticket call);

  /// Nobody starts before; an earlier moment than one set before is ignored.
  void pause_until(instant when);
  /// When `start` is worth calling again although nothing finishes, or 0.
  [[nodiscard]] instant paused_until(instant now) const;

  [[nodiscard]] std::uint32_t limit() const;
  [[nodiscard]] std::size_t out() const { return out_.size(); }
  [[nodiscard]] std::size_t waiting() const { return waiting_; }

private:
  struct owner_state {
    std::deque<ticket> queue;
    std::size_t out = 0;
    std::uint64_t last_turn = 0;
  };
  struct call_state {
    std::string owner;
    std::uint64_t cuts_before = 0; ///< how often it was halved when it started
    bool at_limit = false;         ///< the limit was in use when it started
  };

  std::map<std::string, owner_state>::iterator next_owner();
  void leave(std::map<ticket, call_state>::iterator call);

  double limit_;
  double most_;
  bool probing_ = true; ///< no refusal yet
  std::uint64_t cuts_ = 0;
  std::uint64_t turns_ = 0;
  std::size_t waiting_ = 0;
  instant pause_{0};
  std::map<std::string, owner_state> owners_;
  std::map<ticket, call_state> out_;
};

} // namespace brewery
