#include "store/files.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace brewery {

namespace fs = std::filesystem;

error file_error(int code, std::string_view doing, const fs::path& where) {
  const bool full = code == ENOSPC || code == EDQUOT;
  return {full ? ec::disk_full : ec::io,
          fmt::format("cannot {} {}: {}{}", doing, where.string(),
                      std::strerror(code),
                      full ? "; free some space and try again" : "")};
}

namespace {

class descriptor {
public:
  explicit descriptor(int fd) : fd_(fd) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

private:
  int fd_;
};

result<void> write_file(const fs::path& file, std::string_view bytes) {
  const descriptor out{
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)};
  if (out.get() < 0) return file_error(errno, "create", file);
  while (!bytes.empty()) {
    const auto written = ::write(out.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return file_error(errno, "write", file);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(out.get()) != 0) return file_error(errno, "write", file);
  return {};
}

result<void> sync_folder(const fs::path& dir) {
  const descriptor in{::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (in.get() < 0) return file_error(errno, "open", dir);
  if (::fsync(in.get()) != 0) return file_error(errno, "write", dir);
  return {};
}

/// Fills a fresh folder; the caller removes it after a failure.
result<void> fill(const fs::path& dir, const std::vector<named_file>& files) {
  std::error_code code;
  fs::remove_all(dir, code); // left over from a crash
  fs::create_directories(dir, code);
  if (code) return file_error(code.value(), "create", dir);
  for (const auto& file : files) {
    const fs::path path = dir / file.name;
    fs::create_directories(path.parent_path(), code);
    if (code) return file_error(code.value(), "create", path.parent_path());
    if (auto ok = write_file(path, file.bytes); !ok) return ok;
    if (auto ok = sync_folder(path.parent_path()); !ok) return ok;
  }
  return sync_folder(dir);
}

/// Puts `fresh` in the place of `dir`; afterwards `fresh` holds the old one.
result<void> swap_in(const fs::path& fresh, const fs::path& dir) {
  std::error_code code;
  if (!fs::exists(dir, code)) {
    if (std::rename(fresh.c_str(), dir.c_str()) == 0) return {};
    return file_error(errno, "rename", fresh);
  }
  if (::renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, dir.c_str(),
                  RENAME_EXCHANGE)
      == 0)
    return {};
  if (errno != EINVAL && errno != ENOSYS)
    return file_error(errno, "replace", dir);
  // This file system cannot exchange: two steps, with the old one kept beside.
  const fs::path old = fresh.string() + ".old";
  fs::remove_all(old, code);
  if (std::rename(dir.c_str(), old.c_str()) != 0)
    return file_error(errno, "rename", dir);
  if (std::rename(fresh.c_str(), dir.c_str()) != 0) {
    const int why = errno;
    if (std::rename(old.c_str(), dir.c_str()) != 0)
      return file_error(errno, "restore", old);
    return file_error(why, "rename", fresh);
  }
  fs::rename(old, fresh, code);
  return {};
}

result<void> check_target(const fs::path& dir, const std::string& marker) {
  std::error_code code;
  const auto state = fs::status(dir, code);
  if (!fs::exists(state)) return {};
  if (!fs::is_directory(state))
    return error{ec::already_exists,
                 fmt::format("{} exists and is no folder; choose another name",
                             dir.string())};
  if (fs::is_empty(dir, code)) return {};
  if (!marker.empty() && fs::exists(dir / marker, code)) return {};
  return error{ec::already_exists,
               fmt::format("{} is a folder with other files in it; choose "
                           "another name, nothing was changed",
                           dir.string())};
}

} // namespace

result<std::string> read_text_file(const fs::path& file,
                                   std::size_t bytes_max) {
  std::error_code code;
  const auto state = fs::status(file, code);
  if (!fs::exists(state))
    return error{ec::not_found,
                 fmt::format("{} does not exist", file.string())};
  if (!fs::is_regular_file(state))
    return error{ec::io, fmt::format("{} is no file", file.string())};
  const auto size = fs::file_size(file, code);
  if (code) return file_error(code.value(), "read", file);
  if (size > bytes_max)
    return error{ec::invalid_argument,
                 fmt::format("{} has {} bytes, more than {}", file.string(),
                             size, bytes_max)};
  std::ifstream in{file, std::ios::binary};
  std::string text(static_cast<std::size_t>(size), '\0');
  in.read(text.data(), static_cast<std::streamsize>(size));
  if (!in) return file_error(errno == 0 ? EIO : errno, "read", file);
  return text;
}

result<void> replace_folder(const fs::path& dir,
                            const std::vector<named_file>& files,
                            const std::string& marker) {
  std::error_code code;
  fs::path target = fs::absolute(dir, code).lexically_normal();
  if (!target.has_filename()) target = target.parent_path(); // trailing '/'
  if (auto ok = check_target(target, marker); !ok) return ok;
  const fs::path fresh =
      target.parent_path() / ("." + target.filename().string() + ".new");
  auto done = fill(fresh, files);
  if (done) done = swap_in(fresh, target);
  fs::remove_all(fresh, code);
  if (!done) return done;
  return sync_folder(target.parent_path());
}

} // namespace brewery
