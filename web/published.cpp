#include "web/published.hpp"

#include <algorithm>

namespace brewery::web {

namespace {

namespace fs = std::filesystem;

fs::path folder_of(const run_directory& run, const std::string& strategy) {
  return run.path() / "strategies" / strategy / "kb";
}

} // namespace

result<kb_folder> published_by(const run_directory& run,
                               const std::string& strategy) {
  // Only a name that can be one of a folder; the first search's is kb/.
  if (!strategy.empty() && !run_directory::can_be_id(strategy))
    return error{ec::not_found, "the run has no such search"};
  // One folder is read, since a manifest may be large.
  std::error_code ignored;
  const bool is_other =
      !strategy.empty() && fs::is_directory(folder_of(run, strategy), ignored);
  auto folder = read_knowledge_base(is_other ? folder_of(run, strategy)
                                             : run.documents());
  if (!folder) return error{ec::not_found, folder.error().message};
  if (!is_other && !strategy.empty() && folder->about.strategy != strategy)
    return error{ec::not_found, "the run has no such search"};
  return folder;
}

std::vector<std::string> publishing_searches(const run_directory& run,
                                             const std::string& first) {
  std::vector<std::string> others, out;
  std::error_code failed;
  for (fs::directory_iterator it{run.path() / "strategies", failed}, end;
       !failed && it != end; it.increment(failed)) {
    auto name = it->path().filename().string();
    std::error_code ignored;
    if (run_directory::can_be_id(name)
        && fs::is_directory(folder_of(run, name), ignored))
      others.push_back(std::move(name));
  }
  std::ranges::sort(others);
  std::error_code ignored;
  if (fs::is_directory(run.documents(), ignored)) {
    out.push_back(first);
    std::erase(others, first);
  }
  out.insert(out.end(), others.begin(), others.end());
  return out;
}

} // namespace brewery::web
