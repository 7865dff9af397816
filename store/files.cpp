#include "store/files.hpp"

#include "base/file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <fcntl.h>

namespace brewery {

namespace fs = std::filesystem;

namespace {

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
    if (auto ok = write_synced_file(path, file.bytes); !ok) return ok;
    if (auto ok = sync_directory(path.parent_path()); !ok) return ok;
  }
  return sync_directory(dir);
}

/// Puts `fresh` in the place of `dir`. Afterwards `fresh` has the old content.
result<void> swap_in(const fs::path& fresh, const fs::path& dir) {
  std::error_code code;
  if (!fs::exists(dir, code)) {
    if (std::rename(fresh.c_str(), dir.c_str()) == 0) return {};
    return file_error("rename", fresh);
  }
  if (::renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, dir.c_str(),
                  RENAME_EXCHANGE)
      == 0)
    return {};
  if (errno != EINVAL && errno != ENOSYS) return file_error("replace", dir);
  // This file system cannot exchange: two steps, with the old one kept beside.
  const fs::path old = fresh.string() + ".old";
  fs::remove_all(old, code);
  if (std::rename(dir.c_str(), old.c_str()) != 0)
    return file_error("rename", dir);
  if (std::rename(fresh.c_str(), dir.c_str()) != 0) {
    const int why = errno;
    if (std::rename(old.c_str(), dir.c_str()) != 0)
      return file_error("restore", old);
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
    return error{
        ec::already_exists,
        fmt::format("{} exists and is not a folder; choose another name",
                    dir.string())};
  const bool empty = fs::is_empty(dir, code);
  if (code) return file_error(code.value(), "open", dir);
  if (empty) return {};
  const bool marked = !marker.empty() && fs::exists(dir / marker, code);
  if (code) return file_error(code.value(), "look for", dir / marker);
  if (marked) return {};
  return error{ec::already_exists,
               fmt::format("{} is a folder with other files in it, so nothing "
                           "was changed; remove it first, or choose another "
                           "name",
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
    return error{ec::io, fmt::format("{} is not a file", file.string())};
  const auto size = fs::file_size(file, code);
  if (code) return file_error(code.value(), "read", file);
  if (size > bytes_max)
    return error{ec::invalid_argument,
                 fmt::format("{} has {} bytes, more than {}", file.string(),
                             size, bytes_max)};
  return read_file(file);
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
  return sync_directory(target.parent_path());
}

} // namespace brewery
