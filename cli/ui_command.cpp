/// `brewery ui`.

#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/configuration.hpp"
#include "cli/locate.hpp"
#include "cli/terminal.hpp"
#include "cli/ui/ui_export_command.hpp"
#include "run/interrupt.hpp"
#include "web/ui_server.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <future>
#include <memory>

namespace brewery {

namespace {

namespace fs = std::filesystem;

constexpr const char* ui_footer =
    "Serves a page that shows runs: their state and scores, the tree of each "
    "document with its texts and\ndifferences, and what agents did, step by "
    "step. Nothing is changed, and a run that goes on is shown as\nfar as it "
    "is. Prints the page's address to standard output and serves it until "
    "Ctrl-C.\n\nOnly this machine reaches it. Beyond 127.0.0.1 and [::1] a "
    "token of at least 16 characters is needed,\nby --token-file or in "
    "BREWERY_UI_TOKEN; a browser asks for it as the password of the user "
    "brewery.\nThe token and the page go over the network as they are: put a "
    "proxy with TLS before it.\n\nExamples:\n  brewery ui\n  brewery ui first "
    "--listen 127.0.0.1:0\n  brewery ui /data/runs --listen 10.0.0.5:8420 "
    "--token-file token";

struct ui_arguments {
  std::string what, listen = "127.0.0.1:8420", token_file, runs_dir;
};

/// The runs that the command line names: one, or those of a directory.
result<web::run_shelf> shelf_of(const ui_arguments& arguments) {
  const auto runs = runs_directory(arguments.runs_dir);
  if (arguments.what.empty()) return web::run_shelf{fs::absolute(runs)};
  std::error_code ignored;
  const auto run = locate_run(arguments.what, runs);
  if (run && fs::exists(*run / "events.db", ignored)) {
    const auto path = fs::absolute(*run).lexically_normal();
    return web::run_shelf{path.parent_path(), path.filename().string()};
  }
  if (fs::is_directory(arguments.what, ignored))
    return web::run_shelf{fs::absolute(arguments.what).lexically_normal()};
  if (!run) return run.error();
  return error{ec::not_found, run->string() + " has no log, events.db"};
}

/// "127.0.0.1:8420" or "[::1]:8420".
result<http_options> address_of(const std::string& listen) {
  http_options out;
  const auto colon = listen.rfind(':');
  const char* end = listen.data() + listen.size();
  if (colon != std::string::npos && colon > 0) {
    out.address = listen.substr(0, colon);
    const auto parsed =
        std::from_chars(listen.data() + colon + 1, end, out.port);
    if (out.address.starts_with('[') && out.address.ends_with(']'))
      out.address = out.address.substr(1, out.address.size() - 2);
    if (parsed.ec == std::errc{} && parsed.ptr == end) return out;
  }
  return error{ec::invalid_argument,
               fmt::format("--listen {}: expected ADDRESS:PORT, e.g. "
                           "127.0.0.1:8420",
                           listen)};
}

result<std::string> token_of(const ui_arguments& arguments) {
  if (!arguments.token_file.empty()) {
    const auto text = read_private_file(arguments.token_file);
    if (!text) return text.error();
    if (trim(*text).empty())
      return error{ec::invalid_argument, arguments.token_file + " is empty"};
    return std::string{trim(*text)};
  }
  const char* set = std::getenv("BREWERY_UI_TOKEN");
  return std::string{set ? set : ""};
}

/// As a browser takes it.
std::string link_to(const http_options& options, std::uint16_t port) {
  const bool is_six = options.address.find(':') != std::string::npos;
  return fmt::format("http://{}{}{}:{}/", is_six ? "[" : "", options.address,
                     is_six ? "]" : "", port);
}

int ui_command(const ui_arguments& arguments) {
  auto shelf = shelf_of(arguments);
  if (!shelf) return report(shelf.error());
  auto address = address_of(arguments.listen);
  if (!address) return report(address.error());
  auto token = token_of(arguments);
  if (!token) return report(token.error());
  interrupt_watch::block_signals();
  const auto server =
      web::start_ui({*address, std::move(*token)}, std::move(*shelf));
  if (!server) return report(server.error());
  fmt::print("{}\n", link_to(*address, (*server)->port()));
  std::fflush(stdout);
  std::promise<void> stopped;
  const interrupt_watch watch{[&] { stopped.set_value(); }, [] {}};
  stopped.get_future().wait();
  return exit_ok;
}

} // namespace

void add_ui_command(CLI::App& app, chosen_command& chosen) {
  auto* command = add_command(
      app, "ui", "Show runs in a browser, without changing them.", ui_footer);
  auto arguments = std::make_shared<ui_arguments>();
  command->add_option("RUN", arguments->what,
                      "A run's id or directory, or a directory of runs; "
                      "default: run.runs_dir.");
  command
      ->add_option("--listen", arguments->listen,
                   "Address and port of the page; port 0: any free one.")
      ->capture_default_str()
      ->type_name("ADDRESS:PORT");
  command
      ->add_option("--token-file", arguments->token_file,
                   "File with the token that a browser must know; only its "
                   "owner may read it.")
      ->type_name("FILE");
  add_runs_dir_option(*command, arguments->runs_dir);
  add_ui_export_command(*command, chosen);
  command->callback([arguments, command, &chosen] {
    if (!command->get_subcommands().empty()) return;
    chosen = [arguments] { return ui_command(*arguments); };
  });
}

} // namespace brewery
