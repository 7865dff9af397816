#include "apps/terminal.hpp"

#include <algorithm>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace brewery {

namespace {

bool set_and_not_empty(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value;
}

/// Code points; close enough to columns for what these tables show.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
      }));
}

} // namespace

exit_code exit_code_of(ec code) {
  switch (code) {
  case ec::ok:
    return exit_ok;
  case ec::invalid_argument:
  case ec::invalid_config:
    return exit_usage;
  case ec::cancelled:
    return exit_interrupted;
  default:
    return exit_failed;
  }
}

int report(const error& problem) {
  std::fflush(stdout); // so that the error comes after what led to it
  auto line = "brewery: " + printable(problem.message);
  std::replace(line.begin(), line.end(), '\n', ' '); // one error, one line
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
  return exit_code_of(problem.code);
}

int report(const std::vector<error>& problems) {
  int code = exit_ok;
  for (const auto& problem : problems) {
    const int own = report(problem);
    if (code == exit_ok) code = own;
  }
  return code;
}

bool colours(std::FILE* stream) {
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal && std::string_view{terminal} == "dumb";
  return isatty(fileno(stream)) != 0 && !dumb && !set_and_not_empty("NO_COLOR");
}

std::size_t columns(std::FILE* stream) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return 80;
  return size.ws_col;
}

std::string styled(std::string_view text, style how, bool enabled) {
  if (!enabled) return std::string{text};
  constexpr const char* codes[] = {"1", "2", "31", "32", "33", "36"};
  return "\x1b[" + std::string{codes[static_cast<std::size_t>(how)]} + 'm'
         + std::string{text} + "\x1b[0m";
}

std::string duration_text(double seconds) {
  if (seconds < 0) return "?";
  const auto whole = static_cast<long>(seconds + 0.5);
  return whole < 60 ? fmt::format("{} s", whole)
                    : fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], characters(row[i]));
  }
  std::string out;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += row[i];
      if (i + 1 < row.size())
        out.append(widths[i] - characters(row[i]) + 2, ' ');
    }
    out += '\n';
  }
  return out;
}

std::string printable(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool control = byte < 0x20 || byte == 0x7f;
    out += control && c != '\n' && c != '\t' ? '?' : c;
  }
  return out;
}

} // namespace brewery
