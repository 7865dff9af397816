#include "process/temporary_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace brewery {

namespace fs = std::filesystem;

namespace {

struct folder_lock {
  file_descriptor held; ///< empty: there is no such folder, or no lock of it
  bool taken = false;   ///< another process has it
};

/// Of a folder of this user: nobody else's is touched.
folder_lock lock_of(const fs::path& folder) {
  folder_lock out{file_descriptor{
      ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)}};
  if (!out.held) return out;
  struct stat about {};
  const bool is_ours =
      ::fstat(out.held.get(), &about) == 0 && about.st_uid == ::geteuid();
  if (is_ours && ::flock(out.held.get(), LOCK_EX | LOCK_NB) == 0) return out;
  out.taken = is_ours && errno == EWOULDBLOCK;
  out.held = {};
  return out;
}

void remove_abandoned(const fs::path& place, const std::string& beginning) {
  std::error_code failed;
  for (fs::directory_iterator entry{place, failed}, end;
       !failed && entry != end; entry.increment(failed)) {
    if (!entry->path().filename().string().starts_with(beginning)) continue;
    // Held until it is removed: who makes a folder may be at this place.
    if (const auto lock = lock_of(entry->path()); lock.held)
      remove_tree(entry->path());
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

result<temporary_folder> temporary_folder::make(const std::string& beginning) {
  std::error_code failed;
  const auto place = fs::temp_directory_path(failed);
  if (failed)
    return error{ec::io, "no directory for temporary files: " + failed.message()
                             + "; set TMPDIR"};
  return make_in(place, beginning);
}

result<temporary_folder>
temporary_folder::make_in(const fs::path& place, const std::string& beginning) {
  remove_abandoned(place, beginning);
  for (;;) {
    auto path = (fs::absolute(place) / (beginning + "XXXXXX")).string();
    if (!::mkdtemp(path.data())) return file_error("make a folder in", place);
    auto lock = lock_of(path);
    // Between the two another process may take it for abandoned.
    std::error_code ignored;
    if (!lock.taken && fs::exists(path, ignored))
      return temporary_folder{path, std::move(lock.held)};
  }
}

void temporary_folder::let_pass() const {
  ::chmod(path_.c_str(), S_IRWXU | S_IXGRP | S_IXOTH);
}

temporary_folder::~temporary_folder() {
  if (!path_.empty()) remove_tree(path_);
}

} // namespace brewery
