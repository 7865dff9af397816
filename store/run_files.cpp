#include "store/run_files.hpp"

#include "base/file_blocks.hpp"
#include "base/text.hpp"
#include "store/directory_lock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fcntl.h>

namespace brewery {

namespace fs = std::filesystem;

namespace {

run_part part_of(const std::string& name) {
  if (name.starts_with("kb/") || name.starts_with("strategies/"))
    return run_part::documents;
  const auto suffix = fs::path{name}.extension();
  const bool text = suffix == ".md" || suffix == ".html" || suffix == ".json"
                    || suffix == ".toml";
  return text && name.find('/') == std::string::npos ? run_part::report
                                                     : run_part::log;
}

/// Whether a process writes into the directory.
bool is_in_use(const run_directory& run) {
  const auto lock = directory_lock::take(run.path());
  return !lock && lock.error().code == ec::in_use;
}

/// Of a component on the way to the file, and of the file.
bool is_plain(const fs::path& path) {
  std::error_code ignored;
  const auto type = fs::symlink_status(path, ignored).type();
  return type == fs::file_type::regular || type == fs::file_type::directory;
}

} // namespace

bool is_name_of_run_file(std::string_view name) {
  constexpr std::size_t bytes_max = 1000;
  if (name.empty() || name.size() > bytes_max) return false;
  for (const char c : name)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\')
      return false;
  for (const auto part : split(name, '/'))
    if (part.empty() || part.starts_with('.') || part == "lock"
        || part.ends_with("-shm")
        || part.find(".new-") != std::string_view::npos)
      return false;
  // Snapshots are made again where they are needed.
  return name != "submission.json" && name != "live.json" && name != "snapshots"
         && !name.starts_with("snapshots/");
}

result<run_files> list_run_files(const run_directory& run) {
  constexpr std::size_t files_max = 100'000;
  run_files out;
  out.log_in_use = is_in_use(run);
  std::error_code failed;
  for (fs::recursive_directory_iterator at{run.path(), failed}, end;
       !failed && at != end; at.increment(failed)) {
    const auto name = at->path().lexically_relative(run.path()).string();
    if (!is_name_of_run_file(name) || !is_plain(at->path())) {
      if (at->is_directory(failed)) at.disable_recursion_pending();
      continue;
    }
    if (at->is_directory(failed)) continue;
    run_file found{name, part_of(name), 0, {}};
    if (out.log_in_use && found.part == run_part::log) continue;
    found.size = at->file_size(failed);
    if (failed) break;
    auto hash = sha256_of_file(at->path());
    if (!hash) return hash.error();
    found.hash = std::move(*hash);
    out.files.push_back(std::move(found));
    if (out.files.size() > files_max)
      return error{ec::invalid_argument,
                   fmt::format("run {} has more than {} files: copy its "
                               "directory with another program",
                               run.id(), files_max)};
  }
  if (failed)
    return error{ec::io, fmt::format("cannot list {}: {}", run.path().string(),
                                     failed.message())};
  std::sort(out.files.begin(), out.files.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return out;
}

result<std::string> read_run_file(const run_directory& run,
                                  const std::string& name, std::uint64_t offset,
                                  std::size_t count) {
  const error refused{ec::invalid_argument,
                      fmt::format("run {} has no file {} to fetch", run.id(),
                                  shell_word(name))};
  if (!is_name_of_run_file(name)) return refused;
  // SQLite loses its locks if this process closes a file that it has open.
  if (part_of(name) == run_part::log && is_in_use(run))
    return error{ec::in_use,
                 fmt::format("run {} is being written; fetch its log when it "
                             "has ended",
                             run.id())};
  auto path = run.path();
  for (const auto part : split(name, '/')) {
    path /= part;
    if (!is_plain(path)) return refused;
  }
  const file_descriptor file{
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)};
  if (!file) return file_error("open", path);
  std::string out(count, '\0');
  const auto got = read_file_at(file, offset, out.data(), out.size(), path);
  if (!got) return got.error();
  out.resize(*got);
  return out;
}

} // namespace brewery
