#include "envs/osworld/tasks/task_files.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::osworld {

namespace {

void add_file(std::vector<std::string>& out, const json& address) {
  if (!address.is_string()) return;
  const auto& text = address.get_ref<const std::string&>();
  if (!text.empty() && std::find(out.begin(), out.end(), text) == out.end())
    out.push_back(text);
}

void add_steps(std::vector<std::string>& out,
               const std::vector<setup_step>& steps) {
  for (const auto& step : steps) {
    if (step.type == "update_browse_history")
      add_file(out, std::string{empty_history_url});
    const bool uploads = step.type == "upload_file";
    if (!uploads && step.type != "download") continue;
    const char* const from = uploads ? "local_path" : "url";
    const auto files = step.parameters.find("files");
    if (files == step.parameters.end() || !files->is_array()) continue;
    for (const auto& file : *files)
      if (file.is_object() && file.contains(from)) add_file(out, file[from]);
  }
}

void add_getter(std::vector<std::string>& out,
                const std::optional<json>& config) {
  if (!config || (*config)["type"] != "cloud_file") return;
  const auto path = config->find("path");
  if (path == config->end()) return;
  if (!path->is_array()) return add_file(out, *path);
  for (const auto& one : *path)
    add_file(out, one);
}

} // namespace

bool is_remote(std::string_view address) {
  return address.find("://") != std::string_view::npos;
}

result<std::filesystem::path> local_file(const std::filesystem::path& data,
                                         const std::string& address) {
  namespace fs = std::filesystem;
  const auto leaves = [](const fs::path& relative) {
    return relative.empty() || relative.is_absolute()
           || *relative.begin() == "..";
  };
  const error outside{
      ec::invalid_argument,
      fmt::format("its file {} is outside of the data directory", address)};
  const fs::path given{address};
  if (leaves(given.lexically_normal())) return outside;
  std::error_code failed;
  const auto root = fs::weakly_canonical(fs::absolute(data, failed), failed);
  const auto whole = failed ? root : fs::weakly_canonical(root / given, failed);
  if (failed || leaves(whole.lexically_relative(root))) return outside;
  return whole;
}

std::vector<std::string> files_of(const desktop_task& task) {
  std::vector<std::string> out;
  add_steps(out, task.config);
  add_steps(out, task.graded.postconfig);
  for (const auto& use : task.graded.metrics) {
    add_getter(out, use.result);
    add_getter(out, use.expected);
  }
  return out;
}

} // namespace brewery::osworld
