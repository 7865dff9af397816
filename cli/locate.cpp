#include "cli/locate.hpp"

#include "base/text.hpp"
#include "store/run_directory.hpp"

#include <fmt/format.h>

namespace brewery {

namespace fs = std::filesystem;

namespace {

bool exists_as_directory(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// The same path with a last name, which is the id of the run: "runs/wide/" has
/// none, and "." is none.
fs::path named_directory(const fs::path& path) {
  const auto plain = (path / "").lexically_normal().parent_path();
  const auto name = plain.filename();
  return name.empty() || name == "." || name == ".." ? fs::canonical(path)
                                                     : plain;
}

} // namespace

result<fs::path> locate_run(const std::string& run, const fs::path& runs_dir) {
  // Only text with a "/" is a path; otherwise it is an id.
  if (run.find('/') != std::string::npos) {
    if (exists_as_directory(run)) return named_directory(run);
    return error{ec::not_found, "no run directory " + run};
  }
  const auto found = run_directory::open(runs_dir, run);
  if (found) return found->path();
  if (exists_as_directory(run)) return named_directory(run);
  return found.error();
}

std::string command_to_resume(const fs::path& run, const std::string& word) {
  std::error_code ignored;
  if (fs::exists(run / "submission.json", ignored))
    return "brewery submit --resume " + run.filename().string();
  return "brewery resume " + shell_word(word);
}

result<fs::path> locate_kb(const std::string& kb, const fs::path& runs_dir) {
  const auto documents_of = [](const fs::path& path) {
    return exists_as_directory(path / "kb") ? path / "kb" : path;
  };
  if (exists_as_directory(kb)) return documents_of(kb);
  const auto run = locate_run(kb, runs_dir);
  if (!run)
    return error{ec::not_found,
                 "no directory " + kb + "; " + run.error().message};
  return documents_of(*run);
}

result<std::string> config_of_run(const fs::path& documents) {
  std::error_code ignored;
  auto folder = fs::weakly_canonical(documents, ignored);
  // From kb/ or strategies/NAME/kb/ upwards.
  for (int level = 0; level < 3; ++level) {
    folder = folder.parent_path();
    const auto file = folder / "config.toml";
    if (fs::is_regular_file(file, ignored)) return file.string();
  }
  return error{ec::invalid_argument,
               fmt::format("{} belongs to no run, so its tasks are not known: "
                           "give --config FILE",
                           documents.string())};
}

} // namespace brewery
