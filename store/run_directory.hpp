#pragma once
/// Where the files of one run are:
///
///   runs/<id>/config.toml   the configuration as it was used
///             events.db     the event log, with -wal, -shm and events.ack
///             kb/           the learned documents and manifest.json
///             report.md
///             lock          who writes in here (store/directory_lock.hpp)
///
/// A run's id is its directory's name: letters, digits, '.', '_' and '-', at
/// most 64, not starting with '.' or '-'.

#include "base/result.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

class run_directory {
public:
  /// Makes it, with its kb/, durably. ec::already_exists when it is there,
  /// ec::invalid_argument for an id that cannot be a name.
  static result<run_directory> create(const std::filesystem::path& root,
                                      std::string_view id);

  /// With a new id from the time (UTC) and the name, if there is one:
  /// `20240611-153012-wide`, with `-2`, `-3` ...
  /// when several start in one second, also from several processes.
  static result<run_directory>
  create_new(const std::filesystem::path& root,
             std::chrono::system_clock::time_point now,
             std::string_view name = {});

  /// ec::not_found names the nearest id there is.
  static result<run_directory> open(const std::filesystem::path& root,
                                    std::string_view id);

  /// Every run below `root` in order of id, which for new ids is order of
  /// start; empty when there is no such directory.
  static result<std::vector<run_directory>>
  list(const std::filesystem::path& root);

  [[nodiscard]] std::string id() const { return path_.filename().string(); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path config() const;
  [[nodiscard]] std::filesystem::path events() const;
  [[nodiscard]] std::filesystem::path documents() const;
  [[nodiscard]] std::filesystem::path report() const;

private:
  explicit run_directory(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

} // namespace brewery
