#pragma once
/// The desktops of one worker: as many as may be leased at once, and spares
/// that are made ready meanwhile, so that nobody waits for a reset. Owned by
/// the benchmark, shared by all its rollouts. Thread-safe.
///
/// A desktop that was leased is never leased again before its provider reset
/// it. One that cannot be reset, or ended, is stopped and replaced.

#include "envs/osworld/desktops/desktop_provider.hpp"
#include "envs/osworld/desktops/ready.hpp"
#include "process/start_failures.hpp"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace brewery::osworld {

struct pool_options {
  std::size_t leases = 1; ///< at once, at least 1
  std::size_t spares = 1; ///< more of them, so that a reset is not waited for
  ready_rules ready;
};

class desktop_pool {
  struct slot;

public:
  using clock = std::chrono::steady_clock;

  /// The right to one desktop. The pool must outlive it.
  class lease {
  public:
    lease(lease&& other) noexcept;
    lease& operator=(lease&&) = delete;
    ~lease();

    [[nodiscard]] const std::string& id() const;
    [[nodiscard]] const guest_address& address() const;
    /// Why the desktop is known to have ended; empty: it may work.
    [[nodiscard]] std::string ended() const;

  private:
    friend class desktop_pool;
    lease(desktop_pool& pool, slot& taken) : pool_(&pool), taken_(&taken) {}

    desktop_pool* pool_;
    slot* taken_;
  };

  desktop_pool(std::unique_ptr<desktop_provider> provider, screen_probe probe,
               pool_options options);
  /// Stops all desktops. No lease may be left.
  ~desktop_pool();
  desktop_pool(const desktop_pool&) = delete;
  desktop_pool& operator=(const desktop_pool&) = delete;

  /// A ready desktop. The first call starts the first. Errors: ec::timeout;
  /// ec::exhausted if none can be started here.
  result<lease> take(clock::time_point deadline);

  /// Stops all desktops that are not leased; the next `take` starts again.
  void release();

  [[nodiscard]] const desktop_provider& provider() const { return *provider_; }

private:
  enum class state : std::uint8_t { empty, busy, ready, leased, dirty };
  struct slot {
    state is = state::empty;
    desktop has;
    std::thread keeper;
  };

  void keep(slot& mine);
  [[nodiscard]] std::size_t count(state of) const;
  [[nodiscard]] bool wanted() const;
  void make(slot& mine, std::unique_lock<std::mutex>& lock);
  void clean(slot& mine, std::unique_lock<std::mutex>& lock);
  void settle(slot& mine, const result<void>& made);
  slot* lease_ready(std::unique_lock<std::mutex>& lock);
  void give_back(slot& taken);

  const std::unique_ptr<desktop_provider> provider_;
  const screen_probe probe_;
  const pool_options options_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<slot>> slots_; ///< guarded by mutex_, like below
  std::size_t waiting_ = 0;                  ///< callers of take
  bool used_ = false; ///< since the start or the last release
  bool ending_ = false;
  bool worked_ = false; ///< one was ready
  child::start_failures failures_;
};

} // namespace brewery::osworld
