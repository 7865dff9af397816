/// `brewery worker`.

#include "base/text.hpp"
#include "cli/operator/connection.hpp"
#include "cli/operator/logging_options.hpp"
#include "cli/operator/realtime_option.hpp"
#include "cli/state_directory.hpp"
#include "cli/terminal.hpp"
#include "cluster/job_spec.hpp"
#include "process/descriptor_limit.hpp"
#include "process/realtime.hpp"
#include "run/interrupt.hpp"
#include "run/logging/log_sink.hpp"
#include "run/metrics_endpoint.hpp"
#include "run/setup/worker_benchmarks.hpp"
#include "workers/worker_process.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <functional>
#include <memory>
#include <mutex>
#include <unistd.h>

namespace brewery {

namespace {

constexpr const char* worker_footer =
    "Runs jobs for a coordinator until SIGTERM, Ctrl-C or `brewery drain`. It "
    "may be killed at any\ntime. If the coordinator is away, it finishes its "
    "jobs and waits. Results that cannot be\ndelivered are stored in the "
    "spool; the next worker delivers them. Events go to "
    "standard\nerror.\n\nExamples:\n  brewery worker --env "
    "tau2-telecom=examples/telecom --slots 2\n  brewery worker --env "
    "spreadsheet=INPUTS --roles rollout,integrate,embed,memory\n  brewery "
    "worker --env spreadsheet=DATA --roles grade\n  brewery worker --connect "
    "tcp://10.0.0.5:7420 --key keys/w1.key \\\n      --server-key "
    "keys/coordinator.pub --env tau2-telecom=DATA --slots 16";

struct worker_arguments {
  connection_arguments connection;
  std::vector<std::string> environments;
  std::vector<std::string> roles{job_kind_names.begin(), job_kind_names.end()};

  [[nodiscard]] bool has_role(job_kind role) const {
    return std::find(roles.begin(), roles.end(), to_string(role))
           != roles.end();
  }
  /// A worker that makes rollouts without grading needs no goldens. One that
  /// only grades starts no kernel.
  [[nodiscard]] spreadsheet::share part() const {
    if (!has_role(job_kind::grade)) return spreadsheet::share::play;
    return roles.size() == 1 ? spreadsheet::share::grade
                             : spreadsheet::share::all;
  }
  std::uint32_t slots = 1;
  std::string name;
  std::string spool;
  bool no_spool = false;
  bool realtime = false;
  double grace_s = 30;
  std::string metrics_listen;
  logging_arguments logging;
  std::vector<std::string> tags;
  std::vector<std::string> slots_for;
};

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

std::string name_of(const worker_arguments& arguments) {
  return arguments.name.empty() ? fmt::format("{}-{}", host_name(), ::getpid())
                                : arguments.name;
}

/// `text`: KIND=SLOTS.
result<void> add_slots_for(const std::string& text,
                           const worker_benchmarks& benchmarks,
                           worker_profile& me) {
  const auto equals = text.find('=');
  const auto kind = text.substr(0, equals);
  const auto count = equals == std::string::npos ? "" : text.substr(equals + 1);
  const auto slots = whole_number<std::uint32_t>(count).value_or(0);
  if (slots == 0 || slots > me.slots)
    return error{ec::invalid_argument,
                 fmt::format("--slots-for {}: expected KIND=SLOTS with 1 to {} "
                             "slots (--slots)",
                             shell_word(text), me.slots)};
  const auto found = benchmarks.by_kind().find(kind);
  if (found == benchmarks.by_kind().end()
      || found->second->fingerprint().empty())
    return error{ec::invalid_argument,
                 fmt::format("--slots-for {}: this worker makes no rollouts of "
                             "{}; name an environment of --env",
                             shell_word(text), shell_word(kind))};
  me.slots_for[found->second->fingerprint()] = slots;
  return {};
}

result<worker_process_inputs> inputs_of(const worker_arguments& arguments,
                                        worker_benchmarks& benchmarks) {
  worker_process_inputs out;
  auto& me = out.profile;
  me.host = host_name();
  me.incarnation = random_id();
  me.name = name_of(arguments);
  me.tags = arguments.tags;
  me.build = BREWERY_VERSION;
  me.slots = arguments.slots;
  for (const auto& text : arguments.slots_for)
    if (auto ok = add_slots_for(text, benchmarks, me); !ok) return ok.error();
  for (const auto& role : arguments.roles)
    if (const auto kind = parse_job_kind(role)) me.roles.push_back(*kind);
  bool grades = false;
  for (const auto& [kind, source] : benchmarks.by_kind()) {
    if (!source->fingerprint().empty())
      me.benchmarks.push_back({kind, source->fingerprint()});
    if (source->goldens().empty()) continue;
    grades = true;
    me.benchmarks.push_back({kind + " goldens", source->goldens()});
  }
  if (!grades) std::erase(me.roles, job_kind::grade);
  auto connection = dealer_options_of(arguments.connection, me.incarnation);
  if (!connection) return connection.error();
  out.connection = std::move(*connection);
  out.connection.realtime = arguments.realtime;
  if (!arguments.no_spool)
    out.spool_root = arguments.spool.empty()
                         ? state_directory() / "spool"
                         : std::filesystem::path{arguments.spool};
  out.grace = std::chrono::milliseconds{
      static_cast<std::int64_t>(arguments.grace_s * 1000)};
  out.make_runner = [&benchmarks](const std::string& setup) {
    return benchmarks.runner(setup);
  };
  out.models = benchmarks.coordinator();
  out.on_event = [](const std::string& what) { spdlog::info("{}", what); };
  out.on_warning = [](const std::string& what) { spdlog::warn("{}", what); };
  return out;
}

/// What a signal does: until the worker runs it ends the process, because to
/// load environments may take hours and cannot be stopped.
class way_to_stop {
public:
  void stop() {
    const std::lock_guard lock{mutex_};
    how_();
  }
  void set(std::function<void()> how) {
    const std::lock_guard lock{mutex_};
    how_ = std::move(how);
  }

private:
  std::mutex mutex_;
  std::function<void()> how_ = [] {
    end_interrupted("the worker loaded its environments");
  };
};

int worker_command(const worker_arguments& arguments) {
  interrupt_watch::block_signals();
  way_to_stop on_signal;
  const interrupt_watch watch{[&] { on_signal.stop(); }, [] {}};
  set_up_logging(arguments.logging, {{"worker", name_of(arguments)}});
  raise_descriptor_limit();
  if (arguments.realtime)
    if (auto ok = check_realtime(); !ok) return report(ok.error());
  if (arguments.environments.empty() && arguments.has_role(job_kind::rollout))
    return report(error{ec::invalid_argument,
                        "a worker for rollouts needs an environment: --env "
                        "tau2-telecom=DIRECTORY, --env external=COMMAND or "
                        "--env toy"});
  const auto benchmarks =
      worker_benchmarks::load(arguments.environments, arguments.part());
  if (!benchmarks) return report(benchmarks.error());
  auto inputs = inputs_of(arguments, **benchmarks);
  if (!inputs) return report(inputs.error());
  if (inputs->profile.roles.empty())
    return report(error{ec::invalid_argument,
                        "a worker that only grades needs an environment with "
                        "goldens: --env spreadsheet=DIRECTORY"});
  const auto name = inputs->profile.name;
  worker_process process{std::move(*inputs)};
  const log_copy copy{{{"worker", name}},
                      [&](const std::string& line) { process.log(line); },
                      worker_session::log_bytes_max};
  spdlog::info("worker {} with {} connects to {}", name,
               counted(arguments.slots, "slot"), arguments.connection.connect);
  auto endpoint =
      serve_worker(arguments.metrics_listen, process, (*benchmarks)->metrics());
  if (!endpoint) return report(endpoint.error());
  on_signal.set([&] { process.stop(); });
  const auto ended = process.run();
  on_signal.set([] {});
  if (!ended) return report(ended.error());
  spdlog::info("worker {} has left", name);
  return exit_ok;
}

CLI::Validator expects(bool (*holds)(std::string_view), std::string_view rule) {
  return CLI::Validator{[=](std::string& text) {
                          return holds(text) ? std::string{}
                                             : "expected " + std::string{rule};
                        },
                        ""};
}

} // namespace

void add_worker_command(CLI::App& app, chosen_command& chosen) {
  auto* command =
      add_command(app, "worker", "Run jobs for a coordinator.", worker_footer);
  auto arguments = std::make_shared<worker_arguments>();
  add_connection_options(*command, arguments->connection);
  command
      ->add_option(
          "--env", arguments->environments,
          "Environment that the worker can run: tau2-telecom=DIRECTORY, "
          "spreadsheet=DIRECTORY, osworld=DIRECTORY, external=COMMAND, "
          "tau2-official=CHECKOUT, "
          "toy, or KIND=FILE.toml for the [environment] of a configuration. "
          "May be repeated.")
      ->type_name("KIND[=WHERE]")
      ->allow_extra_args(false);
  command->add_option("--slots", arguments->slots, "Number of concurrent jobs.")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command
      ->add_option("--roles", arguments->roles,
                   "Kinds of jobs that it runs; default: all.")
      ->check(CLI::IsMember(std::vector<std::string>(job_kind_names.begin(),
                                                     job_kind_names.end())))
      ->delimiter(',');
  command
      ->add_option("--slots-for", arguments->slots_for,
                   "At most so many rollouts of an environment at once, of "
                   "--slots in all: spreadsheet=2. May be repeated.")
      ->type_name("KIND=SLOTS")
      ->allow_extra_args(false);
  command
      ->add_option("--tag", arguments->tags,
                   "What this machine has, for runs that need it "
                   "([environment] needs): gpu. May be repeated.")
      ->allow_extra_args(false)
      ->check(expects(is_tag, tag_rule));
  command
      ->add_option("--name", arguments->name,
                   "Name in lists and logs; default: host and process id.")
      ->check(expects(is_worker_name, worker_name_rule));
  command->add_option("--spool", arguments->spool,
                      "Directory for results that could not be delivered; "
                      "default: ~/.local/state/brewery/spool.");
  command->add_flag("--no-spool", arguments->no_spool,
                    "Store undelivered results in memory only.");
  command
      ->add_option("--grace", arguments->grace_s,
                   "Seconds to finish jobs after SIGTERM. Unfinished jobs are "
                   "handed back.")
      ->check(number_from(0, 86400))
      ->capture_default_str();
  add_realtime_option(*command, arguments->realtime);
  command->add_option(
      "--metrics-listen", arguments->metrics_listen,
      "Address that serves /metrics, /healthz and /readyz, as host:port.");
  add_logging_options(*command, arguments->logging);
  command->callback([arguments, &chosen] {
    chosen = [=] { return worker_command(*arguments); };
  });
}

} // namespace brewery
