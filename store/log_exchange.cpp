#include "store/log_exchange.hpp"

#include "base/file.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace brewery {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view damaged_prefix = "events-damaged-";

fs::path place(const fs::path& directory, unsigned number) {
  return directory / fmt::format("{}{}", damaged_prefix, number);
}

/// The highest number of a damaged log that is kept; 0: there is none.
result<unsigned> last_place(const fs::path& directory) {
  unsigned out = 0;
  std::error_code failed;
  fs::directory_iterator entry{directory, failed};
  for (; !failed && entry != fs::directory_iterator{};
       entry.increment(failed)) {
    const auto name = entry->path().filename().string();
    if (!name.starts_with(damaged_prefix)) continue;
    const auto number =
        whole_number<unsigned>(name.substr(damaged_prefix.size()));
    out = std::max(out, number.value_or(0));
  }
  if (failed) return file_error(failed.value(), "list", directory);
  return out;
}

/// Where the damaged log goes, or has begun to go.
result<fs::path> place_for_damaged(const fs::path& directory) {
  const auto last = last_place(directory);
  if (!last) return last.error();
  std::error_code failed;
  const bool begun =
      *last > 0
      && (is_half_exchanged(directory)
          || (fs::is_empty(place(directory, *last), failed) && !failed));
  return place(directory, begun ? *last : *last + 1);
}

} // namespace

fs::path salvaged_log_in(const fs::path& directory) {
  return directory / "events-salvaged.new";
}

bool is_half_exchanged(const fs::path& directory) {
  std::error_code ignored;
  return !fs::exists(directory / "events.db", ignored)
         && fs::exists(salvaged_log_in(directory) / "events.db", ignored);
}

result<void> check_not_exchanged(const fs::path& directory) {
  if (!is_half_exchanged(directory)) return {};
  return error{ec::corrupt,
               fmt::format("{} has no log now: a salvage of it goes on or was "
                           "interrupted; finish with `brewery log salvage`",
                           directory.string())};
}

/// events.db goes first and comes last, so its absence tells that the rest has
/// still to be done.
result<fs::path>
exchange_logs(const fs::path& directory,
              const std::function<result<void>(const fs::path&)>& before_move) {
  const auto move = [&](const fs::path& from,
                        const fs::path& to) -> result<void> {
    std::error_code failed;
    if (!fs::exists(from, failed)) return {};
    if (before_move)
      if (auto ok = before_move(from); !ok) return ok;
    fs::rename(from, to, failed);
    if (failed) return file_error(failed.value(), "move", from);
    return {};
  };
  const auto aside = place_for_damaged(directory);
  if (!aside) return aside;
  if (auto ok = make_directories(*aside); !ok) return ok.error();
  for (const auto* name :
       {"events.db", "events.db-wal", "events.db-shm", "events.ack"})
    if (auto ok = move(directory / name, *aside / name); !ok) return ok.error();
  if (auto ok = sync_directory(*aside); !ok) return ok.error();
  // They may stand on what is lost.
  std::error_code ignored;
  fs::remove_all(directory / "snapshots", ignored);
  const auto fresh = salvaged_log_in(directory);
  if (auto ok = move(fresh / "events.db", directory / "events.db"); !ok)
    return ok.error();
  if (auto ok = sync_directory(directory); !ok) return ok.error();
  fs::remove_all(fresh, ignored);
  return aside;
}

} // namespace brewery
