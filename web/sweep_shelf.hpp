#pragma once
/// The sweeps that a page shows: the directory of runs itself if it is one,
/// those in it, and the groups of runs in it, as a coordinator plays them.
/// Keeps what the runs came to, so that only runs that changed are read again.
/// Belongs to one thread, that of the server.

#include "report/sweep/collect.hpp"

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace brewery::web {

struct shown_sweep {
  std::string id;             ///< the name of its directory, or of the group
  std::filesystem::path path; ///< as `state_of_sweep` takes it
  /// What the ids of its runs begin with: "" or "table5/".
  std::string prefix;
};

/// What is known of a sweep, as far as its runs are read.
struct sweep_reading {
  std::size_t read = 0, runs = 0;         ///< equal: all are read
  const sweep_figures* figures = nullptr; ///< if so; until the next call
};

class sweep_shelf {
public:
  /// Without a root there are none.
  explicit sweep_shelf(std::filesystem::path root = {})
      : root_(std::move(root)) {}

  /// By name.
  [[nodiscard]] std::vector<shown_sweep> list() const;
  /// Error ec::not_found.
  [[nodiscard]] result<shown_sweep> find(const std::string& id) const;

  /// Reads runs for about `time_max`, at least one; asked again, it goes on.
  /// Runs that go on are read anew every ten seconds at most.
  result<sweep_reading> read(const shown_sweep& sweep,
                             std::chrono::milliseconds time_max);

private:
  struct seen_run {
    std::string stamp;
    result<figured_run> made;
  };
  struct seen_sweep {
    std::map<std::filesystem::path, seen_run> runs;
    std::string stamp; ///< of what `figures` was made
    sweep_figures figures;
    std::uint64_t asked = 0;
  };
  static const seen_run* known(const seen_sweep& seen,
                               const std::filesystem::path& run,
                               std::chrono::system_clock::time_point now);
  seen_sweep& place_of(const std::string& id);

  std::filesystem::path root_;
  std::map<std::string, seen_sweep> seen_;
  std::uint64_t asked_ = 0;
};

} // namespace brewery::web
