#include "cli/operator/fetched_run.hpp"

#include "base/file.hpp"
#include "base/file_blocks.hpp"
#include "store/directory_lock.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fcntl.h>
#include <optional>
#include <set>
#include <unistd.h>

namespace brewery {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t piece_bytes = 1 << 20;
/// A file that changes while it is read is asked for again.
constexpr int tries_max = 5;

result<run_files> listed(operator_client& from, const std::string& run) {
  const auto body =
      from.ask_json("files", {{"id", run}}, operator_client::sending::repeat);
  if (!body) return body.error();
  run_files out;
  try {
    out.log_in_use = body->at("log_in_use").get<bool>();
    for (const auto& one : body->at("files")) {
      const auto part = std::find(run_part_names.begin(), run_part_names.end(),
                                  one.at("part").get<std::string>());
      run_file file{one.at("name").get<std::string>(),
                    static_cast<run_part>(part - run_part_names.begin()),
                    one.at("size").get<std::uint64_t>(),
                    one.at("hash").get<std::string>()};
      constexpr std::size_t hash_digits = 64;
      const bool hex = file.hash.size() == hash_digits
                       && file.hash.find_first_not_of("0123456789abcdef")
                              == std::string::npos;
      // Whoever answers must not write elsewhere.
      if (!is_name_of_run_file(file.name) || !hex
          || part == run_part_names.end())
        return error{ec::malformed,
                     "the coordinator's list has a file that cannot be "
                     "fetched: "
                         + one.dump()};
      out.files.push_back(std::move(file));
    }
  } catch (const nlohmann::json::exception& wrong) {
    return error{
        ec::malformed,
        fmt::format("the coordinator's list of files: {}", wrong.what())};
  }
  return out;
}

struct transfer {
  operator_client& from;
  const std::string& run;
  const fs::path& into;
  fetched_run& counts;

  [[nodiscard]] fs::path parts() const { return into / ".fetch"; }
  [[nodiscard]] result<bool> is_here(const run_file& file) const;
  result<bool> bring(const run_file& file, const run_files& list);
  result<void> append(int part, const run_file& file, std::uint64_t have,
                      const fs::path& path);
};

result<bool> transfer::is_here(const run_file& file) const {
  std::error_code none;
  if (fs::file_size(into / file.name, none) != file.size || none) return false;
  const auto hash = sha256_of_file(into / file.name);
  if (!hash) return hash.error();
  return *hash == file.hash;
}

result<void> transfer::append(int part, const run_file& file,
                              std::uint64_t have, const fs::path& path) {
  while (have < file.size) {
    const auto want = std::min(piece_bytes, file.size - have);
    auto piece = from.ask("read",
                          {{"id", run},
                           {"name", file.name},
                           {"offset", std::to_string(have)},
                           {"count", std::to_string(want)}},
                          operator_client::sending::repeat);
    if (!piece) return piece.error();
    const auto& bytes = piece->content;
    if (bytes.empty() || bytes.size() > want) return {}; // the hash tells
    std::size_t done = 0;
    while (done < bytes.size()) {
      const auto some = ::write(part, bytes.data() + done, bytes.size() - done);
      if (some < 0 && errno == EINTR) continue;
      if (some < 0) return file_error("write", path);
      done += static_cast<std::size_t>(some);
    }
    have += bytes.size();
    counts.bytes += bytes.size();
  }
  if (::fsync(part) != 0) return file_error("sync", path);
  return {};
}

/// The write-ahead file of an older state would be taken for a part of the new
/// log, so it is gone for good before that comes. A kill between the two leaves
/// the older log without its last rows, until the next fetch.
result<void> remove_old_log_parts(const fs::path& into, const run_files& list) {
  bool any = false;
  for (const auto* name : {"events.db-wal", "events.db-shm"}) {
    const bool is_listed =
        std::any_of(list.files.begin(), list.files.end(),
                    [&](const auto& file) { return file.name == name; });
    std::error_code failed;
    if (!is_listed) any = fs::remove(into / name, failed) || any;
    if (failed) return file_error(failed.value(), "remove", into / name);
  }
  return any ? sync_directory(into) : result<void>{};
}

bool is_log(const run_file& file) {
  return file.name == "events.db";
}

/// False if what arrived is not what was listed: it has changed meanwhile. The
/// part's name is its hash, so a part of an older state is never continued.
result<bool> transfer::bring(const run_file& file, const run_files& list) {
  const auto path = parts() / file.hash;
  std::error_code none;
  auto have = fs::file_size(path, none);
  if (none || have > file.size) have = 0;
  {
    const file_descriptor part{::open(path.c_str(),
                                      O_WRONLY | O_CREAT | O_CLOEXEC
                                          | O_NOFOLLOW
                                          | (have > 0 ? O_APPEND : O_TRUNC),
                                      S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH)};
    if (!part) return file_error("create", path);
    if (auto ok = append(part.get(), file, have, path); !ok) return ok.error();
  }
  const auto hash = sha256_of_file(path);
  if (!hash) return hash.error();
  if (*hash != file.hash) {
    fs::remove(path, none);
    return false;
  }
  counts.bytes_before += have;
  const auto target = into / file.name;
  if (auto ok = make_directories(target.parent_path()); !ok) return ok.error();
  if (is_log(file))
    if (auto ok = remove_old_log_parts(into, list); !ok) return ok.error();
  if (::rename(path.c_str(), target.c_str()) != 0)
    return file_error("replace", target);
  if (auto ok = sync_directory(target.parent_path()); !ok) return ok.error();
  return true;
}

/// Those of an older state would be read with the new ones.
void remove_old_documents(const fs::path& into, const run_files& list) {
  std::set<fs::path> listed;
  for (const auto& file : list.files)
    listed.insert(into / file.name);
  std::error_code ignored;
  std::vector<fs::path> old;
  // Each further strategy has its documents below strategies/.
  for (const auto* folder : {"kb", "strategies"})
    for (fs::recursive_directory_iterator entry{into / folder, ignored};
         !ignored && entry != fs::recursive_directory_iterator{};
         entry.increment(ignored))
      if (entry->path().extension() == ".md" && !listed.contains(entry->path()))
        old.push_back(entry->path());
  for (const auto& file : old)
    fs::remove(file, ignored);
}

/// A run that goes on has none until it ends.
void remove_old_report(const fs::path& into, const run_files& list) {
  constexpr std::string_view report = "report.md";
  std::error_code ignored;
  if (!std::ranges::count(list.files, report, &run_file::name))
    fs::remove(into / report, ignored);
}

/// A run on its coordinator: an id may be given again, a start may not.
struct run_origin {
  std::string run;
  std::int64_t started_ms = 0; ///< 0: not begun, or not known

  [[nodiscard]] bool may_become(const run_origin& now) const {
    return run == now.run && (started_ms == now.started_ms || started_ms == 0);
  }
};

/// What a note, a status or a manifest says of it, whatever its bytes are.
run_origin origin_said(const std::string& text) {
  run_origin out;
  const auto read = nlohmann::json::parse(text, nullptr, false);
  if (!read.is_object()) return out;
  if (const auto at = read.find("run"); at != read.end() && at->is_string())
    out.run = at->get<std::string>();
  if (const auto at = read.find("started_ms");
      at != read.end() && at->is_number_integer())
    out.started_ms = at->get<std::int64_t>();
  return out;
}

result<run_origin> origin_of(operator_client& from, const std::string& run,
                             const run_files& list) {
  run_origin out{run, 0};
  constexpr std::string_view status = "status.json";
  if (!std::ranges::count(list.files, status, &run_file::name)) return out;
  const auto text = from.ask("read",
                             {{"id", run},
                              {"name", std::string{status}},
                              {"offset", "0"},
                              {"count", std::to_string(piece_bytes)}},
                             operator_client::sending::repeat);
  if (!text) return text.error();
  out.started_ms = origin_said(text->content).started_ms;
  return out;
}

/// What a fetch notes of whose files it brings.
fs::path note_in(const fs::path& into) {
  return into / ".fetched";
}

/// Empty: nobody noted it, and the files do not say.
std::optional<run_origin> origin_in(const fs::path& into,
                                    const std::string& run) {
  if (const auto note = read_file(note_in(into)))
    if (auto said = origin_said(*note); !said.run.empty()) return said;
  // Fetched by an older release.
  if (const auto status = read_file(into / "status.json"))
    if (const auto said = origin_said(*status); said.started_ms > 0)
      return run_origin{run, said.started_ms};
  if (const auto manifest = read_file(into / "kb" / "manifest.json"))
    if (auto said = origin_said(*manifest); !said.run.empty()) return said;
  return std::nullopt;
}

bool has_files(const fs::path& directory) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(directory, none))
    if (const auto name = entry.path().filename().string();
        name != "lock" && !name.starts_with('.'))
      return true;
  return false;
}

/// Nothing but an older state of the same run is replaced.
result<void> can_hold(const fs::path& into, const run_origin& of) {
  std::error_code none;
  const auto here = origin_in(into, of.run);
  const bool cut_before = !here && fs::exists(into / ".fetch", none);
  if (cut_before || !has_files(into) || (here && here->may_become(of)))
    return {};
  return error{
      ec::already_exists,
      fmt::format("{} holds {}: fetch run {} into another directory (--into)",
                  into.string(),
                  here ? "another run's files" : "files that no fetch brought",
                  of.run)};
}

result<void> note_origin(const fs::path& into, const run_origin& of) {
  const nlohmann::json note{{"run", of.run}, {"started_ms", of.started_ms}};
  return write_file_atomically(note_in(into), note.dump() + '\n');
}

} // namespace

result<fetched_run> fetch_run(const connection_arguments& where,
                              const std::string& run,
                              const std::vector<std::string>& only,
                              const fs::path& into) {
  auto client = operator_client::open(where);
  if (!client) return client.error();
  const auto wanted = [&](run_part part) {
    const std::string name = run_part_names.at(static_cast<std::size_t>(part));
    return only.empty()
           || std::find(only.begin(), only.end(), name) != only.end();
  };
  auto list = listed(*client, run);
  if (!list) return list.error();
  fetched_run out;
  const bool log_wanted = wanted(run_part::log);
  if (log_wanted && !only.empty() && list->log_in_use)
    return error{ec::in_use,
                 fmt::format("the log of run {} is being written: fetch it "
                             "when the run has ended",
                             run)};
  transfer moving{*client, run, into, out};
  const auto origin = origin_of(*client, run, *list);
  if (!origin) return origin.error();
  if (auto ok = can_hold(into, *origin); !ok) return ok.error();
  if (auto ok = make_directories(into); !ok) return ok.error();
  const auto lock = directory_lock::take(into);
  if (!lock) return lock.error();
  if (auto ok = note_origin(into, *origin); !ok) return ok.error();
  if (auto ok = make_directories(moving.parts()); !ok) return ok.error();
  for (int tries = 1;; ++tries) {
    bool all = true;
    out.files = 0;
    out.log_in_use = list->log_in_use && log_wanted;
    for (const auto& file : list->files) {
      if (!wanted(file.part)) continue;
      ++out.files;
      const auto here = moving.is_here(file);
      if (!here) return here.error();
      if (*here) {
        if (tries == 1) out.bytes_before += file.size;
        if (is_log(file))
          if (auto ok = remove_old_log_parts(into, *list); !ok)
            return ok.error();
        continue;
      }
      const auto whole = moving.bring(file, *list);
      if (!whole) return whole.error();
      all = all && *whole;
    }
    if (all) break;
    if (tries == tries_max)
      return error{ec::io, fmt::format("files of run {} change while they are "
                                       "fetched; try again",
                                       run)};
    list = listed(*client, run);
    if (!list) return list.error();
  }
  if (wanted(run_part::documents)) remove_old_documents(into, *list);
  if (wanted(run_part::report)) remove_old_report(into, *list);
  std::error_code ignored;
  fs::remove_all(moving.parts(), ignored);
  return out;
}

} // namespace brewery
