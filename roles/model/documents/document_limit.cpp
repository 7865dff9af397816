#include "roles/model/documents/document_limit.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace brewery {

namespace {

/// Lines [begin, end) of a part that are dropped together.
struct point {
  std::size_t begin = 0, end = 0;
  std::size_t part = 0;
  std::uint32_t support = 0;
};

bool is_heading(std::string_view line) {
  return line.starts_with('#')
         || (line.starts_with("**") && line.find("**", 2) != line.npos
             && trim(line).ends_with("**"));
}

bool is_item(std::string_view line) {
  if (line.starts_with("- ") || line.starts_with("* ")
      || line.starts_with("+ "))
    return true;
  const auto digits = line.find_first_not_of("0123456789");
  return digits != 0 && digits != line.npos
         && (line[digits] == '.' || line[digits] == ')');
}

/// Finds the points in one pass over the lines.
std::vector<point> points_of(const std::vector<std::string_view>& lines) {
  std::vector<point> out;
  std::size_t part = 0;
  bool open = false;   // the newest point may go on
  bool fenced = false; // inside a block of code
  bool blank = false;  // the line before was empty
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto line = lines[i];
    const bool empty = trim(line).empty();
    const bool fence = trim(line).starts_with("```");
    if (!fenced && is_heading(line)) {
      ++part;
      open = false;
    } else if (fenced
               || (!empty && open
                   && (line.starts_with(' ') || line.starts_with('\t')
                       || (!blank && !is_item(line))))) {
      out.back().end = i + 1;
    } else if (!empty) {
      out.push_back({i, i + 1, part, 0});
      open = true;
    }
    if (fence) fenced = !fenced;
    blank = empty;
  }
  return out;
}

void add_support(std::vector<point>& points, const integrate_result& made,
                 const insight_support& support) {
  for (const auto& line : made.evidence)
    for (auto& item : points)
      if (line.line > item.begin && line.line <= item.end)
        for (const auto& id : line.insights)
          if (const auto it = support.find(id); it != support.end())
            item.support = std::max(item.support, it->second);
}

/// The lines without those that are gone, and without one of two empty lines.
integrate_result without(const integrate_result& made,
                         const std::vector<std::string_view>& lines,
                         const std::vector<bool>& gone) {
  auto out = made;
  out.body.clear();
  out.evidence.clear();
  std::map<std::uint32_t, std::uint32_t> moved;
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (gone[i]) continue;
    if (lines[i].empty() && (out.body.ends_with("\n\n"))) continue;
    out.body += lines[i];
    out.body += '\n';
    moved.emplace(static_cast<std::uint32_t>(i + 1), ++number);
  }
  while (out.body.ends_with("\n\n"))
    out.body.pop_back();
  for (const auto& line : made.evidence)
    if (const auto it = moved.find(line.line); it != moved.end())
      out.evidence.push_back({it->second, line.insights});
  return out;
}

} // namespace

std::optional<integrate_result> shortened(const integrate_result& made,
                                          const insight_support& support,
                                          std::size_t max_bytes) {
  auto lines = split(made.body, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  auto points = points_of(lines);
  add_support(points, made, support);
  std::map<std::size_t, std::size_t> left;
  for (const auto& item : points)
    ++left[item.part];
  std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) {
    return a.support != b.support ? a.support < b.support : a.begin > b.begin;
  });
  std::vector<bool> gone(lines.size(), false);
  auto out = without(made, lines, gone);
  for (const auto& item : points) {
    if (out.body.size() <= max_bytes) break;
    if (left[item.part] == 1) continue;
    --left[item.part];
    for (auto i = item.begin; i < item.end; ++i)
      gone[i] = true;
    out = without(made, lines, gone);
  }
  if (out.body.size() > max_bytes) return std::nullopt;
  return out;
}

} // namespace brewery
