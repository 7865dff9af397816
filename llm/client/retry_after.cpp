// Parses the headers with which servers ask for a pause.

#include "base/text.hpp"
#include "llm/client/retry.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace brewery {

using std::chrono::milliseconds;

namespace {

/// A finite number of at least 0 that fills the whole text.
std::optional<double> number(std::string_view text) {
  text = trim(text);
  double out = 0;
  const auto [end, failed] =
      std::from_chars(text.data(), text.data() + text.size(), out);
  if (text.empty() || failed != std::errc{} || end != text.data() + text.size()
      || !std::isfinite(out) || out < 0)
    return {};
  return out;
}

/// Clamps to about a year, which keeps the arithmetic in range.
milliseconds clamped(double value_ms) {
  return milliseconds{std::llround(std::min(value_ms, 366.0 * 86'400'000.0))};
}

std::optional<int> digits(std::string_view text) {
  if (text.starts_with('-')) return {};
  return whole_number<int>(text);
}

std::optional<int> month(std::string_view text) {
  static constexpr std::array<std::string_view, 12> names{
      "Jan", "Feb", "Mar", "Apr", "May", "Jun",
      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) return {};
  return static_cast<int>(found - names.begin()) + 1;
}

/// Days since 1970 in the Gregorian calendar (Hinnant's days_from_civil).
std::int64_t days_from_epoch(int year, int month, int day) {
  year -= month <= 2;
  const int era = (year >= 0 ? year : year - 399) / 400;
  const int of_era = year - era * 400;
  const int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const int day_of_era = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
  return std::int64_t{era} * 146'097 + day_of_era - 719'468;
}

std::optional<std::int64_t> moment(std::optional<int> year,
                                   std::optional<int> month,
                                   std::optional<int> day,
                                   std::string_view clock) {
  const auto parts = split(clock, ':');
  if (!year || !month || !day || parts.size() != 3) return {};
  const auto h = digits(parts[0]);
  const auto m = digits(parts[1]);
  const auto s = digits(parts[2]);
  if (!h || !m || !s || *h > 23 || *m > 59 || *s > 60 || *day < 1 || *day > 31
      || *year > 9999)
    return {};
  return days_from_epoch(*year, *month, *day) * 86'400 + std::int64_t{*h} * 3600
         + std::int64_t{*m} * 60 + *s;
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  for (const auto part : split(text, ' '))
    if (!part.empty()) out.push_back(part);
  return out;
}

} // namespace

std::optional<std::int64_t> parse_http_date(std::string_view text) {
  const auto part = words(trim(text));
  // Sun, 06 Nov 1994 08:49:37 GMT
  if (part.size() == 6 && part[5] == "GMT")
    return moment(digits(part[3]), month(part[2]), digits(part[1]), part[4]);
  // Sunday, 06-Nov-94 08:49:37 GMT; two digits mean 1970 to 2069.
  if (part.size() == 4 && part[3] == "GMT") {
    const auto date = split(part[1], '-');
    if (date.size() != 3) return {};
    auto year = digits(date[2]);
    if (year && *year < 100) *year += *year < 70 ? 2000 : 1900;
    return moment(year, month(date[1]), digits(date[0]), part[2]);
  }
  // Sun Nov  6 08:49:37 1994
  if (part.size() == 5)
    return moment(digits(part[4]), month(part[1]), digits(part[2]), part[3]);
  return {};
}

std::optional<milliseconds> retry_after(const http_headers& headers,
                                        std::int64_t now) {
  for (const auto* name : {"retry-after-ms", "x-ms-retry-after-ms"})
    if (const auto value = number(find_header(headers, name)))
      return clamped(*value);
  const auto text = find_header(headers, "retry-after");
  if (const auto seconds = number(text)) return clamped(*seconds * 1000);
  if (const auto date = parse_http_date(text))
    return clamped(
        1000.0 * static_cast<double>(std::max<std::int64_t>(0, *date - now)));
  return {};
}

} // namespace brewery
