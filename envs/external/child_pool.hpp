#pragma once
/// The child processes of one external benchmark. One is started if a rollout
/// finds none free, reused by later rollouts, and replaced if it breaks. Shared
/// by all threads and all environments of the benchmark.

#include "envs/external/external_child.hpp"
#include "process/start_failures.hpp"

#include <set>

namespace brewery::external {

/// Whether a child may have played before.
enum class child_age : std::uint8_t { any, fresh };

class child_pool {
public:
  /// A place in a child for one rollout.
  struct place {
    std::shared_ptr<external_child> child;
    std::uint64_t session = 0; ///< a new number each time
    bool fresh = false;        ///< the child was started for it
  };

  explicit child_pool(external_options options);
  /// Asks all children to end. Kills those that do not within a second.
  ~child_pool();
  child_pool(const child_pool&) = delete;
  child_pool& operator=(const child_pool&) = delete;

  /// Error ec::exhausted if no child can be started. After three failed starts
  /// in a row there is a pause before the next.
  result<place> acquire(child_age wanted = child_age::any);
  void release(const place& done);

  [[nodiscard]] const external_options& options() const { return options_; }
  /// One line for the log of what costs no rollout its score, but time: a
  /// warning the first time that it has this reason, if it has one.
  void note(const std::string& reason, const std::string& what);

private:
  struct member {
    std::shared_ptr<external_child> child;
    std::uint32_t used = 0; ///< number of sessions in use
  };

  std::optional<place> find_free();
  result<std::shared_ptr<external_child>> start();
  result<void> same_as_first(const external_child& child);
  error refusal() const;

  const external_options options_;
  mutable std::mutex mutex_;
  std::vector<member> members_; ///< guarded by mutex_, like all below
  std::string fingerprint_;     ///< of the first child; empty: none yet
  std::uint64_t sessions_ = 0;
  child::start_failures failures_;
  std::mutex told_mutex_;
  std::set<std::string> told_; ///< reasons; guarded by told_mutex_
};

} // namespace brewery::external
