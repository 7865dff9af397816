#include "cli/terminal.hpp"

#include "base/printable.hpp"
#include "cli/json_line.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sys/ioctl.h>
#include <unistd.h>

namespace brewery {

namespace {

bool errors_as_json = false; // set once, before the command runs

bool set_and_not_empty(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value;
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

void report_errors_as_json() {
  errors_as_json = true;
}

int report(const error& problem) {
  std::fflush(stdout); // keeps the error after earlier output
  auto line = "brewery: " + printable(problem.message);
  std::replace(line.begin(), line.end(), '\n', ' '); // one error, one line
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
  if (errors_as_json) {
    const auto event = json_line("error", {{"code", to_string(problem.code)},
                                           {"message", problem.message}});
    std::fputs(event.c_str(), stdout);
  }
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

void print_hints(const std::vector<std::string>& hints) {
  static std::set<std::string> printed;
  for (const auto& hint : hints)
    if (printed.insert(hint).second)
      std::fprintf(stderr, "brewery: note: %s\n", printable(hint).c_str());
}

bool rewrites_lines(std::FILE* stream) {
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal && std::string_view{terminal} == "dumb";
  return isatty(fileno(stream)) != 0 && !dumb;
}

bool colours(std::FILE* stream) {
  return rewrites_lines(stream) && !set_and_not_empty("NO_COLOR");
}

std::size_t table_width() {
  return isatty(STDOUT_FILENO) != 0 ? columns(stdout) : 0;
}

std::string fitted_table(const std::vector<std::vector<std::string>>& rows) {
  return table(rows, table_width());
}

std::size_t columns(std::FILE* stream) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return 80;
  return size.ws_col;
}

} // namespace brewery
