/// `brewery logs`.

#include "base/printable.hpp"
#include "cli/json_line.hpp"
#include "cli/operator/operator_client.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <memory>

namespace brewery {

namespace {

constexpr const char* logs_footer =
    "The coordinator keeps its log and what workers send of theirs, level info "
    "and above: 32 MiB,\nolder lines are dropped, a restart keeps them. A "
    "worker's lines come with its heartbeats; those of\na broken connection "
    "are lost here, not in its own log on standard "
    "error.\n\nExamples:\n  brewery logs wide\n  brewery logs host7-4242 "
    "--lines 1000 --json";

struct logs_arguments {
  connection_arguments connection;
  std::string name;
  std::uint32_t lines = 200;
  bool json = false;
};

/// time level event key=value ... message
std::string line_text(const nlohmann::ordered_json& line) {
  std::string out, message;
  for (const auto& [key, value] : line.items()) {
    const auto text =
        value.is_string() ? value.get<std::string>() : value.dump();
    if (key == "message")
      message = ' ' + text;
    else if (key == "time" || key == "level" || key == "event")
      out += (out.empty() ? "" : " ") + text;
    else if (text.find(' ') == std::string::npos)
      out += fmt::format(" {}={}", key, text);
    else
      out += fmt::format(" {}=\"{}\"", key, text);
  }
  return single_line(out + message) + '\n';
}

int logs_command(const logs_arguments& arguments) {
  const auto lines = ask_coordinator(
      arguments.connection, "logs",
      {{"name", arguments.name}, {"lines", std::to_string(arguments.lines)}},
      operator_client::sending::repeat);
  if (!lines) return report(lines.error());
  for (const auto& line : *lines)
    std::fputs(arguments.json ? json_line("log", {{"line", line}}).c_str()
                              : line_text(line).c_str(),
               stdout);
  return exit_ok;
}

} // namespace

void add_logs_command(CLI::App& app, chosen_command& chosen) {
  auto* command = add_command(
      app, "logs", "Show what the log says of a run or a worker.", logs_footer);
  auto arguments = std::make_shared<logs_arguments>();
  add_connection_options(*command, arguments->connection);
  add_patience_option(*command, arguments->connection);
  command
      ->add_option("NAME", arguments->name, "Id of a run or name of a worker.")
      ->type_name("RUN|WORKER")
      ->required()
      ->check(not_empty);
  command->add_option("--lines", arguments->lines, "At most so many, the last.")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "JSON on standard output.");
  command->callback([arguments, &chosen] {
    chosen = [=] { return logs_command(*arguments); };
  });
}

} // namespace brewery
