#include "web/file_stamp.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <sys/stat.h>

namespace brewery::web {

namespace {

std::string stamp_of(const std::filesystem::path& run,
                     std::initializer_list<const char*> names) {
  std::string out;
  for (const char* name : names) {
    struct stat about {};
    if (::stat((run / name).c_str(), &about) != 0) about = {};
    out += fmt::format("{} {} {}.{};", about.st_ino, about.st_size,
                       about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
  }
  return out;
}

} // namespace

std::string stamp_of_run(const std::filesystem::path& run) {
  return stamp_of(run,
                  {"events.db", "events.db-wal", "status.json", "report.md"});
}

std::string stamp_of_log(const std::filesystem::path& run) {
  return stamp_of(run, {"events.db", "events.db-wal"});
}

} // namespace brewery::web
