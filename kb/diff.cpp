#include "kb/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace brewery {

namespace {

using lines = std::vector<std::string_view>;

/// Lines with their line feeds, so a missing final line feed is a difference.
lines lines_of(std::string_view text) {
  lines out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto size = end == std::string_view::npos ? text.size() : end + 1;
    out.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return out;
}

struct edit {
  char kind; ///< ' ', '-' or '+'
  std::string_view line;
};

constexpr std::size_t pairs_max = 25'000'000;

/// Finds the edits between the differing parts by dynamic programming.
void append_edits(const lines& a, const lines& b, std::vector<edit>& out) {
  const std::size_t width = b.size() + 1;
  const bool small = a.size() < pairs_max / width;
  // common[i][j]: length of the longest common subsequence of a from i on and b
  // from j on.
  std::vector<std::uint32_t> common(small ? (a.size() + 1) * width : 0);
  for (std::size_t i = small ? a.size() : 0; i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      common[i * width + j] = a[i] == b[j]
                                  ? common[(i + 1) * width + j + 1] + 1
                                  : std::max(common[(i + 1) * width + j],
                                             common[i * width + j + 1]);
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    const bool both = i < a.size() && j < b.size();
    if (small && both && a[i] == b[j]) {
      out.push_back({' ', a[i]});
      ++i, ++j;
    } else if (i < a.size()
               && (j == b.size() || !small
                   || common[(i + 1) * width + j]
                          >= common[i * width + j + 1])) {
      out.push_back({'-', a[i++]});
    } else {
      out.push_back({'+', b[j++]});
    }
  }
}

std::vector<edit> edits_of(const lines& a, const lines& b) {
  std::size_t head = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head])
    ++head;
  std::size_t tail = 0;
  while (tail < a.size() - head && tail < b.size() - head
         && a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
    ++tail;
  const auto middle = [&](const lines& all) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(head);
    return lines{first, all.end() - static_cast<std::ptrdiff_t>(tail)};
  };
  std::vector<edit> out;
  for (std::size_t i = 0; i < head; ++i)
    out.push_back({' ', a[i]});
  append_edits(middle(a), middle(b), out);
  for (std::size_t i = a.size() - tail; i < a.size(); ++i)
    out.push_back({' ', a[i]});
  return out;
}

std::string range_of(std::size_t first, std::size_t count) {
  // An empty range names the line before it.
  if (count == 0) return fmt::format("{},0", first);
  return count == 1 ? fmt::format("{}", first + 1)
                    : fmt::format("{},{}", first + 1, count);
}

/// A group of edits with its context, and where it starts in both texts.
struct hunk {
  std::size_t first = 0;
  std::size_t last = 0; ///< one past the end
};

std::vector<hunk> hunks_of(const std::vector<edit>& edits,
                           std::size_t context) {
  std::vector<hunk> out;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    if (edits[i].kind == ' ') continue;
    const std::size_t first = i > context ? i - context : 0;
    const std::size_t last = std::min(edits.size(), i + context + 1);
    if (!out.empty() && first <= out.back().last)
      out.back().last = last;
    else
      out.push_back({first, last});
  }
  return out;
}

} // namespace

std::string unified_diff(std::string_view before, std::string_view after,
                         std::string_view before_name,
                         std::string_view after_name, std::size_t context) {
  if (before == after) return {};
  const auto edits = edits_of(lines_of(before), lines_of(after));
  std::string out = fmt::format("--- {}\n+++ {}\n", before_name, after_name);
  std::size_t at = 0;
  std::size_t line_before = 0;
  std::size_t line_after = 0;
  const auto pass = [&](std::size_t to) {
    for (; at < to; ++at) {
      line_before += edits[at].kind != '+' ? 1 : 0;
      line_after += edits[at].kind != '-' ? 1 : 0;
    }
  };
  for (const auto& part : hunks_of(edits, context)) {
    pass(part.first);
    const auto first_before = line_before;
    const auto first_after = line_after;
    pass(part.last);
    out += fmt::format("@@ -{} +{} @@\n",
                       range_of(first_before, line_before - first_before),
                       range_of(first_after, line_after - first_after));
    for (std::size_t i = part.first; i < part.last; ++i) {
      out += edits[i].kind;
      out += edits[i].line;
      if (!edits[i].line.ends_with('\n'))
        out += "\n\\ No newline at end of file\n";
    }
  }
  return out;
}

} // namespace brewery
