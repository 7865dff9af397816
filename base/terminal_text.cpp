#include "base/terminal_text.hpp"

#include "base/utf8.hpp"

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace brewery {

namespace {

fmt::text_style form_of(style how) {
  switch (how) {
  case style::bold:
    return fmt::emphasis::bold;
  case style::dim:
    return fmt::emphasis::faint;
  case style::red:
    return fmt::fg(fmt::terminal_color::red);
  case style::green:
    return fmt::fg(fmt::terminal_color::green);
  case style::yellow:
    return fmt::fg(fmt::terminal_color::yellow);
  case style::cyan:
    return fmt::fg(fmt::terminal_color::cyan);
  }
  return {};
}

using text_row = std::vector<std::string>;

std::vector<std::size_t> column_widths(const std::vector<text_row>& rows) {
  std::vector<std::size_t> out;
  for (const auto& row : rows) {
    out.resize(std::max(out.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      out[i] = std::max(out[i], count_characters(row[i]));
  }
  return out;
}

/// Takes from the widest column until lines fit, but keeps words readable.
void narrow(std::vector<std::size_t>& widths, std::size_t limit) {
  constexpr std::size_t least = 8;
  std::size_t line = 0;
  for (const auto one : widths)
    line += one + 2;
  for (; line > limit + 2; --line) {
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (widest == widths.end() || *widest <= least) return;
    --*widest;
  }
}

/// Takes what fits in `width` characters off the front of the text, cut at a
/// blank if there is one.
std::string take_line(std::string_view& text, std::size_t width) {
  std::size_t bytes = 0, blank = 0;
  for (std::size_t seen = 0; bytes < text.size() && seen < width; ++seen) {
    if (text[bytes] == ' ') blank = bytes;
    bytes += decode_utf8(text, bytes).size;
  }
  if (bytes == text.size() || text[bytes] == ' ') blank = bytes;
  const auto cut = blank > 0 ? blank : bytes;
  std::string out{text.substr(0, cut)};
  text.remove_prefix(cut);
  while (text.starts_with(' '))
    text.remove_prefix(1);
  return out;
}

} // namespace

std::string styled(std::string_view text, style how, bool enabled) {
  if (!enabled) return std::string{text};
  return fmt::format(form_of(how), "{}", text);
}

std::string duration_text(double seconds) {
  if (seconds < 0) return "?";
  const auto whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600)
    return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string bar_text(double share, std::size_t width, bool open) {
  static constexpr const char* eighths[] = {"",  "▏", "▎", "▍",
                                            "▌", "▋", "▊", "▉"};
  const auto units = static_cast<std::size_t>(std::lround(
      std::clamp(share, 0.0, 1.0) * static_cast<double>(8 * width)));
  std::string out;
  for (std::size_t i = 0; i < units / 8; ++i)
    out += "█";
  out += eighths[units % 8];
  if (!open) out.append(width - (units + 7) / 8, ' ');
  return out;
}

std::string_view first_characters(std::string_view text, std::size_t count) {
  std::size_t bytes = 0;
  for (; bytes < text.size() && count > 0; --count)
    bytes += decode_utf8(text, bytes).size;
  return text.substr(0, bytes);
}

std::string table(const std::vector<std::vector<std::string>>& rows,
                  std::size_t width) {
  auto widths = column_widths(rows);
  if (width > 0) narrow(widths, width);
  std::string out;
  for (const auto& row : rows) {
    std::vector<std::string_view> rest(row.begin(), row.end());
    for (bool more = true; std::exchange(more, false);) {
      std::string line;
      for (std::size_t i = 0; i < rest.size(); ++i) {
        const auto part = take_line(rest[i], widths[i]);
        line += part;
        if (i + 1 < rest.size())
          line.append(widths[i] - count_characters(part) + 2, ' ');
        more = more || !rest[i].empty();
      }
      out += line + '\n';
    }
  }
  return out;
}

} // namespace brewery
