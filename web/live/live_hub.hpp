#pragma once
/// What pages that follow runs are sent: one tail per run, which all of them
/// share, and what the run says of itself while it goes on
/// (run/live/live_file.hpp). Thread-safe: answers that go on are made on
/// another thread than pages.

#include "web/live/run_tail.hpp"
#include "web/run_shelf.hpp"

#include <chrono>
#include <map>
#include <mutex>
#include <string>

namespace brewery::web {

/// What happened in a run since an event, and what it does now.
struct live_news {
  json log; ///< as `run_tail::since`
  std::uint64_t to = 0;
  bool at_end = false; ///< the log has no more
  json now;            ///< null: the run does not go on
};

class live_hub {
public:
  using clock = std::chrono::steady_clock;

  explicit live_hub(run_shelf shelf) : shelf_(std::move(shelf)) {}

  /// Error ec::not_found: no such run. Error ec::exhausted: too many runs are
  /// followed. Else as of the log.
  result<live_news> since(const std::string& run, std::uint64_t after);

private:
  struct followed {
    run_tail tail;
    clock::time_point read{}; ///< when the log was looked at
    clock::time_point asked{};
    json now;
  };
  result<followed*> find(const std::string& run, clock::time_point when);

  std::mutex mutex_;
  run_shelf shelf_; ///< only names are asked of it
  std::map<std::string, followed> runs_;
};

} // namespace brewery::web
