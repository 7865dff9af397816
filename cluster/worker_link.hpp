#pragma once
/// The coordinator's end of one worker's session: what was sent to the worker
/// and what the worker confirmed. Owned by the worker's proxy actor. PURE.
///
/// A message counts as received only when a heartbeat names it. A lease that
/// the worker does not hold is sent again. A job that it holds without a lease
/// is cancelled. A lease that it held and no longer holds is lost. So any
/// message may be dropped, doubled or late.

#include "cluster/options.hpp"
#include "messages/cluster_msgs.hpp"

#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace brewery {

class worker_link {
public:
  worker_link(const cluster_options& options, std::uint64_t session,
              microseconds now);

  [[nodiscard]] std::uint64_t session() const { return session_; }

  /// Adds a lease for the worker. `frame` is what is sent again.
  void offer(const lease_key& key, std::shared_ptr<const std::string> frame,
             microseconds now);
  /// Adds a lease that the worker already has: it was adopted with the welcome.
  void adopted(const lease_key& key, bool is_delivered, microseconds now);
  /// Ends the lease. A heartbeat that still names it is answered with that.
  void end(const lease_key& key);
  /// The lease's result is here and goes to the log: the lease is neither
  /// resent nor lost. False for a repeated result, which needs no answer yet.
  bool delivered(const lease_key& key);
  [[nodiscard]] bool has(const lease_key& key) const;

  /// A lease that was offered for so many lease times ends, if the worker is
  /// heard all the while and never names it.
  static constexpr int offered_leases_max = 3;

  struct heartbeat_outcome {
    std::optional<heartbeat_reply> reply; ///< empty for an outdated heartbeat
    std::vector<lease_key> returned;      ///< ended here: held, and no longer
    std::vector<lease_key> ignored; ///< ended here: offered, and never taken
    std::uint64_t steps = 0;        ///< tool calls of all jobs together
  };
  heartbeat_outcome on(const worker_heartbeat& beat, microseconds now);
  /// Something of this session has arrived.
  void heard(microseconds now);

  /// The frames to send again.
  std::vector<std::shared_ptr<const std::string>> tick(microseconds now);

  /// The connection broke. After `suspicion` the worker counts as dead.
  void disconnected(microseconds now);
  enum class health { alive, expired, gone };
  [[nodiscard]] health check(microseconds now) const;

private:
  using job_key = std::pair<run_id, job_id>;
  enum class progress : std::uint8_t { offered, seen, delivered };
  struct lease {
    lease_key key;
    progress state = progress::offered;
    microseconds resend_at{0};
    microseconds offered_until{0};
    std::shared_ptr<const std::string> frame;
  };

  cluster_options options_;
  std::uint64_t session_;
  std::map<job_key, lease> leases_;
  std::uint64_t last_sequence_ = 0;
  microseconds last_heard_;
  std::optional<microseconds> broken_since_;
};

} // namespace brewery
