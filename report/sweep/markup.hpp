#pragma once
/// HTML and SVG text: what comes from outside is escaped here, numbers are
/// written here. PURE.

#include <optional>
#include <string>
#include <string_view>

namespace brewery::sweep_view {

/// Text from outside for the content or a quoted attribute of an element:
/// valid UTF-8 and XML whatever the bytes are, without control characters,
/// line breaks and marks that turn the direction of writing.
std::string escaped(std::string_view text);

/// As above, at most about `bytes_max` bytes of the text, "..." if more.
std::string escaped_short(std::string_view text, std::size_t bytes_max);

/// A coordinate, one decimal. Never "nan": a value that is none is 0.
std::string coordinate(double value);

/// Empty unless the value is there and finite.
std::optional<double> finite(std::optional<double> value);

/// `<text>` of a chart; `anchor` is start, middle or end.
std::string chart_text(double x, double y, std::string_view anchor,
                       std::string_view text, std::string_view classes = "");

/// `<line>` with a class.
std::string chart_line(double x1, double y1, double x2, double y2,
                       std::string_view classes);

} // namespace brewery::sweep_view
