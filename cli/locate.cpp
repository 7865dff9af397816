#include "cli/locate.hpp"

#include "store/run_directory.hpp"

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

} // namespace brewery
