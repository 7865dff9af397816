#include "base/terminal_text.hpp"

#include "base/utf8.hpp"

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

} // namespace

std::string styled(std::string_view text, style how, bool enabled) {
  if (!enabled) return std::string{text};
  return fmt::format(form_of(how), "{}", text);
}

std::string duration_text(double seconds) {
  if (seconds < 0) return "?";
  const auto whole = std::lround(seconds);
  return whole < 60 ? fmt::format("{} s", whole)
                    : fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], count_characters(row[i]));
  }
  std::string out;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += row[i];
      if (i + 1 < row.size())
        out.append(widths[i] - count_characters(row[i]) + 2, ' ');
    }
    out += '\n';
  }
  return out;
}

} // namespace brewery
