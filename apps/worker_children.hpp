#pragma once
/// The worker processes of `brewery run --workers N`: children of this process
/// that connect to a socket only this user can reach, are replaced when they
/// die, and end with it.

#include "base/result.hpp"
#include "config/config.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace brewery {

class worker_children {
public:
  static result<std::unique_ptr<worker_children>> make(const config& options);
  /// Ends them: asks first, then kills.
  ~worker_children();
  worker_children(const worker_children&) = delete;
  worker_children& operator=(const worker_children&) = delete;

  /// Where they connect.
  [[nodiscard]] std::string address() const;
  void start();
  /// Call now and then: replaces those that died, at most one per child and
  /// second.
  void look_after();

private:
  struct child {
    pid_t pid = -1;
    std::chrono::steady_clock::time_point started;
  };
  worker_children(const config& options, std::filesystem::path directory);
  void launch(child& one, std::size_t number);

  config options_;
  std::filesystem::path directory_;
  std::vector<child> children_;
  bool started_ = false;
};

} // namespace brewery
