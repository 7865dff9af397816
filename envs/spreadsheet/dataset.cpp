#include "envs/spreadsheet/dataset.hpp"

#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/printable.hpp"
#include "messages/json_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>

namespace brewery::spreadsheet {

namespace fs = std::filesystem;

namespace {

constexpr const char* usual_name = "dataset.json";

/// "; these folders in it have one: a, b", or nothing.
std::string folders_with_list(const fs::path& directory) {
  constexpr std::size_t named_max = 5;
  std::set<std::string> found;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator{directory, failed})
    if (fs::is_regular_file(entry.path() / usual_name, failed))
      found.insert(single_line(entry.path().filename().string()));
  if (found.empty()) return {};
  const auto more = found.size() > named_max;
  if (more) found.erase(std::next(found.begin(), named_max), found.end());
  return fmt::format("; folders in it that have one: {}{}",
                     fmt::join(found, ", "), more ? ", ..." : "");
}

/// dataset.json, else the only *.json file.
result<fs::path> find_list(const fs::path& directory) {
  std::error_code failed;
  if (!fs::is_directory(directory, failed))
    return error{ec::not_found,
                 fmt::format("no directory {} with a dataset: name the one "
                             "that holds dataset.json",
                             directory.string())};
  if (fs::is_regular_file(directory / usual_name, failed))
    return directory / usual_name;
  std::vector<fs::path> lists;
  for (const auto& entry : fs::directory_iterator{directory, failed})
    if (entry.path().extension() == ".json") lists.push_back(entry.path());
  if (lists.size() == 1) return lists.front();
  return error{ec::not_found,
               fmt::format("{} has no {} and {} other *.json: name the folder "
                           "of a SpreadsheetBench dataset{}",
                           directory.string(), usual_name, lists.size(),
                           folders_with_list(directory))};
}

std::string kind_of(const json& value) {
  if (!value.is_object()) return value.type_name();
  constexpr std::size_t named_max = 5;
  std::string names;
  std::size_t seen = 0;
  for (const auto& item : value.items()) {
    if (++seen > named_max) break;
    names += (names.empty() ? " with " : ", ") + json_quoted(item.key());
  }
  return "an object" + names + (seen > named_max ? ", ..." : "");
}

result<json> read_list(const fs::path& list) {
  const auto text = read_file(list);
  if (!text) return text.error();
  const auto refused = [&](const std::string& why) {
    // Any other *.json may have been taken for the list.
    return error{ec::malformed,
                 fmt::format("{}: must be a JSON list of tasks{}{}",
                             list.string(), why,
                             list.filename() == usual_name
                                 ? ""
                                 : folders_with_list(list.parent_path()))};
  };
  try {
    auto records = json::parse(*text);
    if (!records.is_array()) return refused(", found " + kind_of(records));
    return records;
  } catch (const json::exception& caught) {
    // Without the library's own number of the error.
    std::string_view why = caught.what();
    if (const auto end = why.find("] "); end != std::string_view::npos)
      why.remove_prefix(end + 2);
    return refused(": " + ascii_line(why));
  }
}

bool is_name(const std::string& text) {
  return !text.empty() && text.find('/') == std::string::npos
         && text.find('\0') == std::string::npos && !text.starts_with('.');
}

/// Ids are numbers in some records and texts in others.
std::string read_id(json_reader& from) {
  const auto* found = from.find("id");
  if (!found) {
    from.refuse("id", "is missing");
    return {};
  }
  if (found->is_number_integer()) return found->dump();
  if (found->is_string() && is_name(found->get<std::string>()))
    return found->get<std::string>();
  from.refuse("id", "must be a whole number or text without '/', found "
                        + shown_value(*found));
  return {};
}

/// The folder of a record's files: as the record says, if it is inside the
/// dataset; else below spreadsheet/, else beside the list.
fs::path folder_of(const fs::path& directory, const std::string& named,
                   const std::string& id) {
  std::error_code failed;
  const auto said = fs::path{named}.lexically_normal();
  if (!named.empty() && said.is_relative() && *said.begin() != ".."
      && fs::is_directory(directory / said, failed))
    return directory / said;
  const auto usual = directory / "spreadsheet" / id;
  return fs::is_directory(usual, failed) ? usual : directory / id;
}

bool has_first(const std::vector<case_files>& cases) {
  return !cases.empty() && cases.front().number == 1;
}

} // namespace

result<dataset> load_dataset(const fs::path& directory, share what) {
  const auto list = find_list(directory);
  if (!list) return list.error();
  const auto parsed = read_list(*list);
  if (!parsed) return parsed.error();
  const auto& records = *parsed;
  dataset out;
  // Absolute, because services have other working directories.
  out.directory = fs::absolute(directory);
  std::set<std::string> ids;
  for (std::size_t i = 0; i < records.size(); ++i) {
    std::optional<error> problem;
    json_reader read{records[i], "", problem};
    sheet_task task;
    task.id = {read_id(read)};
    read.get("instruction", task.instruction);
    task.type = read.text_or("instruction_type", "");
    read.get("answer_position", task.position);
    task.sheet = read.text_or("answer_sheet", "");
    const auto named = read.text_or("spreadsheet_path", "");
    if (!ids.insert(task.id.value).second)
      read.refuse("id", "is that of an earlier task too");
    if (problem)
      return error{problem->code,
                   fmt::format("{}: task {}{}: {}", list->string(), i + 1,
                               task.id.value.empty()
                                   ? ""
                                   : fmt::format(" (id {})", task.id.value),
                               problem->message)};
    const auto folder = folder_of(out.directory, named, task.id.value);
    task.inputs = find_inputs(folder, task.id.value);
    if (what != share::play) task.cases = find_cases(folder, task.id.value);
    const auto& needed = what == share::play ? task.inputs : task.cases;
    if (!has_first(needed)) {
      out.missing.push_back(fmt::format(
          "{}: no input{} workbook of case 1 in {}", task.id.value,
          what == share::play ? "" : " and golden", folder.string()));
      if (has_first(task.inputs)) out.unscored.push_back(std::move(task));
      continue;
    }
    out.cases_most = std::max<std::uint32_t>(
        out.cases_most, static_cast<std::uint32_t>(task.cases.size()));
    out.tasks.push_back(std::move(task));
  }
  if (out.tasks.empty())
    return error{
        ec::invalid_config,
        fmt::format("{}: none of its {} tasks has its workbooks in {}{}",
                    list->string(), records.size(), directory.string(),
                    out.unscored.empty()
                        ? ""
                        : "; there are inputs without goldens: a "
                          "worker that only plays takes --roles "
                          "rollout,integrate,embed,memory")};
  return out;
}

namespace {

/// Hashes many files into one hash. By id, because the position of a task
/// depends on which of its files are here.
using hashes_by_task = std::map<std::string, std::string>;

std::string hash_of(const hashes_by_task& tasks) {
  hash_input all;
  for (const auto& [id, hash] : tasks)
    all.add(id).add(hash);
  return all.content();
}

result<void> add_file(hash_input& to, std::uint32_t number,
                      const fs::path& path) {
  const auto bytes = read_file(path);
  if (!bytes) return bytes.error();
  to.add(std::uint64_t{number}).add(content_hash(*bytes));
  return {};
}

} // namespace

result<std::string> inputs_content(const dataset& what) {
  hashes_by_task all;
  for (const auto* tasks : {&what.tasks, &what.unscored})
    for (const auto& task : *tasks) {
      hash_input one;
      one.add(task.instruction).add(task.type);
      one.add(task.position).add(task.sheet);
      for (const auto& files : task.inputs)
        if (auto ok = add_file(one, files.number, files.input); !ok)
          return ok.error();
      all[task.id.value] = one.content();
    }
  return hash_of(all);
}

result<std::string> goldens_content(const dataset& what) {
  hashes_by_task all;
  for (const auto& task : what.tasks) {
    hash_input one;
    one.add(task.position).add(task.sheet);
    for (const auto& files : task.cases)
      if (auto ok = add_file(one, files.number, files.golden); !ok)
        return ok.error();
    all[task.id.value] = one.content();
  }
  return hash_of(all);
}

} // namespace brewery::spreadsheet
