/// `brewery ui`.

#include "cli/commands.hpp"
#include "cli/configuration.hpp"
#include "cli/locate.hpp"
#include "cli/operator/remote_pages.hpp"
#include "cli/terminal.hpp"
#include "cli/ui/ui_export_command.hpp"
#include "cli/ui_token.hpp"
#include "run/interrupt.hpp"
#include "web/page_files.hpp"
#include "web/ui_server.hpp"

#include <fmt/format.h>

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
    "--token-file token\n  brewery ui --connect tcp://127.0.0.1:7420";

struct ui_arguments {
  std::string what, listen = "127.0.0.1:8420", token_file, runs_dir;
  connection_arguments coordinator; ///< of no address: the runs are here
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

result<web::ui_source> source_of(const ui_arguments& arguments) {
  if (!arguments.coordinator.connect.empty())
    return remote_source(arguments.coordinator);
  auto shelf = shelf_of(arguments);
  if (!shelf) return shelf.error();
  return web::local_source(std::move(*shelf));
}

result<http_options> address_of(const std::string& listen) {
  if (auto out = options_to_listen(listen)) return *std::move(out);
  return error{ec::invalid_argument,
               fmt::format("--listen {}: expected ADDRESS:PORT, e.g. "
                           "127.0.0.1:8420",
                           listen)};
}

/// As a browser takes it.
std::string link_to(const http_options& options, std::uint16_t port) {
  const bool is_six = options.address.find(':') != std::string::npos;
  return fmt::format("http://{}{}{}:{}/", is_six ? "[" : "", options.address,
                     is_six ? "]" : "", port);
}

int ui_command(const ui_arguments& arguments) {
  const bool remote = !arguments.coordinator.connect.empty();
  if (remote && !(arguments.what.empty() && arguments.runs_dir.empty()))
    return report({ec::invalid_argument,
                   "--connect shows the runs of the coordinator: leave out RUN "
                   "and --runs-dir"});
  auto address = address_of(arguments.listen);
  if (!address) return report(address.error());
  auto token = ui_token(arguments.token_file);
  if (!token) return report(token.error());
  interrupt_watch::block_signals();
  auto source = source_of(arguments);
  if (!source) return report(source.error());
  // Each question to a coordinator is an order that it carries out.
  if (remote) address->feed_interval = std::chrono::seconds{1};
  const auto site = web::ui_site::make({*address, *token}, std::move(*source));
  if (!site) return report(site.error());
  const auto server = web::start_ui(*address, *site);
  if (!server) return report(server.error());
  if (embedded_page().empty())
    std::fputs("brewery: note: this program has no page in it, only JSON: "
               "`make ui build` in its sources makes one that has\n",
               stderr);
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
  command
      ->add_option("--connect", arguments->coordinator.connect,
                   "Show the runs of the coordinator at this address, e.g. "
                   "tcp://127.0.0.1:7420.")
      ->type_name("ADDRESS");
  add_key_options(*command, arguments->coordinator);
  add_ui_export_command(*command, chosen);
  command->callback([arguments, command, &chosen] {
    if (!command->get_subcommands().empty()) return;
    chosen = [arguments] { return ui_command(*arguments); };
  });
}

} // namespace brewery
