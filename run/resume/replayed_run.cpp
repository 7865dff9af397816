#include "run/resume/replayed_run.hpp"

#include "base/file.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

namespace brewery {

namespace fs = std::filesystem;

fs::path replay_note(const run_directory& run) {
  return run.path() / "replays";
}

result<fs::path> replayed_by(const run_directory& run) {
  const auto note = replay_note(run);
  std::error_code ignored;
  if (!fs::exists(note, ignored)) return fs::path{};
  const auto text = read_plain_file(note);
  if (!text) return text.error();
  const auto line = trim(*text);
  if (line.empty() || line.find('\n') != std::string_view::npos)
    return error{ec::corrupt,
                 fmt::format("{}: expected one line, the path of the run whose "
                             "recording is replayed; name it with --replay",
                             note.string())};
  const auto path = run.path() / line;
  auto plain = fs::weakly_canonical(path, ignored);
  return ignored ? path : plain;
}

result<void> remember_replay(const run_directory& run,
                             const fs::path& replayed) {
  std::error_code failed;
  if (replayed.empty()) {
    fs::remove(replay_note(run), failed);
    return failed ? file_error(failed.value(), "remove", replay_note(run))
                  : result<void>{};
  }
  auto path = fs::relative(replayed, run.path(), failed);
  if (failed || path.empty()) path = fs::absolute(replayed, failed);
  const auto text = path.string() + "\n";
  const auto before = read_plain_file(replay_note(run));
  if (before && *before == text) return {};
  return write_file_atomically(replay_note(run), text);
}

} // namespace brewery
