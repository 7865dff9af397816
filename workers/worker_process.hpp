#pragma once
/// A worker process: the network thread that keeps the session
/// (cluster/worker_session.hpp) and sends heartbeats, threads that run jobs, a
/// spool on disk. Jobs never run on the network thread, so a long one delays no
/// heartbeat.

#include "cluster/worker_session.hpp"
#include "net/dealer.hpp"
#include "store/spool.hpp"
#include "workers/model_line.hpp"
#include "workers/slots.hpp"

#include <atomic>
#include <functional>
#include <memory>

namespace brewery {

/// Makes what runs the jobs of a search from the search's set-up.
using runner_factory = std::function<result<std::shared_ptr<const job_runner>>(
    const std::string& setup)>;

struct worker_process_inputs {
  worker_profile profile;
  cluster_options options;
  dealer_options connection;
  std::filesystem::path spool_root; ///< empty: no spool
  std::size_t spool_bytes_max = std::size_t{256} << 20;
  std::chrono::milliseconds grace{30'000}; ///< after SIGTERM, to finish jobs
  runner_factory make_runner;
  std::shared_ptr<model_line> models; ///< that its runners' roles ask
  std::function<void(const std::string&)> on_event; ///< for the log
};

class worker_process {
public:
  explicit worker_process(worker_process_inputs inputs);
  ~worker_process();

  /// Until it is drained or refused. ec::cancelled after `stop`; an error of
  /// another kind when the coordinator does not want it or the key is wrong.
  result<void> run();

  /// From any thread: take no more jobs, finish within the grace period, hand
  /// back the rest, leave.
  void stop();

  /// For metrics, from any thread.
  struct state_view {
    std::uint32_t slots = 0;
    std::size_t running = 0, unacknowledged = 0;
    bool connected = false;
    bool turns_lately = false; ///< the network thread is not stuck
  };
  [[nodiscard]] state_view view() const;

private:
  void carry_out(worker_step step);
  void accept(const lease_grant& grant);
  void begin_ready();
  result<std::shared_ptr<const job_runner>> runner_of(const std::string& setup);
  void drain_inbox();
  void ask_models();
  void check_connection();
  void pass_time();
  void say(const std::string& what) const;
  [[nodiscard]] instant now() const;

  worker_process_inputs in_;
  std::unique_ptr<dealer> wire_;
  std::unique_ptr<spool> spool_;
  std::unique_ptr<worker_session> session_;
  std::unique_ptr<slots> slots_;

  std::mutex mutex_;
  std::vector<slot_outcome> inbox_; ///< guarded by mutex_
  std::atomic<bool> stop_{false};
  std::atomic<std::size_t> running_{0}, unacknowledged_{0};
  std::atomic<bool> connected_{false};
  std::atomic<instant::rep> last_turn_us_{0};

  std::map<std::string, std::shared_ptr<const job_runner>> runners_;
  std::map<std::string, std::string> setups_; ///< text by hash
  std::vector<lease_grant> waiting_;          ///< for set-up or documents
  instant stop_at_{0};                        ///< 0: not stopping
  instant reconnect_at_{0};
  instant tick_at_{0};
  std::optional<std::string> left_;
};

} // namespace brewery
