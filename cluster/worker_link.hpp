#pragma once
/// The coordinator's end of one worker's session: what was said to the worker
/// and what it confirmed. Owned by the worker's proxy actor. PURE.
///
/// Nothing is taken for received until a heartbeat names it: a lease that the
/// worker does not hold is sent again, a job that it holds without a lease is
/// cancelled, a lease that it held and holds no longer is lost. So any message
/// may be dropped, doubled or late.

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
              instant now);

  [[nodiscard]] std::uint64_t session() const { return session_; }

  /// A lease that the worker is to get; `frame` is what is sent again.
  void offer(const lease_key& key, std::shared_ptr<const std::string> frame,
             instant now);
  /// A lease the worker has already: adopted with the welcome.
  void adopted(const lease_key& key, bool is_delivered, instant now);
  /// The lease is over; a heartbeat that still names it is told so.
  void end(const lease_key& key);
  /// Its result is here and goes to the log: neither resent nor lost. False
  /// for a repeated result, which needs no answer yet.
  bool delivered(const lease_key& key);
  [[nodiscard]] bool has(const lease_key& key) const;

  struct heartbeat_outcome {
    std::optional<heartbeat_reply> reply; ///< none to an older heartbeat
    std::vector<lease_key> lost;          ///< ended here too; give them back
    std::uint64_t steps = 0;              ///< progress of all jobs together
  };
  heartbeat_outcome on(const worker_heartbeat& beat, instant now);
  /// Anything of this session arrived.
  void heard(instant now);

  /// Frames to send again.
  std::vector<std::shared_ptr<const std::string>> tick(instant now);

  /// The connection broke: `suspicion` from now it is taken for dead.
  void disconnected(instant now);
  enum class health { alive, expired, gone };
  [[nodiscard]] health check(instant now) const;

private:
  using job_key = std::pair<search_id, job_id>;
  enum class progress : std::uint8_t { offered, seen, delivered };
  struct lease {
    lease_key key;
    progress state = progress::offered;
    instant resend_at{0};
    std::shared_ptr<const std::string> frame;
  };

  cluster_options options_;
  std::uint64_t session_;
  std::map<job_key, lease> leases_;
  std::uint64_t last_sequence_ = 0;
  instant last_heard_;
  std::optional<instant> broken_since_;
};

} // namespace brewery
