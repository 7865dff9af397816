#include "envs/spreadsheet/workspace.hpp"

#include "envs/spreadsheet/ports.hpp"
#include "process/temporary_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <unistd.h>

namespace brewery::spreadsheet {

namespace fs = std::filesystem;

namespace {

constexpr auto bytes_max = static_cast<off_t>(workbook_bytes_max);
/// Limit per call; further workbooks are recalculated after the next cell.
constexpr std::size_t workbooks_max = 8;
/// Limit of files examined, because code may fill its directory.
constexpr std::size_t entries_max = 10'000;
constexpr std::string_view workbook_suffix = ".xlsx";
/// Of a file beside the workspace, where no code of an agent writes.
constexpr const char* temporary_suffix = ".replaced";

error broke(const std::string& what, const fs::path& path) {
  return {ec::environment, fmt::format("cannot {} {}: {}", what, path.string(),
                                       std::strerror(errno))};
}

/// Whether an entry that cannot be opened is itself the reason. Else, for want
/// of descriptors say, the machine is, and nothing is known of the entry.
bool is_of_the_file(int why) {
  return why == ELOOP || why == ENOTDIR || why == EISDIR || why == ENXIO
         || why == ENODEV || why == EACCES || why == EPERM;
}

struct unlinked_at_end {
  std::string path;
  ~unlinked_at_end() { ::unlink(path.c_str()); }
};

/// Copies from both current positions, at most `most` bytes. Returns the number
/// of bytes, or -1.
off_t copy_bytes(int from, int to, off_t most) {
  std::array<char, 65536> piece; // NOLINT: read fills it
  off_t all = 0;
  while (all < most) {
    const auto wanted =
        std::min<off_t>(most - all, static_cast<off_t>(piece.size()));
    const auto got =
        ::read(from, piece.data(), static_cast<std::size_t>(wanted));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) return all;
    for (ssize_t done = 0; done < got;) {
      const auto written = ::write(to, piece.data() + done,
                                   static_cast<std::size_t>(got - done));
      if (written < 0 && errno != EINTR) return -1;
      done += std::max<ssize_t>(written, 0);
    }
    all += got;
  }
  return all;
}

} // namespace

result<workspace> workspace::make(const fs::path& root, const fs::path& input) {
  auto pattern = (root / "XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) return broke("create", pattern);
  workspace made{pattern,
                 file_descriptor{::open(pattern.c_str(),
                                        O_RDONLY | O_DIRECTORY | O_CLOEXEC)}};
  if (!made.directory_) return broke("open", pattern);
  const file_descriptor from{::open(input.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!from) return broke("read", input);
  const file_descriptor to{::openat(made.directory_.get(), input_name,
                                    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                    S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH)};
  if (!to) return broke("create a file in", pattern);
  const auto copied = copy_bytes(from.get(), to.get(), bytes_max + 1);
  if (copied < 0) return broke("copy to " + pattern + " from", input);
  if (copied > bytes_max)
    return error{ec::environment, fmt::format("{} is larger than {} bytes",
                                              input.string(), bytes_max)};
  if (const auto now = made.observe(input_name)) made.seen_[input_name] = *now;
  return made;
}

workspace::workspace(workspace&& other) noexcept
    : path_(std::exchange(other.path_, {})),
      directory_(std::move(other.directory_)), seen_(std::move(other.seen_)) {}

workspace::~workspace() {
  if (!path_.empty()) remove_tree(path_);
}

std::optional<workspace::observation>
workspace::observe(const std::string& name) const {
  struct stat about {};
  if (::fstatat(directory_.get(), name.c_str(), &about, AT_SYMLINK_NOFOLLOW)
          != 0
      || !S_ISREG(about.st_mode))
    return std::nullopt;
  // Ignores the inode's change time: a change of owner is no change here.
  return observation{about.st_ino, about.st_size, about.st_mtim};
}

result<std::vector<std::string>> workspace::changed_workbooks() {
  // Code can close the directory to its owner, who still has work in it.
  ::fchmod(directory_.get(), S_IRWXU);
  // A second descriptor with its own position, at the start.
  const int again =
      ::openat(directory_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> listing{
      again < 0 ? nullptr : ::fdopendir(again), ::closedir};
  if (!listing) {
    auto why = broke("list", path_);
    if (again >= 0) ::close(again);
    return why;
  }
  std::vector<std::string> names;
  std::size_t entries = 0;
  while (entries++ < entries_max) {
    const auto* entry = ::readdir(listing.get());
    if (!entry) break;
    const std::string_view name{entry->d_name};
    if (name.ends_with(workbook_suffix)) names.emplace_back(name);
  }
  // The answer comes first, because it is what counts.
  std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) {
    return std::pair{a != output_name, a} < std::pair{b != output_name, b};
  });
  std::vector<std::string> out;
  for (const auto& name : names) {
    const auto now = observe(name);
    if (!now || out.size() == workbooks_max) continue;
    const auto before = seen_.find(name);
    if (before != seen_.end() && before->second == *now) continue;
    seen_[name] = *now;
    out.push_back(name);
  }
  return out;
}

result<workspace::fetched> workspace::fetch(const std::string& name,
                                            const fs::path& to) const {
  // Non-blocking, so that a pipe cannot stall it.
  const file_descriptor from{
      ::openat(directory_.get(), name.c_str(),
               O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)};
  if (!from && errno == ENOENT) return fetched::missing;
  if (!from && is_of_the_file(errno)) return fetched::not_a_file;
  if (!from) return broke("open " + name + " in", path_);
  struct stat about {};
  if (::fstat(from.get(), &about) != 0 || !S_ISREG(about.st_mode))
    return fetched::not_a_file;
  if (about.st_size > bytes_max) return fetched::too_large;
  const file_descriptor copy{::open(
      to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR)};
  if (!copy) return broke("create", to);
  // The file may have grown in the meantime.
  const auto copied = copy_bytes(from.get(), copy.get(), bytes_max + 1);
  if (copied < 0) return broke("copy " + name + " to", to);
  return copied > bytes_max ? fetched::too_large : fetched::copied;
}

result<void> workspace::replace(const std::string& name, const fs::path& from) {
  const file_descriptor content{
      ::open(from.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)};
  if (!content) return broke("read", from);
  struct stat before {};
  if (::fstatat(directory_.get(), name.c_str(), &before, AT_SYMLINK_NOFOLLOW)
          != 0
      || !S_ISREG(before.st_mode))
    return {}; // removed in the meantime: nothing to replace
  const unlinked_at_end temporary{path_.string() + temporary_suffix};
  const auto& place = temporary.path;
  const file_descriptor to{::open(
      place.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
      S_IRUSR | S_IWUSR)};
  if (!to) return broke("create", place);
  if (copy_bytes(content.get(), to.get(), bytes_max) < 0)
    return broke("write", place);
  // The code owns the file that it wrote, and may write it again.
  if ((before.st_uid != ::geteuid()
       && ::fchown(to.get(), before.st_uid, before.st_gid) != 0)
      || ::fchmod(to.get(), before.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO))
             != 0)
    return broke("give away", place);
  if (::renameat(AT_FDCWD, place.c_str(), directory_.get(), name.c_str()) != 0)
    return broke("replace " + name + " in", path_);
  if (const auto now = observe(name)) seen_[name] = *now;
  return {};
}

} // namespace brewery::spreadsheet
