#include "store/run_directory.hpp"

#include "base/file.hpp"
#include "base/text.hpp"
#include "store/event_log.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <sys/stat.h>

namespace brewery {

namespace {

namespace fs = std::filesystem;

bool is_id(std::string_view id) {
  constexpr std::size_t longest = 64;
  if (id.empty() || id.size() > longest || id[0] == '.' || id[0] == '-')
    return false;
  return std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
           || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  });
}

bool is_run(const fs::path& path) {
  if (!is_id(path.filename().string())) return false;
  std::error_code failed;
  if (fs::exists(path / "events.db", failed)
      || fs::exists(path / "config.toml", failed))
    return true;
  // A directory that may not be looked into may be a run, and is not hidden.
  return failed == std::errc::permission_denied
         && fs::is_directory(path, failed);
}

/// What there is before a run's submission or log.
bool comes_before_begin(const fs::directory_entry& entry) {
  const auto name = entry.path().filename().string();
  std::error_code failed;
  if (name == "kb") return fs::is_empty(entry.path(), failed) && !failed;
  // With those that a kill kept from getting their names.
  return name == "lock" || name == "config.toml"
         || name.starts_with("events.ack") || name.starts_with("events.db.new")
         || name.starts_with("config.toml.new-") || name.starts_with("replays")
         || name.starts_with("submission.json.new-");
}

error refuse_id(std::string_view id) {
  return {
      ec::invalid_argument,
      fmt::format("'{}' cannot be the id of a run: use 1 to 64 letters, "
                  "digits, '.', '_' or '-', starting with a letter or digit",
                  id)};
}

error begun_already(const fs::path& path) {
  return {ec::already_exists,
          fmt::format("run {} exists already: resume it or choose another id",
                      path.string())};
}

} // namespace

fs::path run_directory::config() const {
  return path_ / "config.toml";
}
fs::path run_directory::events() const {
  return path_ / "events.db";
}
fs::path run_directory::documents() const {
  return path_ / "kb";
}
fs::path run_directory::report() const {
  return path_ / "report.md";
}

fs::path run_directory::snapshots() const {
  return path_ / "snapshots";
}

result<void> run_directory::can_be_id(std::string_view id) {
  if (!is_id(id)) return refuse_id(id);
  return {};
}

result<run_directory> run_directory::create(const fs::path& root,
                                            std::string_view id) {
  if (!is_id(id)) return refuse_id(id);
  if (auto above = make_directories(root); !above) return above.error();
  const auto path = root / id;
  // mkdir decides which process is first if two want the same id.
  if (::mkdir(path.c_str(), 0777) != 0) {
    if (errno == EEXIST) return begun_already(path);
    return file_error("create directory", path);
  }
  run_directory out{path};
  auto ok = make_directories(path / "kb");
  if (ok) ok = sync_directory(root);
  if (ok) return out;
  out.discard();
  return ok.error();
}

result<run_directory> run_directory::create_or_take(const fs::path& root,
                                                    std::string_view id) {
  auto made = create(root, id);
  if (made || made.error().code != ec::already_exists) return made;
  run_directory left{root / id};
  if (left.has_begun()) return made;
  if (auto ok = make_directories(left.documents()); !ok) return ok.error();
  if (auto ok = sync_directory(root); !ok) return ok.error();
  return left;
}

bool run_directory::has_begun() const {
  std::error_code failed;
  fs::directory_iterator entry{path_, failed};
  for (; !failed && entry != fs::directory_iterator{}; entry.increment(failed))
    if (!comes_before_begin(*entry)) return true;
  return static_cast<bool>(failed);
}

void run_directory::discard_unbegun(const fs::path& root, std::string_view id) {
  if (!is_id(id)) return;
  const run_directory left{root / id};
  if (!left.has_begun()) left.discard();
}

result<void> run_directory::reopen() const {
  std::error_code failed;
  const bool was_there = fs::remove(report(), failed);
  if (failed) return file_error(failed.value(), "remove", report());
  return was_there ? sync_directory(path_) : result<void>{};
}

void run_directory::discard() const {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

namespace {

result<std::unique_ptr<event_log>> fill(const run_directory& directory,
                                        std::string_view config,
                                        directory_lock lock) {
  if (auto ok = write_file_atomically(directory.config(), config); !ok)
    return ok.error();
  return event_log::create(directory.path(), std::move(lock));
}

} // namespace

result<std::unique_ptr<event_log>> begin_log(const run_directory& directory,
                                             std::string_view config) {
  // Before anything is written: another process may begin the same run.
  auto lock = directory_lock::take(directory.path());
  if (!lock) {
    // Else it may be another's, and can be begun later.
    if (lock.error().code == ec::disk_full) directory.discard();
    return lock.error();
  }
  std::error_code ignored;
  if (fs::exists(directory.events(), ignored))
    return begun_already(directory.path());
  auto log = fill(directory, config, std::move(*lock));
  if (!log && log.error().code != ec::in_use) directory.discard();
  return log;
}

std::string run_directory::id_of(std::chrono::system_clock::time_point now,
                                 std::string_view name) {
  const auto second = std::chrono::floor<std::chrono::seconds>(now);
  return fmt::format("{:%Y%m%d-%H%M%S}{}{}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(second)),
                     name.empty() ? "" : "-", name);
}

result<run_directory>
run_directory::create_new(const fs::path& root,
                          std::chrono::system_clock::time_point now,
                          std::string_view name) {
  const auto stem = id_of(now, name);
  constexpr int most_per_second = 10'000;
  for (int n = 1; n <= most_per_second; ++n) {
    auto made = create(root, n == 1 ? stem : fmt::format("{}-{}", stem, n));
    if (made || made.error().code != ec::already_exists) return made;
  }
  return error{ec::exhausted, fmt::format("{} runs of {} exist already",
                                          most_per_second, stem)};
}

result<run_directory> run_directory::open(const fs::path& root,
                                          std::string_view id) {
  if (!is_id(id)) return refuse_id(id);
  if (is_run(root / id)) return run_directory{root / id};
  const auto runs = list(root);
  if (!runs) return runs.error();
  std::vector<std::string> ids;
  std::string last;
  std::optional<fs::file_time_type> newest;
  for (const auto& run : *runs) {
    ids.push_back(run.id());
    std::error_code unknown;
    // Written when the run is made, and again when it is extended.
    const auto made = fs::last_write_time(run.config(), unknown);
    if (unknown || (newest && made < *newest)) continue;
    newest = made;
    last = run.id();
  }
  const auto near = nearest(id, ids);
  return error{
      ec::not_found,
      fmt::format("no run '{}' in {}{}", id, root.empty() ? "." : root.string(),
                  !near.empty()  ? fmt::format("; did you mean {}?", near)
                  : last.empty() ? "; there are no runs yet"
                                 : fmt::format("; the last one is {}", last))};
}

result<std::vector<run_directory>> run_directory::list(const fs::path& root) {
  std::vector<run_directory> runs;
  std::error_code failed;
  fs::directory_iterator entry{root, failed};
  if (failed == std::errc::no_such_file_or_directory) return runs;
  for (; !failed && entry != fs::directory_iterator{}; entry.increment(failed))
    if (is_run(entry->path())) runs.push_back(run_directory{entry->path()});
  if (failed)
    return error{ec::io, fmt::format("cannot list {}: {}", root.string(),
                                     failed.message())};
  std::sort(runs.begin(), runs.end(),
            [](const auto& a, const auto& b) { return a.path_ < b.path_; });
  return runs;
}

} // namespace brewery
