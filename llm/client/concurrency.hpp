#pragma once
/// Limits the concurrent calls to one server and decides which call is next.
/// Pure: time is an argument. One per server, shared by all searches of a
/// process.
///
/// The limit grows while it is fully used and nothing is refused. At first it
/// grows by one per answer; after the first refusal, by one per `limit`
/// answers. A refusal halves it, but only once for all calls that were out at
/// the time, because they were refused for the same reason. It never falls
/// below 1.
///
/// Turns: the owner with the fewest calls out is next. Among equals, it is the
/// one whose last turn is longest ago. So a search with a thousand waiting
/// calls does not delay the only call of another search.

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
  using milliseconds = std::chrono::milliseconds; ///< since any fixed time

  /// Requires 1 <= initial <= most.
  call_limiter(std::uint32_t initial, std::uint32_t most);

  /// Queues a ticket, which must be neither waiting nor out. `first` puts it
  /// before the other tickets of its owner; this is for calls that have begun.
  void wait(const std::string& owner, ticket call, bool first = false);

  /// Starts the tickets that may start now, and returns them in order.
  std::vector<ticket> start(milliseconds now);

  enum class verdict { good, congested, neither };
  /// Ends a call that `start` returned.
  void finish(ticket call, verdict what);

  /// Removes a ticket that waits or is out. The limit does not change.
  void withdraw(ticket call);

  /// No call starts before this time. An earlier time than the current one has
  /// no effect.
  void pause_until(milliseconds when);
  /// When to call `start` again although no call finishes; 0 if not needed.
  [[nodiscard]] milliseconds paused_until(milliseconds now) const;

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
    std::uint64_t cuts_before = 0; ///< number of halvings before it started
    bool at_limit = false;         ///< the limit was fully used when it started
  };

  std::map<std::string, owner_state>::iterator next_owner();
  void leave(std::map<ticket, call_state>::iterator call);

  double limit_;
  double most_;
  bool probing_ = true; ///< no refusal yet
  std::uint64_t cuts_ = 0;
  std::uint64_t turns_ = 0;
  std::size_t waiting_ = 0;
  milliseconds pause_{0};
  std::map<std::string, owner_state> owners_;
  std::map<ticket, call_state> out_;
};

} // namespace brewery
