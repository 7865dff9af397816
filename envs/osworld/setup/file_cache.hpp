#pragma once
/// The files that tasks need, on this machine: setup files and gold files of
/// the official data set, and local files of the project's own tasks. One
/// directory may serve all workers of a machine: files appear whole.
///
/// A fetched file keeps its SHA-256 beside it. A file that does not fit it any
/// more is fetched again, and must fit it then. Thread-safe.

#include "base/result.hpp"

#include <chrono>
#include <filesystem>
#include <string>

namespace brewery::osworld {

struct file_cache_options {
  std::filesystem::path directory{}; ///< of fetched files
  std::filesystem::path data{};      ///< local files are below it
  /// Takes the place of the data set's address: another address, or a directory
  /// with the data set's files. Empty: the official one.
  std::string mirror{};
  std::chrono::milliseconds deadline{300'000}; ///< of one download
};

/// The beginning of the official files' addresses.
inline constexpr std::string_view official_files =
    "https://huggingface.co/datasets/xlangai/ubuntu_osworld_file_cache/resolve/"
    "main/";

inline constexpr std::size_t file_bytes_most = std::size_t{1} << 30;

class file_cache {
public:
  explicit file_cache(file_cache_options options);

  /// The content of a file, fetched if needed. Errors name the address:
  /// ec::environment if it cannot be fetched, ec::corrupt if it is not what was
  /// fetched before, ec::invalid_argument if it is a local one outside of the
  /// data directory.
  [[nodiscard]] result<std::string> bytes(const std::string& address) const;

  /// Whether `bytes` would need the network.
  [[nodiscard]] bool is_here(const std::string& address) const;

private:
  result<std::string> fetch(const std::string& address) const;
  /// Errors name the official address: a mirror's may have a password in it.
  result<std::string> download(const std::string& from,
                               const std::string& address) const;
  [[nodiscard]] std::filesystem::path
  place_of(const std::string& address) const;
  [[nodiscard]] std::string source_of(const std::string& address) const;

  file_cache_options options_;
};

} // namespace brewery::osworld
