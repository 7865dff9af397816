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
  std::error_code ignored;
  auto folder = read_knowledge_base(run.documents());
  if (folder && !strategy.empty() && folder->about.strategy != strategy) {
    const auto other = folder_of(run, strategy);
    if (!fs::is_directory(other, ignored))
      return error{ec::not_found, "the run has no such search"};
    folder = read_knowledge_base(other);
  }
  if (!folder) return error{ec::not_found, folder.error().message};
  return folder;
}

std::vector<std::string> publishing_searches(const run_directory& run) {
  std::vector<std::string> others, out;
  std::error_code failed;
  for (const auto& entry :
       fs::directory_iterator{run.path() / "strategies", failed}) {
    auto name = entry.path().filename().string();
    std::error_code ignored;
    if (run_directory::can_be_id(name)
        && fs::is_directory(folder_of(run, name), ignored))
      others.push_back(std::move(name));
  }
  std::ranges::sort(others);
  if (const auto first = read_knowledge_base(run.documents())) {
    out.push_back(first->about.strategy);
    std::erase(others, out.front());
  }
  out.insert(out.end(), others.begin(), others.end());
  return out;
}

} // namespace brewery::web
