#include "store/files.hpp"

#include "base/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <functional>
#include <utility>

namespace brewery {

namespace fs = std::filesystem;

namespace {

/// In a folder that is filled where it is: what it will have.
constexpr const char* unfinished = ".brewery-new";

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

/// Whether there is nothing in it but what a crash left of `fill_empty`.
result<bool> is_free(const fs::path& dir) {
  std::error_code code;
  fs::directory_iterator entry{dir, code};
  for (; !code && entry != fs::directory_iterator{}; entry.increment(code))
    if (entry->path().filename() != unfinished) return false;
  if (code) return file_error(code.value(), "open", dir);
  return true;
}

/// Of a folder that is there and empty, which may be private, a mount point, or
/// where a shell stands. The marker comes first, so that what a crash leaves is
/// replaced.
result<void> fill_empty(const fs::path& dir,
                        const std::vector<named_file>& files,
                        const std::string& marker) {
  const fs::path fresh = dir / unfinished;
  std::error_code code;
  auto done = fill(fresh, files);
  std::vector<fs::path> names;
  for (fs::directory_iterator entry{fresh, code};
       done && !code && entry != fs::directory_iterator{};
       entry.increment(code))
    names.push_back(entry->path().filename());
  if (done && code) done = file_error(code.value(), "list", fresh);
  std::ranges::sort(names, std::ranges::greater{}, [&](const fs::path& name) {
    return std::pair{name == marker, name};
  });
  std::vector<fs::path> moved;
  for (const auto& name : names) {
    if (std::rename((fresh / name).c_str(), (dir / name).c_str()) != 0) {
      done = file_error("move", fresh / name);
      break;
    }
    moved.push_back(dir / name);
  }
  if (!done)
    for (const auto& one : moved)
      fs::remove_all(one, code);
  fs::remove_all(fresh, code);
  return done ? sync_directory(dir) : done;
}

/// Puts `fresh` in the place of `dir`. Afterwards `fresh` has the old content.
result<void> swap_in(const fs::path& fresh, const fs::path& dir) {
  std::error_code code;
  if (!fs::exists(dir, code)) {
    if (std::rename(fresh.c_str(), dir.c_str()) == 0) return {};
    return file_error("rename", fresh);
  }
  fs::permissions(fresh, fs::status(dir, code).permissions(), code);
  if (code) return file_error(code.value(), "set permissions of", fresh);
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

/// Whether it is there and empty.
result<bool> check_target(const fs::path& dir, const std::string& marker) {
  std::error_code code;
  const auto state = fs::status(dir, code);
  if (!fs::exists(state)) return false;
  if (!fs::is_directory(state))
    return error{
        ec::already_exists,
        fmt::format("{} exists and is not a folder; choose another name",
                    dir.string())};
  const auto empty = is_free(dir);
  if (!empty) return empty.error();
  if (*empty) return true;
  const bool marked = !marker.empty() && fs::exists(dir / marker, code);
  if (code) return file_error(code.value(), "look for", dir / marker);
  if (marked) return false;
  return error{ec::already_exists,
               fmt::format("{} exists already and is not empty: remove it, or "
                           "choose another name",
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
  const auto empty = check_target(target, marker);
  if (!empty) return empty.error();
  if (*empty) return fill_empty(target, files, marker);
  const fs::path fresh =
      target.parent_path() / ("." + target.filename().string() + ".new");
  auto done = fill(fresh, files);
  if (done) done = swap_in(fresh, target);
  fs::remove_all(fresh, code);
  if (!done) return done;
  return sync_directory(target.parent_path());
}

} // namespace brewery
