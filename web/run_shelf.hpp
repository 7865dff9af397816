#pragma once
/// The runs that a page shows: those of a directory, or one. Keeps the
/// overviews of runs that are over, and the indexes and trees of the logs last
/// asked for.
/// Belongs to one thread, that of the server.

#include "report/model_calls.hpp"
#include "report/run_overview.hpp"
#include "report/tree_reader.hpp"
#include "store/run_directory.hpp"
#include "web/log_index.hpp"
#include "web/sweep_shelf.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace brewery::web {

/// By the arm's name: its rollouts, each with the trial that it is there.
using arms_of_run = std::map<std::string, std::map<job_id, std::uint32_t>>;

/// A run's log as it is now. The log is opened for each request and read only,
/// so every answer is of one moment, and no writer waits for a reader.
struct open_run {
  run_directory where;
  std::unique_ptr<event_log> log;
  const log_index* index = nullptr; ///< until the next call of `open`
  /// The arms of the final evaluation, each with its rollouts.
  const arms_of_run* arms = nullptr;
  const model_calls* calls = nullptr;
};

class run_shelf {
public:
  /// With `only`, no other run below `root` is shown. `root` may end with "/".
  explicit run_shelf(const std::filesystem::path& root, std::string only = {});

  /// The one that began last first; of those that began at once, by id.
  result<std::vector<run_directory>> list();

  /// A run of a sweep below `root` is "SWEEP/RUN". Error ec::not_found: no such
  /// run, whatever else the name may lead to.
  result<run_directory> find(const std::string& id) const;

  run_overview overview(const run_directory& run,
                        std::chrono::system_clock::time_point now);

  /// With the index, read up to the log's end.
  result<open_run> open(const std::string& id);

  /// The trees of its searches, as its log has them now. Until the next call
  /// of `open` or `trees`.
  result<const std::vector<search_tree>*> trees(const std::string& id);

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  [[nodiscard]] sweep_shelf& sweeps() { return sweeps_; }
  [[nodiscard]] const sweep_shelf& sweeps() const { return sweeps_; }

private:
  struct indexed {
    std::string id;
    std::string file; ///< which file `events.db` was
    log_index index;
    tree_reader trees;
    model_calls calls;
    arms_of_run arms;
    std::uint64_t last_evaluation = 0; ///< that `arms` has
    std::size_t readings = 0;          ///< of the index, likewise
  };
  struct seen_overview {
    std::string stamp;
    run_overview about;
  };
  struct seen_start {
    std::string file; ///< which file `status.json` was; empty: none
    std::int64_t ms = 0;
  };

  [[nodiscard]] seen_start start_of(const run_directory& run) const;
  indexed& index_of(const run_directory& run);

  std::filesystem::path root_;
  std::string only_;
  sweep_shelf sweeps_;
  std::list<indexed> indexes_; ///< the last one asked for first
  std::map<std::filesystem::path, seen_overview> overviews_;
  std::map<std::string, seen_start> starts_; ///< by id
};

} // namespace brewery::web
