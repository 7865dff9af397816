#pragma once
/// A folder that goes with its process: for sockets, modules, workspaces, or a
/// result that is not whole yet. It is removed at the end, and that of a killed
/// process by a later one, which finds it unlocked.

#include "base/file.hpp"

#include <filesystem>
#include <string>
#include <utility>

namespace brewery {

class temporary_folder {
public:
  /// In the system's directory for temporary files. `beginning` is that of the
  /// names of one kind of folder; six characters follow. First removes those of
  /// this user that nobody locks. Mode 0700.
  static result<temporary_folder> make(const std::string& beginning);
  static result<temporary_folder> make_in(const std::filesystem::path& place,
                                          const std::string& beginning);

  temporary_folder(temporary_folder&& other) noexcept
      : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}
  temporary_folder& operator=(temporary_folder&&) = delete;
  ~temporary_folder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Other users may pass through, but not list it.
  void let_pass() const;

private:
  temporary_folder(std::filesystem::path path, file_descriptor lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}

  std::filesystem::path path_;
  file_descriptor lock_; ///< empty: this file system has no locks
};

/// Removes a directory with all its content, whatever modes untrusted code set.
void remove_tree(const std::filesystem::path& directory);

} // namespace brewery
