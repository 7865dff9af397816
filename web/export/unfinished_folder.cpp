#include "web/export/unfinished_folder.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>

namespace brewery::web {

namespace {

namespace fs = std::filesystem;

/// Empty: another process has it, or this file system has no locks.
file_descriptor lock_of(const fs::path& folder) {
  file_descriptor out{
      ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)};
  if (out && ::flock(out.get(), LOCK_EX | LOCK_NB) == 0) return out;
  return {};
}

void remove_abandoned(const fs::path& place, const std::string& beginning) {
  std::error_code failed;
  fs::directory_iterator entry{place, failed};
  for (; !failed && entry != fs::directory_iterator{};
       entry.increment(failed)) {
    if (!entry->path().filename().string().starts_with(beginning)) continue;
    std::error_code ignored;
    if (lock_of(entry->path())) fs::remove_all(entry->path(), ignored);
  }
}

} // namespace

unfinished_folder::unfinished_folder(fs::path path)
    : path_(std::move(path)), lock_(lock_of(path_)) {}

result<unfinished_folder> unfinished_folder::make(const fs::path& target) {
  const auto place = target.parent_path();
  const auto beginning = "." + target.filename().string() + ".brewery-export-";
  remove_abandoned(place, beginning);
  auto path = (place / (beginning + "XXXXXX")).string();
  if (!::mkdtemp(path.data())) return file_error("make a folder in", place);
  return unfinished_folder{path};
}

} // namespace brewery::web
