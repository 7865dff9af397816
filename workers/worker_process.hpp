#pragma once
/// A worker process. The network thread keeps the session
/// (cluster/worker_session.hpp) and sends heartbeats. Other threads run jobs.
/// Unacknowledged results are spooled to disk. Jobs never run on the network
/// thread, so a long job delays no heartbeat.

#include "cluster/worker_session.hpp"
#include "messages/wire/frame_batch.hpp"
#include "net/dealer.hpp"
#include "store/spool.hpp"
#include "workers/coordinator_rpc.hpp"
#include "workers/runner_maker.hpp"
#include "workers/slots.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <set>

namespace brewery {

struct worker_process_inputs {
  worker_profile profile;
  cluster_options options;
  dealer_options connection;        ///< `realtime`: so is the network thread
  std::filesystem::path spool_root; ///< empty: no spool
  std::size_t spool_bytes_max = std::size_t{256} << 20;
  std::chrono::milliseconds grace{30'000}; ///< after SIGTERM, to finish jobs
  runner_factory make_runner;
  std::shared_ptr<coordinator_rpc> models; ///< for the roles of its job runners
  std::function<void(const std::string&)> on_event; ///< for the log
  /// For what somebody may have to mend. Empty: it is an event.
  std::function<void(const std::string&)> on_warning{};
};

class worker_process {
public:
  explicit worker_process(worker_process_inputs inputs);
  ~worker_process();

  /// Runs until the worker is drained, stopped or refused. An error if the
  /// coordinator refuses the worker or the key is wrong.
  result<void> run();

  /// Stops the worker: takes no more jobs, finishes within the grace period,
  /// gives back the rest, leaves. May be called from any thread.
  void stop();

  /// A line of this process's log for the coordinator. May be called from any
  /// thread, before `run` too.
  void log(const std::string& line);

  /// For metrics; read from any thread.
  struct state_view {
    std::uint32_t slots = 0;
    std::size_t running = 0, unacknowledged = 0;
    bool connected = false;
    bool turns_lately = false; ///< whether the network thread is not stuck
  };
  [[nodiscard]] state_view view() const;

private:
  /// The results that earlier workers left there.
  result<std::vector<spooled_result>> open_spool();
  void turn();
  void receive();
  void end_in_time();
  void carry_out(worker_step step);
  void flush();
  void accept(lease_grant grant);
  void begin_ready();
  void take_runners();
  void report_outcomes();
  void ask_coordinator();
  void check_connection();
  /// Whether the coordinator will never take this worker.
  [[nodiscard]] bool refused_for_good() const;
  [[nodiscard]] error key_refusal() const;
  [[nodiscard]] std::string why_unanswered() const;
  void pass_time();
  void count_jobs();
  void say(const std::string& what) const;
  void warn(const std::string& what) const;

  worker_process_inputs in_;
  std::unique_ptr<dealer> wire_;
  std::unique_ptr<spool> spool_;
  std::unique_ptr<worker_session> session_;
  std::unique_ptr<slots> slots_;

  std::mutex mutex_;            ///< guards making wire_, too
  std::deque<std::string> log_; ///< guarded by mutex_
  std::atomic<bool> stop_{false};
  std::atomic<std::size_t> running_{0}, unacknowledged_{0};
  std::atomic<bool> connected_{false};
  bool welcomed_ = false; ///< was in a session
  std::atomic<microseconds::rep> last_turn_us_{0};

  std::unique_ptr<runner_maker> maker_; ///< wakes wire_, so it ends before
  std::map<std::string, std::shared_ptr<const job_runner>> runners_;
  struct failed_runner {
    std::string why;
    microseconds until{0};
  };
  std::map<std::string, failed_runner> failed_runners_; ///< by set-up
  std::map<std::string, std::string> setups_;           ///< text by hash
  std::set<std::string> absent_;     ///< hashes the coordinator does not have
  std::vector<lease_grant> waiting_; ///< for set-up or documents
  /// What a turn of the network thread sends, together.
  std::vector<wire::shared_frame> frames_;
  std::optional<std::chrono::milliseconds> look_within_; ///< says slots::start
  microseconds stop_at_{0};                              ///< 0: not stopping
  microseconds reconnect_at_{0};
  microseconds tick_at_{0};
  std::optional<std::string> left_;
};

} // namespace brewery
