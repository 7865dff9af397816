#include "web/file_stamp.hpp"

#include <fmt/format.h>

#include <sys/stat.h>

namespace brewery::web {

std::string stamp_of_run(const std::filesystem::path& run) {
  std::string out;
  for (const char* name :
       {"events.db", "events.db-wal", "status.json", "report.md"}) {
    struct stat about {};
    if (::stat((run / name).c_str(), &about) != 0) about = {};
    out += fmt::format("{} {} {}.{};", about.st_ino, about.st_size,
                       about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
  }
  return out;
}

} // namespace brewery::web
