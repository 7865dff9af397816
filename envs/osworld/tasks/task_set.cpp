#include "envs/osworld/tasks/task_set.hpp"

#include "base/file.hpp"
#include "base/hash.hpp"
#include "envs/osworld/tasks/task_files.hpp"
#include "messages/json_brackets.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::osworld {

namespace {

namespace fs = std::filesystem;

error in_file(const fs::path& file, const error& what) {
  return {what.code, fmt::format("{}: {}", file.string(), what.message)};
}

/// Names in a directory that fit, sorted.
result<std::vector<fs::path>> entries(const fs::path& directory, bool folders) {
  std::vector<fs::path> out;
  std::error_code failed;
  for (fs::directory_iterator at{directory, failed}, end; !failed && at != end;
       at.increment(failed)) {
    std::error_code ignored;
    const bool fits =
        folders ? at->is_directory(ignored) : at->path().extension() == ".json";
    if (fits) out.push_back(at->path());
  }
  if (failed)
    return error{ec::not_found,
                 fmt::format("cannot read {}: {}", directory.string(),
                             failed.message())};
  std::sort(out.begin(), out.end());
  return out;
}

fs::path root_of(const fs::path& directory) {
  std::error_code ignored;
  const auto inside = directory / "evaluation_examples";
  return fs::is_directory(inside, ignored) ? inside : directory;
}

class task_set_loader {
public:
  task_set_loader(const fs::path& directory, const grading_means& means)
      : means_(means) {
    out_.root = root_of(directory);
  }

  result<task_set> load() {
    const auto examples = out_.root / "examples";
    const auto domains = entries(examples, true);
    if (!domains)
      return error{ec::not_found,
                   fmt::format("{} holds no OSWorld tasks: it needs "
                               "examples/DOMAIN/ID.json (evaluation_examples "
                               "of an OSWorld checkout, or examples/osworld)",
                               out_.root.string())};
    for (const auto& domain : *domains)
      if (auto ok = load_domain(domain); !ok) return ok.error();
    refuse();
    const auto files = entries(out_.root, false);
    if (!files) return files.error();
    for (const auto& file : *files)
      if (auto ok = load_split(file); !ok) return ok.error();
    out_.content = hash_.content();
    return std::move(out_);
  }

private:
  result<void> load_domain(const fs::path& domain) {
    const auto files = entries(domain, false);
    if (!files) return files.error();
    for (const auto& file : *files) {
      const auto text = read_file(file);
      if (!text) return text.error();
      auto task = parse_task(*text, domain.filename().string());
      if (!task) return in_file(file, task.error());
      if (!by_id_.emplace(task->id.value, out_.tasks.size()).second)
        return in_file(file, {ec::malformed, fmt::format("a second task has "
                                                         "the id {}",
                                                         task->id.value)});
      hash_.add(task->domain).add(*text);
      out_.tasks.push_back(std::move(*task));
    }
    return {};
  }

  void refuse() {
    for (std::size_t i = 0; i < out_.tasks.size(); ++i) {
      auto reason = refusal_of(out_.tasks[i], means_);
      if (!reason) reason = missing_file(out_.tasks[i]);
      playable_.push_back(!reason);
      if (reason) out_.refused.push_back({i, std::move(*reason)});
    }
  }

  /// Local files belong to the content of a task.
  std::optional<refusal> missing_file(const desktop_task& task) {
    for (const auto& address : files_of(task)) {
      if (is_remote(address)) continue;
      const auto path = local_file(out_.root, address);
      if (!path)
        return refusal{"file outside of the data directory",
                       path.error().message};
      const auto bytes = read_file(*path);
      if (!bytes)
        return refusal{"missing file",
                       fmt::format("its file {} is missing below {}", address,
                                   out_.root.string())};
      hash_.add(address).add(sha256_hex(*bytes));
    }
    return {};
  }

  result<void> load_split(const fs::path& file) {
    const auto text = read_file(file);
    if (!text) return text.error();
    if (json_depth(*text) > json_depth_most) return {};
    const auto body = json::parse(*text, nullptr, false);
    // Other JSON files in the directory are none of ours.
    if (!body.is_object()
        || !std::all_of(body.begin(), body.end(),
                        [](const json& ids) { return ids.is_array(); }))
      return {};
    std::vector<std::size_t> indices;
    for (const auto& [domain, ids] : body.items())
      for (const auto& id : ids) {
        const auto found =
            id.is_string() ? by_id_.find(id.get<std::string>()) : by_id_.end();
        if (found == by_id_.end())
          return in_file(file, {ec::malformed,
                                fmt::format("{} names the task {}, which is "
                                            "not in examples/",
                                            domain, id.dump())});
        if (playable_[found->second]) indices.push_back(found->second);
      }
    hash_.add(file.stem().string()).add(*text);
    out_.splits.emplace(file.stem().string(), std::move(indices));
    return {};
  }

  grading_means means_;
  task_set out_;
  std::map<std::string, std::size_t> by_id_;
  std::vector<bool> playable_;
  hash_input hash_;
};

} // namespace

result<task_set> load_tasks(const std::filesystem::path& directory,
                            const grading_means& means) {
  return task_set_loader{directory, means}.load();
}

} // namespace brewery::osworld
