#include "roles/procedural/status_lines.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace brewery {

namespace {

/// Limit of nesting, because the walk is recursive. Deeper answers are ignored.
constexpr int max_json_nesting = 64;

bool nested_too_deep(std::string_view text) {
  int depth = 0;
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inside && c == '\\') {
      ++i;
    } else if (c == '"') {
      inside = !inside;
    } else if (!inside) {
      depth += c == '[' || c == '{' ? 1 : 0;
      depth -= c == ']' || c == '}' ? 1 : 0;
      if (depth > max_json_nesting) return true;
    }
  }
  return false;
}

/// Before the key of a line about a list: at least one record has this value.
constexpr std::string_view list_mark = "one has ";

constexpr std::size_t max_compared = 8;

std::string scalar_text(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void flatten(const json& value, const std::string& path,
             std::vector<std::pair<std::string, std::string>>& out) {
  if (value.is_object()) {
    for (const auto& [key, member] : value.items())
      flatten(member, path.empty() ? key : path + '.' + key, out);
  } else if (value.is_array()) {
    for (const auto& member : value)
      flatten(member, path + "[]", out);
  } else {
    out.emplace_back(path, scalar_text(value));
  }
}

std::optional<double> number_of(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_string()) return std::nullopt;
  const auto parsed = number_in_text(value.get_ref<const std::string&>());
  if (parsed.is_null()) return std::nullopt;
  return parsed.get<double>();
}

/// The last word of a key with several: "used_gb" -> "gb".
std::string_view unit_of(std::string_view key) {
  const auto at = key.rfind('_');
  return at == std::string_view::npos ? std::string_view{} : key.substr(at + 1);
}

/// How numbers with the same unit compare. Whether "used" is above "limit" is
/// the same in all tasks; the numbers are not.
void add_comparisons(const json& record, std::vector<std::string>& lines) {
  std::vector<std::pair<std::string, double>> numbers;
  for (const auto& [key, value] : record.items())
    if (const auto number = number_of(value);
        number && !unit_of(key).empty() && numbers.size() < max_compared)
      numbers.emplace_back(key, *number);
  // The larger name first: "used_gb compared with limit_gb" reads better.
  for (auto a = numbers.rbegin(); a != numbers.rend(); ++a)
    for (auto b = std::next(a); b != numbers.rend(); ++b)
      if (unit_of(a->first) == unit_of(b->first))
        lines.push_back(a->first + " compared with " + b->first + ": "
                        + (a->second > b->second   ? "above"
                           : a->second < b->second ? "below"
                                                   : "equal"));
}

/// One line for each key and value of a list's records. The values of one
/// record are not kept together.
std::vector<std::string> list_lines(const json& list) {
  std::vector<std::string> lines;
  std::set<std::string> known;
  for (const auto& record : list) {
    std::vector<std::pair<std::string, std::string>> entries;
    flatten(record, "", entries);
    for (const auto& [path, text] : entries) {
      auto line = std::string{list_mark} + path + ": " + text;
      if (known.insert(line).second) lines.push_back(std::move(line));
    }
  }
  return lines;
}

/// Elements of a list within a record share a path; their values are joined
/// into one line.
std::vector<std::string> structured_lines(const json& value) {
  if (value.is_array()
      && std::all_of(value.begin(), value.end(),
                     [](const json& element) { return element.is_object(); }))
    return list_lines(value);
  std::vector<std::pair<std::string, std::string>> entries;
  flatten(value, "", entries);
  std::vector<std::pair<std::string, std::string>> merged;
  for (auto& [path, text] : entries) {
    const auto it = std::find_if(
        merged.begin(), merged.end(),
        [&path = path](const auto& entry) { return entry.first == path; });
    if (it == merged.end())
      merged.emplace_back(std::move(path), std::move(text));
    else
      it->second += ", " + text;
  }
  std::vector<std::string> lines;
  lines.reserve(merged.size());
  for (const auto& [path, text] : merged)
    lines.push_back(path + ": " + text);
  if (value.is_object()) add_comparisons(value, lines);
  return lines;
}

} // namespace

bool is_state(std::string_view line) {
  const auto key = line_key(line);
  if (key.find("[]") != std::string_view::npos) return false;
  if (!key.starts_with(list_mark)) return true;
  const auto value = line.substr(key.size());
  return std::none_of(value.begin(), value.end(),
                      [](char c) { return c >= '0' && c <= '9'; });
}

json number_in_text(std::string_view text) {
  // The parser writes a message about each text that is none.
  const auto first = text.find_first_not_of(" \t\n\r");
  if (first == text.npos
      || std::string_view{"-0123456789"}.find(text[first]) == text.npos)
    return nullptr;
  auto parsed = json::parse(text, nullptr, false);
  return parsed.is_number() ? parsed : json(nullptr);
}

namespace {

std::optional<json> structured(std::string_view observation) {
  const auto text = trim(observation);
  if (text.empty() || (text.front() != '{' && text.front() != '['))
    return std::nullopt;
  if (nested_too_deep(text)) return std::nullopt;
  auto value = json::parse(text, nullptr, false);
  if (value.is_discarded()) return std::nullopt;
  return value;
}

std::vector<std::string> text_lines(std::string_view observation) {
  std::vector<std::string> lines;
  for (auto part : split(observation, '\n')) {
    part = trim(part);
    while (part.starts_with("- "))
      part = trim(part.substr(2));
    if (part.empty()) continue;
    std::string line{part};
    if (std::find(lines.begin(), lines.end(), line) == lines.end())
      lines.push_back(std::move(line));
  }
  return lines;
}

parsed_observation parse(std::string_view observation) {
  parsed_observation out{structured(observation), {}};
  out.lines =
      out.value ? structured_lines(*out.value) : text_lines(observation);
  return out;
}

} // namespace

std::vector<std::string> status_lines(std::string_view observation) {
  return parse(observation).lines;
}

std::shared_ptr<const parsed_observation>
observation_cache::of(std::string_view text) const {
  {
    const std::lock_guard lock{mutex_};
    const auto known = parsed_.find(text);
    if (known != parsed_.end()) return known->second;
  }
  auto made = std::make_shared<const parsed_observation>(parse(text));
  const std::lock_guard lock{mutex_};
  if (bytes_ + text.size() > bytes_max_) {
    parsed_.clear();
    bytes_ = 0;
  }
  if (parsed_.emplace(text, made).second) bytes_ += text.size();
  return made;
}

std::string_view line_key(std::string_view line) {
  const auto at = line.find(": ");
  const auto key = line.substr(0, at == std::string_view::npos ? 0 : at);
  // "The link is up. Details: ..." is a statement, not a key with a value.
  return key.find(". ") == std::string_view::npos ? key : std::string_view{};
}

} // namespace brewery
