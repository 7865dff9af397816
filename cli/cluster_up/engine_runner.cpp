#include "cli/cluster_up/engine_runner.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "process/child_process.hpp"
#include "process/pipe_reading.hpp"
#include "process/quiet_write.hpp"
#include "process/spawn.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace brewery {

namespace {

using child::child_process;
using clock = std::chrono::steady_clock;

/// The variables of this process without an operator's own.
std::vector<std::pair<std::string, std::string>> variables() {
  const std::vector<std::string> ours{"BREWERY_CONNECT", "BREWERY_KEY",
                                      "BREWERY_SERVER_KEY"};
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& variable : child::own_variables()) {
    const auto equals = variable.find('=');
    const auto name = variable.substr(0, equals);
    if (equals != std::string::npos
        && std::find(ours.begin(), ours.end(), name) == ours.end())
      out.emplace_back(name, variable.substr(equals + 1));
  }
  return out;
}

/// Reads what there is; false at the end.
bool read_more(int from, std::string& into) {
  char piece[child::piece_bytes];
  const auto got = ::read(from, piece, sizeof piece);
  if (got > 0) into.append(piece, static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

/// Its three streams, until both outputs are closed. False: not in time.
bool converse(child_process& process, std::string_view input, std::string& out,
              std::string& errors, clock::time_point deadline) {
  bool reads_out = true, reads_errors = true;
  while ((reads_out || reads_errors) && clock::now() < deadline) {
    if (input.empty() && process.input() >= 0) process.close_input();
    std::array<pollfd, 3> streams{
        {{reads_out ? process.output() : -1, POLLIN, 0},
         {reads_errors ? process.errors() : -1, POLLIN, 0},
         {process.input(), POLLOUT, 0}}};
    ::poll(streams.data(), streams.size(), 100);
    if (streams[0].revents != 0) reads_out = read_more(process.output(), out);
    if (streams[1].revents != 0)
      reads_errors = read_more(process.errors(), errors);
    if (streams[2].revents != 0) {
      const auto sent = child::write_quietly(process.input(), input);
      if (sent > 0)
        input.remove_prefix(static_cast<std::size_t>(sent));
      else if (errno != EAGAIN && errno != EINTR)
        input = {}; // it reads no more: what it says tells why
    }
  }
  return !reads_out && !reads_errors;
}

/// The last lines that are not empty, as one.
std::string last_words(const std::string& errors) {
  constexpr std::size_t lines_max = 3, bytes_max = 400;
  std::vector<std::string> lines;
  for (const auto line : split(errors, '\n'))
    if (!trim(line).empty()) lines.emplace_back(trim(line));
  if (lines.size() > lines_max)
    lines.erase(lines.begin(), lines.end() - lines_max);
  return single_line(join(lines, " | "), bytes_max);
}

} // namespace

result<std::string> run_engine(const engine_command& command,
                               std::chrono::seconds patience) {
  const auto& program = command.words.front();
  const auto where = command.where.empty() ? "" : ' ' + command.where;
  auto process = child_process::start({command.words, {}, variables()});
  if (!process && process.error().code == ec::not_found)
    return error{ec::not_found,
                 process.error().message
                     + "; `brewery cluster` runs where the engine's own "
                       "commands are"};
  if (!process) return process.error();
  std::string out, errors;
  if (!converse(*process, command.input, out, errors, clock::now() + patience))
    return error{ec::timeout, fmt::format("{}{} did not end within {} s",
                                          program, where, patience.count())};
  const auto ended = process->end(std::chrono::seconds{5});
  if (ended == "it ended with exit status 0") return out;
  const auto said = last_words(errors);
  return error{ec::io, fmt::format("{}{} failed: {}", program, where,
                                   said.empty() ? ended : said)};
}

} // namespace brewery
