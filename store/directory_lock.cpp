#include "store/directory_lock.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace brewery {

namespace {

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

error taken(const std::filesystem::path& directory) {
  const auto holder = read_plain_file(directory / "lock");
  const auto who = holder ? std::string{trim(*holder)} : std::string{};
  return {ec::in_use,
          fmt::format("{} is in use by {}; wait for it or stop it first",
                      directory.string(),
                      who.empty() ? "another process" : who)};
}

} // namespace

result<directory_lock>
directory_lock::take(const std::filesystem::path& directory) {
  const auto path = directory / "lock";
  // Close-on-exec: a child that outlives this process must not keep the lock.
  // What a link in a foreign directory points to must not be written over.
  file_descriptor file{::open(path.c_str(),
                              O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
                              S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH)};
  if (!file && errno == ELOOP)
    return error{ec::io, fmt::format("{} is a link, and a lock never is one; "
                                     "remove it and try again",
                                     path.string())};
  if (!file) return file_error("open", path);
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return taken(directory);
    return file_error("lock", path);
  }
  const auto text = fmt::format("process {} on {}\n", ::getpid(), host_name());
  // For readers only, so a full disk is no error here. Cut after writing, so
  // that a reader never finds it empty.
  (void)!::pwrite(file.get(), text.data(), text.size(), 0);
  (void)!::ftruncate(file.get(), static_cast<off_t>(text.size()));
  return directory_lock{path, std::move(file)};
}

result<void> directory_lock::in_place() const {
  struct stat held {
  }, there{};
  if (::fstat(file_.get(), &held) == 0 && ::stat(path_.c_str(), &there) == 0
      && held.st_dev == there.st_dev && held.st_ino == there.st_ino)
    return {};
  return error{
      ec::io, fmt::format("{} is not where it was: it was moved or removed, or "
                          "its disk is gone; put it back, or start again "
                          "without it",
                          path_.parent_path().string())};
}

} // namespace brewery
