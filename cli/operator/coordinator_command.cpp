/// `brewery coordinator`.

#include "base/file.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "cli/configuration.hpp"
#include "cli/operator/connection.hpp"
#include "cli/operator/logging_options.hpp"
#include "cli/operator/realtime_option.hpp"
#include "cli/terminal.hpp"
#include "cli/ui_token.hpp"
#include "process/descriptor_limit.hpp"
#include "process/realtime.hpp"
#include "run/interrupt.hpp"
#include "server/coordinator_service.hpp"
#include "web/ui_server.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

namespace brewery {

namespace {

constexpr const char* coordinator_footer =
    "Serves a cluster: workers connect (`brewery worker`), people submit runs "
    "(`brewery submit`).\nA directory of runs belongs to one coordinator. It "
    "may be killed at any time: after a restart\nit continues every run, and "
    "workers that are still running keep their jobs. After SIGTERM or\nCtrl-C "
    "it disconnects with the same effect. Events go to standard "
    "error.\n\nExamples:\n  brewery coordinator\n  brewery coordinator "
    "--listen tcp://0.0.0.0:7420 --keys keys \\\n      --metrics-listen "
    "127.0.0.1:9464 --env tau2-telecom=DATA";

struct coordinator_arguments {
  std::string listen = default_address;
  std::string runs_dir;
  std::string keys;
  std::string key_name = "coordinator";
  std::vector<std::string> environments;
  std::string models;
  std::string metrics_listen;
  std::string ui_token_file;
  logging_arguments logging;
  bool insecure = false;
  bool realtime = false;
  config_arguments configuration;
};

/// The pages of its runs: for operators, and beside the metrics if nobody else
/// can reach these or a token is asked for.
result<void> offer_pages(service_options& out, const std::string& token_file) {
  const auto own = web::local_source(
      web::run_shelf{std::filesystem::absolute(out.runs_dir)});
  out.page_for_operators = own.answer;
  auto token = ui_token(token_file);
  if (!token) return token.error();
  const auto listen = options_to_listen(out.metrics_listen);
  if (!listen) return {}; // none, or one that is refused where it is served
  web::ui_options options;
  options.http.address = listen->address;
  options.token = std::move(*token);
  if (options.token.empty() && !is_loopback(options.http.address)) return {};
  // A shelf of its own: both have threads of theirs.
  auto site = web::ui_site::make(
      options, web::local_source(
                   web::run_shelf{std::filesystem::absolute(out.runs_dir)}));
  if (!site) return site.error();
  out.pages = [made = *site](const http_request& request) {
    return made->answer(request);
  };
  out.pages_port = [made = *site](std::uint16_t port) { made->set_port(port); };
  return {};
}

result<service_options> options_of(const coordinator_arguments& arguments) {
  service_options out;
  const auto loaded = load_from(arguments.configuration);
  if (!loaded.problems.empty()) return loaded.problems.front();
  out.cluster = loaded.value.cluster.options();
  out.runs_dir = runs_directory(arguments.runs_dir);
  out.models = arguments.models;
  out.metrics_listen = arguments.metrics_listen;
  out.listen.listen = arguments.listen;
  out.listen.insecure_plaintext_anywhere = arguments.insecure;
  out.listen.realtime = arguments.realtime;
  if (!arguments.keys.empty()) {
    const key_directory keys{arguments.keys};
    auto own = read_key_file(keys.key_file(arguments.key_name));
    if (!own) return own.error();
    out.listen.keys = std::move(*own);
    out.listen.key_directory = arguments.keys;
    // It starts all the same, and asks again for each peer. Its runs go on
    // with the workers that it can judge.
    const auto peer = keys.find(out.listen.keys->public_key);
    if (!peer)
      spdlog::warn("some peers cannot connect now: {}", peer.error().message);
    else if (*peer) // nobody who holds the coordinator's key would reach it
      return error{ec::invalid_argument,
                   fmt::format("--key-name {}: that is the key of the {} {}, "
                               "not of a coordinator",
                               arguments.key_name, to_string((*peer)->role),
                               (*peer)->name)};
  }
  auto offers = parse_offers(arguments.environments);
  if (!offers) return offers.error();
  out.environments = std::move(*offers);
  if (auto ok = offer_pages(out, arguments.ui_token_file); !ok)
    return ok.error();
  return out;
}

/// At SIGHUP: the level that the file names, if it is there.
void read_log_level(const std::filesystem::path& file) {
  const auto text = read_file(file);
  if (!text) {
    if (text.error().code != ec::not_found)
      spdlog::warn("the log's level stays: {}", text.error().message);
    return;
  }
  const auto level = std::string{trim(*text)};
  const bool known = std::find(log_levels.begin(), log_levels.end(), level)
                     != log_levels.end();
  if (known)
    show_log_from(level);
  else
    spdlog::warn("{}: '{}' is no log level; use one of {}", file.string(),
                 ascii_line(level, 20), join(log_levels, ", "));
}

int coordinator_command(const coordinator_arguments& arguments) {
  interrupt_watch::block_signals(true);
  std::mutex mutex;
  std::condition_variable changed;
  bool reads_options = true;
  bool stop = false;
  bool reload = false;
  interrupt_watch watch{[&] {
                          const std::lock_guard guard{mutex};
                          if (reads_options)
                            end_interrupted("the coordinator started", exit_ok);
                          stop = true;
                          changed.notify_all();
                        },
                        [] {},
                        [&] {
                          const std::lock_guard guard{mutex};
                          reload = true;
                          changed.notify_all();
                        }};
  set_up_logging(arguments.logging);
  raise_descriptor_limit();
  if (arguments.realtime)
    if (auto ok = check_realtime(); !ok) return report(ok.error());
  auto options = options_of(arguments);
  if (!options) return report(options.error());
  {
    const std::lock_guard guard{mutex};
    reads_options = false;
  }
  options->stopped = [&] { return watch.interrupted(); };
  auto service = coordinator_service::start(*options);
  if (!service && watch.interrupted()) return exit_ok;
  if (!service) return report(service.error());
  // The address is the output of this command: scripts wait for it.
  std::printf("listening on %s\n", (*service)->endpoint().c_str());
  std::fflush(stdout);
  spdlog::info("coordinator runs_dir={} resumed={} encrypted={}",
               options->runs_dir.string(), (*service)->resumed(),
               options->listen.keys.has_value());
  std::unique_lock guard{mutex};
  while (!stop) {
    changed.wait(guard, [&] { return stop || reload; });
    if (!std::exchange(reload, false)) continue;
    guard.unlock();
    read_log_level(options->runs_dir / ".coordinator" / "log_level");
    (*service)->check_keys();
    guard.lock();
  }
  guard.unlock();
  spdlog::info("disconnecting; workers keep their jobs for the next start");
  service->reset();
  return exit_ok;
}

} // namespace

void add_coordinator_command(CLI::App& app, chosen_command& chosen) {
  auto* command = add_command(app, "coordinator", "Serve a cluster of workers.",
                              coordinator_footer);
  auto arguments = std::make_shared<coordinator_arguments>();
  command
      ->add_option(
          "--listen", arguments->listen,
          "Address for workers and operators: tcp://HOST:PORT or ipc://PATH.")
      ->capture_default_str();
  command->add_option("--runs-dir", arguments->runs_dir,
                      "Directory of runs; default: run.runs_dir.");
  command->add_option("--keys", arguments->keys,
                      "Directory of keys (`brewery keys`). Without it there is "
                      "no encryption, and only this machine can connect.");
  command
      ->add_option("--key-name", arguments->key_name,
                   "Name of the coordinator's key in that directory.")
      ->capture_default_str();
  command
      ->add_option("--env", arguments->environments,
                   "Location of an environment's data on this machine, if it "
                   "differs from submitted configurations. A program is "
                   "started only if it is named here: external=COMMAND, "
                   "tau2-official=CHECKOUT or KIND=FILE.toml. May be repeated.")
      ->type_name("KIND=WHERE")
      ->allow_extra_args(false);
  command->add_option(
      "--models", arguments->models,
      "Catalog of model servers (docs/models.md). API keys stay here; workers "
      "send model calls through the coordinator.");
  command->add_option(
      "--metrics-listen", arguments->metrics_listen,
      "Address that serves /metrics, /healthz and /readyz, as host:port; and "
      "the pages of `brewery ui`, if it is 127.0.0.1 or [::1] or with a "
      "token.");
  command
      ->add_option("--ui-token-file", arguments->ui_token_file,
                   "File with the token that a browser must know, as of "
                   "`brewery ui`; else BREWERY_UI_TOKEN.")
      ->type_name("FILE");
  command->add_option(
      "--config", arguments->configuration.file,
      "Configuration file; only its [cluster] section is used.");
  add_override_option(*command, arguments->configuration);
  add_logging_options(*command, arguments->logging);
  add_realtime_option(*command, arguments->realtime);
  command->add_flag(
      "--insecure-plaintext-anywhere", arguments->insecure,
      "Listen without encryption on an address that others can reach. Everyone "
      "who reaches it can read, forge and run everything.");
  command->callback([arguments, &chosen] {
    chosen = [=] { return coordinator_command(*arguments); };
  });
}

} // namespace brewery
