#include "roles/procedural/status_lines.hpp"

#include "base/text.hpp"

#include <algorithm>

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

/// Elements of a list share a path; their values are joined into one line.
std::vector<std::string> structured_lines(const json& value) {
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
  return lines;
}

} // namespace

std::optional<json> structured(std::string_view observation) {
  const auto text = trim(observation);
  if (text.empty() || (text.front() != '{' && text.front() != '['))
    return std::nullopt;
  if (nested_too_deep(text)) return std::nullopt;
  auto value = json::parse(text, nullptr, false);
  if (value.is_discarded()) return std::nullopt;
  return value;
}

std::vector<std::string> status_lines(std::string_view observation) {
  if (const auto value = structured(observation))
    return structured_lines(*value);
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

std::string_view line_key(std::string_view line) {
  const auto at = line.find(": ");
  const auto key = line.substr(0, at == std::string_view::npos ? 0 : at);
  // "The link is up. Details: ..." is a statement, not a key with a value.
  return key.find(". ") == std::string_view::npos ? key : std::string_view{};
}

} // namespace brewery
