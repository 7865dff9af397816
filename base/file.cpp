#include "base/file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace brewery {

namespace {

ec code_of(int reason) {
  switch (reason) {
  case ENOSPC:
  case EDQUOT:
    return ec::disk_full;
  case ENOENT:
    return ec::not_found;
  case EEXIST:
    return ec::already_exists;
  default:
    return ec::io;
  }
}

result<void> write_all(int fd, std::string_view bytes,
                       const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const auto written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return file_error("write", path);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

result<std::string> read_all(const file_descriptor& file,
                             const std::filesystem::path& path,
                             std::size_t bytes_max) {
  std::string bytes;
  char block[std::size_t{64} << 10];
  for (;;) {
    const auto count = ::read(file.get(), block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return file_error("read", path);
    if (count == 0) return bytes;
    bytes.append(block, static_cast<std::size_t>(count));
    if (bytes.size() > bytes_max)
      return error{ec::io,
                   fmt::format("cannot read {}: it is longer than {} bytes; "
                               "remove it if it is none of yours",
                               path.string(), bytes_max)};
  }
}

std::filesystem::path directory_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

} // namespace

file_descriptor::file_descriptor(file_descriptor&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)) {}

file_descriptor& file_descriptor::operator=(file_descriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

file_descriptor::~file_descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

error file_error(std::string_view what, const std::filesystem::path& path) {
  return file_error(errno, what, path);
}

error file_error(int reason, std::string_view what,
                 const std::filesystem::path& path) {
  const auto code = code_of(reason);
  return {code,
          fmt::format(
              "cannot {} {}: {}{}", what, path.string(), std::strerror(reason),
              code == ec::disk_full ? "; free some space and try again" : "")};
}

result<std::string> read_file(const std::filesystem::path& path) {
  const file_descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!file) return file_error("open", path);
  return read_all(file, path, std::string::npos);
}

result<std::string> read_plain_file(const std::filesystem::path& path,
                                    std::size_t bytes_max) {
  // Opening a pipe that nobody writes to would wait for ever.
  const file_descriptor file{
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (!file) return file_error("open", path);
  struct stat about {};
  if (::fstat(file.get(), &about) != 0) return file_error("read", path);
  if (!S_ISREG(about.st_mode))
    return error{ec::io, fmt::format("cannot read {}: it is no plain file; "
                                     "remove it if it is none of yours",
                                     path.string())};
  return read_all(file, path, bytes_max);
}

bool keeps_secret(mode_t mode, uid_t owner, uid_t reader) {
  const bool of_root = owner == 0 && reader != 0;
  const mode_t forbidden =
      of_root ? S_IWGRP | S_IXGRP | S_IRWXO : S_IRWXG | S_IRWXO;
  return (mode & forbidden) == 0;
}

result<std::string> read_private_file(const std::filesystem::path& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return file_error("open", path);
  if (const auto me = ::geteuid();
      !keeps_secret(about.st_mode, about.st_uid, me)) {
    const bool foreign = about.st_uid == 0 && me != 0;
    return error{
        ec::io,
        fmt::format("{} can be read by others (mode {:o}); make it yours "
                    "alone: chmod 600 {}{}",
                    path.string(), about.st_mode & 0777u, path.string(),
                    foreign ? "; a Kubernetes Secret needs defaultMode: 0400 "
                              "and the pod fsGroup"
                            : "")};
  }
  return read_file(path);
}

result<void> write_synced_file(const std::filesystem::path& path,
                               std::string_view bytes) {
  const file_descriptor file{::open(
      path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
      S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH)};
  if (!file) return file_error("create", path);
  if (auto done = write_all(file.get(), bytes, path); !done) return done;
  if (::fsync(file.get()) != 0) return file_error("sync", path);
  return {};
}

result<void> write_file_atomically(const std::filesystem::path& path,
                                   std::string_view bytes) {
  // The process id separates concurrent writers. What has the name already was
  // left by a crash, or by somebody who wants a link to be written through.
  auto fresh = path;
  fresh += fmt::format(".new-{}", ::getpid());
  ::unlink(fresh.c_str());
  auto done = write_synced_file(fresh, bytes);
  if (done && ::rename(fresh.c_str(), path.c_str()) != 0)
    done = file_error("replace", path);
  if (!done) {
    ::unlink(fresh.c_str());
    return done;
  }
  return sync_directory(directory_of(path));
}

result<std::filesystem::path> working_directory() {
  std::error_code gone;
  auto here = std::filesystem::current_path(gone);
  if (!gone) return here;
  return error{ec::not_found, "the working directory does not exist any more: "
                              "change to another one"};
}

std::string file_identity(const std::filesystem::path& path) {
  struct statx about {};
  if (::statx(AT_FDCWD, path.c_str(), 0, STATX_INO | STATX_BTIME, &about) != 0)
    return {};
  const bool born = (about.stx_mask & STATX_BTIME) != 0;
  return fmt::format("{}:{}/{}/{}.{}", about.stx_dev_major, about.stx_dev_minor,
                     about.stx_ino, born ? about.stx_btime.tv_sec : 0,
                     born ? about.stx_btime.tv_nsec : 0);
}

result<void> sync_directory(const std::filesystem::path& directory) {
  const file_descriptor opened{
      ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!opened) return file_error("open directory", directory);
  if (::fsync(opened.get()) != 0) return file_error("sync", directory);
  return {};
}

result<void> make_directories(const std::filesystem::path& directory) {
  const bool has_above =
      directory.has_parent_path() && directory.parent_path() != directory;
  bool made = ::mkdir(directory.c_str(), 0777) == 0;
  if (!made && errno == ENOENT && has_above) {
    if (auto above = make_directories(directory.parent_path()); !above)
      return above;
    // Once: /proc says ENOENT whether its parent is there or not.
    made = ::mkdir(directory.c_str(), 0777) == 0;
  }
  if (made) return sync_directory(directory_of(directory));
  const int reason = errno;
  if (reason == EEXIST && std::filesystem::is_directory(directory)) return {};
  return file_error(reason, "create directory", directory);
}

} // namespace brewery
