#pragma once
/// The children of one external benchmark: started when a rollout finds none
/// free, kept for the next one, replaced when they break. Shared by all threads
/// and by every environment that plays in one of its children.

#include "envs/external/external_child.hpp"

namespace brewery::external {

class child_pool {
public:
  /// A place in a child for one rollout.
  struct place {
    std::shared_ptr<external_child> child;
    std::uint64_t session = 0; ///< new each time
    bool fresh = false;        ///< the child was started for it
  };

  explicit child_pool(external_options options);
  /// Asks all children to end, and kills those that do not within a second.
  ~child_pool();
  child_pool(const child_pool&) = delete;
  child_pool& operator=(const child_pool&) = delete;

  /// Error ec::exhausted when no child can be started: a start is tried three
  /// times in a row, then not again for a while.
  result<place> acquire();
  void release(const place& done);

  [[nodiscard]] const external_options& options() const { return options_; }

private:
  using time_point = std::chrono::steady_clock::time_point;
  struct member {
    std::shared_ptr<external_child> child;
    std::uint32_t used = 0; ///< of its sessions
  };

  std::optional<place> find_free();
  result<std::shared_ptr<external_child>> start();
  result<void> same_as_first(const external_child& child);
  error refusal() const;

  const external_options options_;
  mutable std::mutex mutex_;
  std::vector<member> members_; ///< guarded by mutex_, as all below
  std::string fingerprint_;     ///< of the first child; empty: none yet
  std::uint64_t sessions_ = 0;
  int failures_ = 0; ///< starts that failed, in a row
  std::string last_failure_;
  time_point next_start_;
};

} // namespace brewery::external
