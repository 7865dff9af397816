#include "envs/tau2/data/task_readers.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::tau2 {

namespace {

result<std::vector<std::size_t>> read_split(const json& ids,
                                            const std::string& file,
                                            const std::string& name,
                                            const task_index& index) {
  const auto fail = [&](std::string_view what) {
    return error{ec::malformed,
                 fmt::format("{}: split {} {}", file, json_quoted(name), what)};
  };
  if (!ids.is_array()) return fail("must be a list of task ids");
  std::vector<std::size_t> members;
  std::vector<bool> seen(index.size());
  for (const auto& id : ids) {
    if (!id.is_string()) return fail("must be a list of task ids");
    const auto at = index.find(id.get_ref<const std::string&>());
    if (at == index.end())
      return fail(
          fmt::format("names the task {}, which does not exist", id.dump()));
    if (seen[at->second])
      return fail(fmt::format("names the task {} twice", id.dump()));
    seen[at->second] = true;
    members.push_back(at->second);
  }
  return members;
}

} // namespace

result<std::map<std::string, std::vector<std::size_t>>>
read_splits(const text_file& file, const task_index& index) {
  const auto document = parse_json(file);
  if (!document) return document.error();
  if (!document->is_object())
    return error{ec::malformed,
                 file.name + ": must be an object of split names and task ids"};
  std::map<std::string, std::vector<std::size_t>> splits;
  for (const auto& [name, ids] : document->items()) {
    auto members = read_split(ids, file.name, name, index);
    if (!members) return members.error();
    std::sort(members->begin(), members->end());
    splits.emplace(name, std::move(*members));
  }
  return splits;
}

} // namespace brewery::tau2
