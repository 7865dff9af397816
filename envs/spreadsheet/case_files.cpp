#include "base/text.hpp"
#include "envs/spreadsheet/dataset.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace brewery::spreadsheet {

namespace fs = std::filesystem;

namespace {

enum class part { input, golden };

struct found_name {
  std::uint32_t number = 1;
  part what = part::input;
  bool exact = false; ///< the name has the task's id in its place
};

constexpr std::string_view extension = ".xlsx";
constexpr std::string_view input_words[] = {"input", "init", "initial"};
constexpr std::string_view golden_words[] = {"answer", "golden"};

std::optional<part> part_of(std::string_view word) {
  for (const auto known : input_words)
    if (word == known) return part::input;
  for (const auto known : golden_words)
    if (word == known) return part::golden;
  return std::nullopt;
}

/// "1_59196_input.xlsx", "initial.xlsx", "1_otherid_golden.xlsx".
std::optional<found_name> read_name(std::string_view name,
                                    const std::string& id) {
  // "~$" marks a lock file of an office program.
  if (!name.ends_with(extension) || name.starts_with("~$")) return std::nullopt;
  name.remove_suffix(extension.size());
  found_name out;
  if (const auto only = part_of(name)) {
    out.what = *only;
    return out;
  }
  const auto first = name.find('_'), last = name.rfind('_');
  if (first == std::string_view::npos) return std::nullopt;
  const auto what = part_of(name.substr(last + 1));
  const auto number = whole_number<std::uint32_t>(name.substr(0, first));
  if (!what || number.value_or(0) == 0) return std::nullopt;
  out.number = *number;
  out.what = *what;
  out.exact = first < last && name.substr(first + 1, last - first - 1) == id;
  return out;
}

struct candidates {
  fs::path exact;
  std::vector<fs::path> odd;

  /// The file with the id; else the only file.
  [[nodiscard]] fs::path choose() const {
    if (!exact.empty()) return exact;
    return odd.size() == 1 ? odd.front() : fs::path{};
  }
};

/// By case number.
using found_files = std::map<std::uint32_t, std::map<part, candidates>>;

found_files files_in(const fs::path& folder, const std::string& id) {
  found_files seen;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator{folder, failed}) {
    const auto name = read_name(entry.path().filename().string(), id);
    if (!name || !entry.is_regular_file(failed)) continue;
    auto& place = seen[name->number][name->what];
    if (name->exact)
      place.exact = entry.path();
    else
      place.odd.push_back(entry.path());
  }
  return seen;
}

/// The file itself where a link stands for it, as in a checkout of git-annex or
/// a cache of a hub: services open no workbook through a link, because those of
/// agents come to them in the same way.
fs::path without_link(const fs::path& file) {
  std::error_code failed;
  if (!fs::is_symlink(file, failed)) return file;
  auto real = fs::canonical(file, failed);
  return failed ? file : real;
}

fs::path chosen(const std::map<part, candidates>& parts, part what) {
  const auto found = parts.find(what);
  return found == parts.end() ? fs::path{}
                              : without_link(found->second.choose());
}

} // namespace

std::vector<case_files> find_cases(const fs::path& folder,
                                   const std::string& id) {
  std::vector<case_files> out;
  for (const auto& [number, parts] : files_in(folder, id)) {
    case_files made{number, chosen(parts, part::input),
                    chosen(parts, part::golden)};
    if (!made.input.empty() && !made.golden.empty())
      out.push_back(std::move(made));
  }
  return out;
}

std::vector<case_files> find_inputs(const fs::path& folder,
                                    const std::string& id) {
  std::vector<case_files> out;
  for (const auto& [number, parts] : files_in(folder, id))
    if (auto input = chosen(parts, part::input); !input.empty())
      out.push_back({number, std::move(input), {}});
  return out;
}

} // namespace brewery::spreadsheet
