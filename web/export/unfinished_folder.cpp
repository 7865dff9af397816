#include "web/export/unfinished_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>

namespace brewery::web {

namespace {

namespace fs = std::filesystem;

struct folder_lock {
  file_descriptor held; ///< empty: there is no such folder, or no lock of it
  bool taken = false;   ///< another process has it
};

folder_lock lock_of(const fs::path& folder) {
  folder_lock out{file_descriptor{
      ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)}};
  if (!out.held || ::flock(out.held.get(), LOCK_EX | LOCK_NB) == 0) return out;
  out.taken = errno == EWOULDBLOCK;
  out.held = {};
  return out;
}

void remove_abandoned(const fs::path& place, const std::string& beginning) {
  std::error_code failed;
  fs::directory_iterator entry{place, failed};
  for (; !failed && entry != fs::directory_iterator{};
       entry.increment(failed)) {
    if (!entry->path().filename().string().starts_with(beginning)) continue;
    std::error_code ignored;
    if (lock_of(entry->path()).held) fs::remove_all(entry->path(), ignored);
  }
}

} // namespace

result<unfinished_folder> unfinished_folder::make(const fs::path& target) {
  const auto place = target.parent_path();
  const auto beginning = "." + target.filename().string() + ".brewery-export-";
  remove_abandoned(place, beginning);
  for (;;) {
    auto path = (place / (beginning + "XXXXXX")).string();
    if (!::mkdtemp(path.data())) return file_error("make a folder in", place);
    auto lock = lock_of(path);
    // Between the two another process may take it for abandoned.
    std::error_code ignored;
    if (!lock.taken && fs::exists(path, ignored))
      return unfinished_folder{path, std::move(lock.held)};
  }
}

} // namespace brewery::web
