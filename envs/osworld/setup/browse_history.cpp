#include "envs/osworld/setup/browse_history.hpp"

#include "base/text.hpp"
#include "envs/osworld/tasks/task_files.hpp"

#include <fmt/format.h>

namespace brewery::osworld {

namespace {

constexpr const char* history_upload = "/tmp/brewery_history.sqlite";

/// Chrome counts microseconds from 1601, in local time as the official step
/// does. The arguments are the history as JSON and the empty database.
constexpr const char* history_program = R"py(
import datetime, json, os, platform, shutil, sqlite3, sys
history, empty = json.loads(sys.argv[1]), sys.argv[2]
arm = platform.machine().lower().startswith(("arm", "aarch"))
parts = (["snap", "chromium", "common", "chromium"] if arm
         else [".config", "google-chrome"])
place = os.path.join(os.path.expanduser("~"), *parts, "Default", "History")
os.makedirs(os.path.dirname(place), exist_ok=True)
database = sqlite3.connect(empty)
now = datetime.datetime.now() - datetime.datetime(1601, 1, 1)
for item in history:
    age = datetime.timedelta(seconds=item["visit_time_from_now_in_seconds"])
    visited = int((now - age).total_seconds() * 1000000)
    added = database.execute(
        "INSERT INTO urls (url, title, visit_count, typed_count,"
        " last_visit_time, hidden) VALUES (?, ?, 1, 0, ?, 0)",
        (item["url"], item["title"], visited))
    database.execute(
        "INSERT INTO visits (url, visit_time, from_visit, transition,"
        " segment_id, visit_duration) VALUES (?, ?, 0, 805306368, 0, 0)",
        (added.lastrowid, visited))
database.commit()
database.close()
shutil.copyfile(empty, place)
os.remove(empty)
)py";

bool is_visit(const json& item) {
  return item.is_object() && item.contains("url") && item["url"].is_string()
         && item.contains("title") && item["title"].is_string()
         && item.contains("visit_time_from_now_in_seconds")
         && item["visit_time_from_now_in_seconds"].is_number();
}

} // namespace

result<void> write_browse_history(const json& history, guest_client& guest,
                                  const file_cache& files) {
  if (!history.is_array())
    return error{ec::invalid_argument, "history must be a list"};
  for (const auto& item : history)
    if (!is_visit(item))
      return error{ec::invalid_argument,
                   "an item of history needs url, title and "
                   "visit_time_from_now_in_seconds"};
  const auto empty = files.bytes(std::string{empty_history_url});
  if (!empty) return empty.error();
  if (auto ok = guest.upload(history_upload, *empty); !ok) return ok;
  const auto done = guest.setup_execute(
      {"python3", "-c", history_program, history.dump(), history_upload},
      false);
  if (!done) return done.error();
  if (!done->refused.empty() || done->returncode != 0)
    return error{ec::environment,
                 fmt::format("the history was not written: {}{}", done->refused,
                             trim(done->errors))};
  return {};
}

} // namespace brewery::osworld
