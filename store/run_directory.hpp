#pragma once
/// The directory of one run and the paths of its files:
///
///   runs/<id>/config.toml   the configuration as it was used
///             events.db     the event log, with -wal, -shm and events.ack
///             kb/           the learned documents and manifest.json
///             report.md
///             status.json   state, times, cost (store/run_status.hpp)
///             live.json     what it is doing now (run/live/live_file.hpp)
///             lock          names the writer (store/directory_lock.hpp)
///
/// A run's id is the name of its directory: letters, digits, '.', '_' and '-',
/// at most 64, not starting with '.' or '-'.

#include "base/result.hpp"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

class event_log;

class run_directory {
public:
  /// Error ec::invalid_argument: it cannot be the id of a run.
  static result<void> can_be_id(std::string_view id);

  /// Creates the directory and its kb/, durably. Error ec::already_exists: the
  /// directory exists. Error ec::invalid_argument: the id cannot be a name.
  static result<run_directory> create(const std::filesystem::path& root,
                                      std::string_view id);

  /// As `create`, but takes over a directory that a process left behind that
  /// was killed before the run began. If the process is alive, `begin_log`
  /// decides whose run it is.
  static result<run_directory> create_or_take(const std::filesystem::path& root,
                                              std::string_view id);

  /// The id of a run that is given none: the time (UTC) and the name, if there
  /// is one: `20240611-153012-wide`.
  static std::string id_of(std::chrono::system_clock::time_point now,
                           std::string_view name);

  /// Creates a directory with that id. Adds `-2`, `-3` ... if several runs
  /// start in one second, even in several processes.
  static result<run_directory>
  create_new(const std::filesystem::path& root,
             std::chrono::system_clock::time_point now,
             std::string_view name = {});

  /// Error ec::not_found. The message names the most similar id.
  static result<run_directory> open(const std::filesystem::path& root,
                                    std::string_view id);

  /// All runs below `root`, ordered by id; for generated ids that is the order
  /// of their start. Empty if `root` does not exist.
  static result<std::vector<run_directory>>
  list(const std::filesystem::path& root);

  /// Whether anything was ordered or played: there is a submission or a log.
  /// Else a process was killed after it had made the run's directory, or is
  /// about to begin.
  [[nodiscard]] bool has_begun() const;

  /// Removes a directory whose run has not begun. For who alone makes runs
  /// below `root`.
  static void discard_unbegun(const std::filesystem::path& root,
                              std::string_view id);

  /// Removes the report, durably: without it the run is unfinished. To be
  /// called before what takes results away, so that a kill between the two
  /// loses none.
  result<void> reopen() const;

  /// Removes a directory that its creator could not fill, so that the id is
  /// free again. Nothing is reported: the reason for it is the better error.
  void discard() const;

  [[nodiscard]] std::string id() const { return path_.filename().string(); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path config() const;
  [[nodiscard]] std::filesystem::path events() const;
  [[nodiscard]] std::filesystem::path documents() const;
  [[nodiscard]] std::filesystem::path report() const;
  /// A folder for each search; what is in it can be made again.
  [[nodiscard]] std::filesystem::path snapshots() const;

private:
  explicit run_directory(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

/// Stores the configuration of a run that was just created, and creates its
/// log. If one of them fails, the directory is discarded: without both the run
/// could not be resumed. Error ec::in_use or ec::already_exists: another
/// process has begun it, whose run it is.
result<std::unique_ptr<event_log>> begin_log(const run_directory& directory,
                                             std::string_view config);

} // namespace brewery
