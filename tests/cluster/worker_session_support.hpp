#pragma once
/// A worker's session and short ways to say what the coordinator says to it.

#include "cluster/worker_session.hpp"

#include <catch2/catch.hpp>

namespace brewery {

/// The messages of one kind that a step sends, in order.
template <class T>
std::vector<T> sent(const worker_step& step) {
  std::vector<T> out;
  for (const auto& message : step.send)
    if (const auto* one = std::get_if<T>(&message)) out.push_back(*one);
  return out;
}

/// There must be exactly one.
template <class T>
T only(const worker_step& step) {
  auto all = sent<T>(step);
  REQUIRE(all.size() == 1);
  return std::move(all.front());
}

inline lease_key key_of(const std::string& job, std::uint64_t attempt = 1,
                        std::uint64_t epoch = 7) {
  return {{"s"}, {job}, attempt, epoch};
}

struct worker_end {
  explicit worker_end(std::vector<spooled_result> spooled = {})
      : session(
          {"w", "w#1", "h", "1.0", 2, {job_kind::rollout}, {{"toy", "fp"}}},
          options(), std::move(spooled)) {}

  static cluster_options options() {
    cluster_options out;
    out.lease = std::chrono::milliseconds{10'000};
    out.heartbeat = std::chrono::milliseconds{2'000};
    out.resend = std::chrono::milliseconds{1'000};
    out.spool_after = std::chrono::milliseconds{500};
    return out;
  }

  worker_step on(const wire::message& message) {
    return session.on(message, now);
  }
  worker_step tick() { return session.tick(now); }
  worker_step welcome(std::uint64_t hello,
                      const std::vector<lease_key>& adopted = {}) {
    worker_welcome out;
    out.hello = hello;
    out.session = ++number;
    out.epoch = 7;
    out.adopted = adopted;
    return on(out);
  }
  /// Says hello and is welcomed.
  void connect() {
    const auto hello = only<worker_hello>(session.begin(now));
    welcome(hello.sequence);
  }
  worker_step grant(const lease_key& key) {
    return on(lease_grant{number, key, "setup", "work", 0});
  }
  worker_step finish(const std::string& job, const std::string& error = {}) {
    return session.finished({"s"}, {job}, error.empty() ? "R" + job : "", error,
                            now);
  }
  worker_step ack(const lease_key& key) {
    return on(result_ack{number, key, result_verdict::counted});
  }
  /// Time passes in small steps; everything that is done meanwhile.
  worker_step pass(microseconds span) {
    constexpr microseconds small{50'000};
    worker_step out;
    for (const auto end = now + span; now < end;) {
      now = std::min(now + small, end);
      auto more = tick();
      out.send.insert(out.send.end(), more.send.begin(), more.send.end());
      out.to_spool.insert(out.to_spool.end(), more.to_spool.begin(),
                          more.to_spool.end());
      if (more.leave) out.leave = more.leave;
      unanswered += more.unanswered ? 1 : 0;
    }
    return out;
  }

  microseconds now{0};
  std::uint64_t number = 40; ///< of the latest session
  int unanswered = 0;        ///< how often it was said while time passed
  worker_session session;
};

} // namespace brewery
