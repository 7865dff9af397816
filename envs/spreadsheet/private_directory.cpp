#include "envs/spreadsheet/private_directory.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace brewery::spreadsheet {

namespace fs = std::filesystem;

namespace {

constexpr const char* prefix = "brewery-spreadsheet-";
constexpr const char* lock_name = "lock";
/// Others may pass through but not list it: kernels with other users reach
/// their workspace by its path.
constexpr mode_t passable = S_IRWXU | S_IXGRP | S_IXOTH;

/// Locks a directory before its use, or after its user has ended.
file_descriptor take_lock(const fs::path& directory, int more_flags) {
  const auto path = directory / lock_name;
  file_descriptor lock{::open(path.c_str(),
                              O_RDWR | O_CLOEXEC | O_NOFOLLOW | more_flags,
                              S_IRUSR | S_IWUSR)};
  if (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return {};
  return lock;
}

/// The lock goes last: whoever is killed before leaves a directory that the
/// next process takes for abandoned.
void remove_locked(const fs::path& directory) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator{directory, failed})
    if (entry.path().filename() != lock_name) remove_tree(entry.path());
  std::size_t left = 0;
  for (fs::directory_iterator it{directory, failed}, end; !failed && it != end;
       it.increment(failed))
    ++left;
  if (!failed && left <= 1) fs::remove_all(directory, failed);
}

/// Removes only this user's: those of others cannot be locked, opened or
/// removed. A directory without a lock file is just being created.
void remove_abandoned(const fs::path& parent) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator{parent, failed}) {
    if (!entry.path().filename().string().starts_with(prefix)
        || entry.is_symlink(failed))
      continue;
    struct stat about {};
    if (::lstat(entry.path().c_str(), &about) != 0
        || about.st_uid != ::geteuid())
      continue;
    if (const auto lock = take_lock(entry.path(), 0))
      remove_locked(entry.path());
  }
}

} // namespace

void remove_tree(const fs::path& directory) {
  std::error_code failed;
  fs::remove_all(directory, failed);
  if (!fs::exists(fs::symlink_status(directory, failed))) return;
  // The content of a directory without permissions is left.
  const auto skip = fs::directory_options::skip_permission_denied;
  fs::permissions(directory, fs::perms::owner_all, failed);
  for (fs::recursive_directory_iterator it{directory, skip, failed}, end;
       !failed && it != end; it.increment(failed))
    if (it->is_directory(failed) && !it->is_symlink(failed))
      ::chmod(it->path().c_str(), S_IRWXU);
  fs::remove_all(directory, failed);
}

result<private_directory> private_directory::make(const fs::path& directory) {
  std::error_code failed;
  const auto parent =
      directory.empty() ? fs::temp_directory_path(failed) : directory;
  if (failed)
    return error{ec::io, "no directory for temporary files: " + failed.message()
                             + "; set TMPDIR"};
  remove_abandoned(parent);
  auto pattern =
      (fs::absolute(parent) / (prefix + std::string{"XXXXXX"})).string();
  if (::mkdtemp(pattern.data()) == nullptr)
    return file_error("create", pattern);
  auto lock = take_lock(pattern, O_CREAT | O_EXCL);
  if (!lock) {
    auto problem = file_error("lock", pattern);
    fs::remove_all(pattern, failed);
    return problem;
  }
  ::chmod(pattern.c_str(), passable);
  return private_directory{pattern, std::move(lock)};
}

private_directory::~private_directory() {
  if (lock_) remove_locked(path_);
}

} // namespace brewery::spreadsheet
