#include "report/sweep/markup.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace brewery::sweep_view {

namespace {

/// Valid UTF-8 that a document must not hold: marks that turn the direction of
/// writing, with which a name could pretend to be another, and two code points
/// that XML refuses.
constexpr std::array<std::string_view, 13> unwanted = {
    "\u061c", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c",      "\u202d",
    "\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "\xef\xbf\xbe"};

std::string without_unwanted(std::string text) {
  for (const auto mark : unwanted)
    if (text.find(mark) != std::string::npos)
      text = replace_all(std::move(text), mark, "\ufffd");
  return replace_all(std::move(text), "\xef\xbf\xbf", "\ufffd");
}

} // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : without_unwanted(single_line(text)))
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default:
      out += c;
    }
  return out;
}

std::string escaped_short(std::string_view text, std::size_t bytes_max) {
  return escaped(single_line(text, bytes_max));
}

std::string coordinate(double value) {
  if (!std::isfinite(value)) value = 0;
  auto out = fmt::format("{:.1f}", value);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out == "-0" ? "0" : out;
}

std::optional<double> finite(std::optional<double> value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string chart_text(double x, double y, std::string_view anchor,
                       std::string_view text, std::string_view classes) {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\"{}>{}</text>",
                     coordinate(x), coordinate(y), anchor,
                     classes.empty() ? ""
                                     : fmt::format(" class=\"{}\"", classes),
                     escaped(text));
}

std::string chart_line(double x1, double y1, double x2, double y2,
                       std::string_view classes) {
  return fmt::format(
      "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>",
      coordinate(x1), coordinate(y1), coordinate(x2), coordinate(y2), classes);
}

} // namespace brewery::sweep_view
