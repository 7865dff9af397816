#pragma once
/// The worker processes of `brewery run --workers N`, or of a sweep. They are
/// children of this process and connect to a socket that only this user can
/// reach. Those that die are replaced. All end with this process.

#include "base/result.hpp"
#include "config/config.hpp"
#include "process/temporary_folder.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <vector>

namespace brewery {

class worker_children {
public:
  static result<std::unique_ptr<worker_children>> make(const config& options);
  /// Asks them to end, then kills those that do not.
  ~worker_children();
  worker_children(const worker_children&) = delete;
  worker_children& operator=(const worker_children&) = delete;

  /// The address where they connect.
  [[nodiscard]] std::string address() const;
  void start();
  /// Replaces children that died, at most one per child and second. Call it
  /// regularly, from any thread.
  void restart_ended();

private:
  struct child {
    pid_t pid = -1;
    std::chrono::steady_clock::time_point started;
  };
  worker_children(const config& options, temporary_folder directory);
  void launch(child& one, std::size_t number);

  config options_;
  temporary_folder directory_;
  std::vector<std::string> variables_; ///< of their environment
  std::mutex mutex_;
  std::vector<child> children_; ///< guarded by mutex_
  bool started_ = false;        ///< guarded by mutex_
};

} // namespace brewery
