#include "run/live/live_file.hpp"

#include "base/file.hpp"

#include <algorithm>

namespace brewery {

namespace {

namespace fs = std::filesystem;

/// What a file of now has at least.
json sample() {
  auto out = live_json({}, {});
  out["at_ms"] = 0;
  out["searches"] = json::array({{{"search", ""},
                                  {"phase", ""},
                                  {"iteration", 0},
                                  {"iterations", 0},
                                  {"trees", 0},
                                  {"trees_reported", 0},
                                  {"missing", json::array({0})}}});
  out["waits"] = json::array({""});
  return out;
}

/// Whether `given` has every member of `known`, of the same type; items of a
/// list are all like the first one.
bool is_like(const json& given, const json& known) {
  if (known.is_number()) return given.is_number();
  if (known.is_array())
    return given.is_array()
           && (known.empty()
               || std::ranges::all_of(given, [&](const json& item) {
                    return is_like(item, known.front());
                  }));
  if (!known.is_object()) return given.type() == known.type();
  if (!given.is_object()) return false;
  for (const auto& [name, value] : known.items()) {
    const auto found = given.find(name);
    if (found == given.end() || !is_like(*found, value)) return false;
  }
  return true;
}

} // namespace

fs::path live_path(const fs::path& run) {
  return run / "live.json";
}

void write_live(const fs::path& run, json state,
                std::chrono::system_clock::time_point now) {
  state["at_ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(
                       now.time_since_epoch())
                       .count();
  const auto text = state.dump(-1, ' ', false, json::error_handler_t::replace);
  if (text.size() > live_bytes_max) return;
  (void)write_file_atomically(live_path(run), text);
}

void remove_live(const fs::path& run) {
  std::error_code ignored;
  fs::remove(live_path(run), ignored);
}

result<json> read_live(const fs::path& run) {
  const auto file = live_path(run);
  std::error_code failed;
  const auto size = fs::file_size(file, failed);
  if (failed) return error{ec::not_found, "the run does not go on"};
  const error corrupt{ec::corrupt,
                      file.string() + " is none of this version; delete it"};
  if (size > live_bytes_max) return corrupt;
  const auto text = read_plain_file(file, live_bytes_max);
  if (!text) return text.error();
  auto read = json::parse(*text, nullptr, false);
  static const auto known = sample();
  if (!is_like(read, known)) return corrupt;
  return read;
}

} // namespace brewery
