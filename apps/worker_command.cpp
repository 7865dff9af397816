/// `brewery worker`.

#include "apps/connection.hpp"
#include "apps/interrupt.hpp"
#include "apps/logging.hpp"
#include "apps/metrics_endpoint.hpp"
#include "apps/problem.hpp"
#include "apps/terminal.hpp"
#include "apps/workshop.hpp"
#include "config/load.hpp"
#include "messages/wire/codec.hpp"
#include "workers/worker_process.hpp"

#include <fmt/format.h>

#include <memory>
#include <unistd.h>

namespace brewery {

namespace {

constexpr const char* worker_footer =
    "Runs jobs for a coordinator until it is told to leave (SIGTERM, Ctrl-C or "
    "`brewery drain`).\nIt may be killed at any moment; without its "
    "coordinator "
    "it goes on and waits. Results that\ncannot be delivered are kept in the "
    "spool, from which the next worker delivers them.\nEvents go to standard "
    "error.\n\n"
    "Examples:\n"
    "  brewery worker --env tau2-telecom=examples/telecom --slots 2\n"
    "  brewery worker --env spreadsheet=INPUTS --roles "
    "rollout,integrate,embed\n"
    "  brewery worker --env spreadsheet=DATA --roles grade\n"
    "  brewery worker --connect tcp://10.0.0.5:7420 --key keys/w1.key \\\n"
    "      --server-key keys/coordinator.pub --env tau2-telecom=DATA --slots "
    "16";

struct worker_arguments {
  connection_arguments connection;
  std::vector<std::string> environments;
  std::vector<std::string> roles{"rollout", "integrate", "embed", "grade"};

  [[nodiscard]] bool has_role(std::string_view role) const {
    return std::find(roles.begin(), roles.end(), role) != roles.end();
  }
  /// Who plays without grading does not look for goldens; who does nothing but
  /// grade starts no kernel.
  [[nodiscard]] spreadsheet::share part() const {
    if (!has_role("grade")) return spreadsheet::share::play;
    return roles == std::vector<std::string>{"grade"}
               ? spreadsheet::share::grade
               : spreadsheet::share::all;
  }
  std::uint32_t slots = 1;
  std::string name;
  std::string spool;
  bool no_spool = false;
  double grace_s = 30;
  std::string metrics_listen;
  std::string log_level = "info";
};

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

std::filesystem::path default_spool() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state && *state)
    return std::filesystem::path{state} / "brewery" / "spool";
  if (const char* home = std::getenv("HOME"); home && *home)
    return std::filesystem::path{home} / ".local" / "state" / "brewery"
           / "spool";
  return "brewery-spool";
}

/// Jobs name their task: drawing splits would only cost time.
environment_options without_splits(environment_options options) {
  options.train_tasks = 0;
  options.eval_tasks = 0;
  return options;
}

/// Asks for the grades of one rollout.
class distant_grader final : public answer_grader {
public:
  distant_grader(std::shared_ptr<model_line> line, const job_context& rollout)
      : line_(std::move(line)), rollout_(rollout.job),
        cancelled_(rollout.cancelled) {}

  result<grade_report>
  grade(const task_id& task,
        const std::vector<answer_file>& answers) const override {
    return line_->grade(rollout_, task, answers, cancelled_);
  }

private:
  std::shared_ptr<model_line> line_;
  job_id rollout_;
  const std::atomic<bool>* cancelled_;
};

/// The benchmarks this worker has, loaded once.
struct benchmark_shelf {
  spreadsheet::share part = spreadsheet::share::all;
  std::map<std::string, std::shared_ptr<const benchmark>> by_kind;
  std::map<std::string, environment_options> offers; ///< by kind
  std::shared_ptr<probes> metrics = std::make_shared<probes>();
  std::shared_ptr<model_line> models = std::make_shared<model_line>();

  result<std::shared_ptr<const job_runner>>
  runner(const std::string& bytes) const {
    const auto setup = wire::decode<search_setup>(bytes);
    if (!setup) return setup.error();
    const auto loaded = parse_config(setup->config, {.file = "set-up",
                                                     .overrides = {},
                                                     .environment = {},
                                                     .working_directory = "/"});
    if (!loaded.problems.empty()) return loaded.problems.front();
    const auto found = source_for(loaded.value.environment);
    if (!found) return found.error();
    const auto& source = *found;
    if (!source->goldens().empty() && source->goldens() != setup->goldens)
      return error{ec::version_mismatch,
                   fmt::format("this worker ({}) would grade otherwise: its "
                               "goldens are not those of the search; bring "
                               "data and release in line",
                               BREWERY_VERSION)};
    if (part == spreadsheet::share::grade) // it has nothing to play with
      return std::make_shared<const job_runner>(
          source, job_roles{}, std::make_shared<document_store>(),
          retrieval_options{});
    const auto shop =
        make_workshop(loaded.value, source, std::make_shared<document_store>(),
                      metrics, models, graders());
    if (!shop) return shop.error();
    if (shop->fingerprint != setup->fingerprint)
      return error{ec::version_mismatch,
                   fmt::format("this worker ({}) would compute other results: "
                               "its rollouts are '{}', the search asks for "
                               "'{}'; bring data and release in line",
                               BREWERY_VERSION, shop->fingerprint,
                               setup->fingerprint)};
    return shop->runner;
  }

private:
  result<std::shared_ptr<const benchmark>>
  source_for(const environment_options& wanted) const {
    const auto found = by_kind.find(wanted.kind);
    if (found == by_kind.end())
      return error{ec::not_found,
                   "this worker has no environment " + wanted.kind};
    const auto& offer = offers.at(wanted.kind);
    // A set-up says nothing about programs: they are started as --env says.
    if (wanted.runs_program() || play_text(wanted) == play_text(offer))
      return found->second;
    // Played otherwise than offered: the same data under other rules.
    auto options = without_splits(wanted);
    options.data = offer.data;
    options.take_machine(offer);
    return load_benchmark(options, part);
  }

  /// Over the line to the coordinator, which knows who may grade.
  [[nodiscard]] grader_maker graders() const {
    if (part != spreadsheet::share::play) return {};
    return [line = models](const job_context& context) {
      return std::make_shared<const distant_grader>(line, context);
    };
  }
};

result<std::shared_ptr<benchmark_shelf>>
load_shelf(const worker_arguments& arguments) {
  auto shelf = std::make_shared<benchmark_shelf>();
  shelf->part = arguments.part();
  for (const auto& text : arguments.environments) {
    const auto offer = parse_offer(text);
    if (!offer) return offer.error();
    auto loaded = load_benchmark(without_splits(offer->options), shelf->part);
    if (!loaded) return loaded.error();
    shelf->by_kind[offer->kind] = std::move(*loaded);
    shelf->offers[offer->kind] = offer->options;
  }
  return shelf;
}

result<worker_process_inputs> inputs_of(const worker_arguments& arguments,
                                        benchmark_shelf& shelf) {
  worker_process_inputs out;
  auto& me = out.profile;
  me.host = host_name();
  me.incarnation = random_id();
  me.name = arguments.name.empty() ? fmt::format("{}-{}", me.host, ::getpid())
                                   : arguments.name;
  me.build = BREWERY_VERSION;
  me.slots = arguments.slots;
  me.roles = arguments.roles;
  bool grades = false;
  for (const auto& [kind, source] : shelf.by_kind) {
    if (!source->fingerprint().empty())
      me.benchmarks.push_back({kind, source->fingerprint()});
    if (source->goldens().empty()) continue;
    grades = true;
    me.benchmarks.push_back({kind + " goldens", source->goldens()});
  }
  if (!grades) std::erase(me.roles, "grade");
  auto connection = dealer_options_of(arguments.connection, me.incarnation);
  if (!connection) return connection.error();
  out.connection = std::move(*connection);
  if (!arguments.no_spool)
    out.spool_root = arguments.spool.empty()
                         ? default_spool()
                         : std::filesystem::path{arguments.spool};
  out.grace = std::chrono::milliseconds{
      static_cast<std::int64_t>(arguments.grace_s * 1000)};
  out.make_runner = [&shelf](const std::string& setup) {
    return shelf.runner(setup);
  };
  out.models = shelf.models;
  out.on_event = [](const std::string& what) { spdlog::info("{}", what); };
  return out;
}

int worker_command(const worker_arguments& arguments) {
  interrupt_watch::block_signals();
  set_up_logging(arguments.log_level);
  if (arguments.environments.empty() && arguments.has_role("rollout"))
    return report(error{ec::invalid_argument,
                        "a worker for rollouts needs an environment: --env "
                        "tau2-telecom=DIRECTORY, --env external=COMMAND or "
                        "--env toy"});
  const auto shelf = load_shelf(arguments);
  if (!shelf) return report(shelf.error());
  auto inputs = inputs_of(arguments, **shelf);
  if (!inputs) return report(inputs.error());
  if (inputs->profile.roles.empty())
    return report(error{ec::invalid_argument,
                        "a worker that only grades needs an environment with "
                        "goldens: --env spreadsheet=DIRECTORY"});
  const auto name = inputs->profile.name;
  spdlog::info("worker {} with {} slots looks for {}", name, arguments.slots,
               arguments.connection.connect);
  worker_process process{std::move(*inputs)};
  auto endpoint =
      serve_worker(arguments.metrics_listen, process, (*shelf)->metrics);
  if (!endpoint) return report(endpoint.error());
  result<void> ended;
  {
    interrupt_watch watch{[&] { process.stop(); }, [] {}};
    ended = process.run();
  }
  if (!ended) return report(ended.error());
  spdlog::info("worker {} has left", name);
  return exit_ok;
}

} // namespace

void add_worker_command(CLI::App& app, chosen_command& chosen) {
  auto* command =
      add_command(app, "worker", "Run jobs for a coordinator.", worker_footer);
  auto arguments = std::make_shared<worker_arguments>();
  add_connection_options(*command, arguments->connection);
  command
      ->add_option("--env", arguments->environments,
                   "Environment it can play: tau2-telecom=DIRECTORY, "
                   "spreadsheet=DIRECTORY, external=COMMAND, "
                   "tau2-official=CHECKOUT, toy, or "
                   "KIND=FILE.toml for what [environment] of a configuration "
                   "says. May be repeated.")
      ->type_name("KIND[=WHERE]")
      ->allow_extra_args(false);
  command->add_option("--slots", arguments->slots, "Jobs at once.")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command
      ->add_option("--roles", arguments->roles,
                   "What it does; default: everything.")
      ->check(CLI::IsMember({"rollout", "integrate", "embed", "grade"}))
      ->delimiter(',');
  command->add_option("--name", arguments->name,
                      "Name in lists and logs; default: host and process id.");
  command->add_option("--spool", arguments->spool,
                      "Directory of results that could not be delivered; "
                      "default: ~/.local/state/brewery/spool.");
  command->add_flag("--no-spool", arguments->no_spool,
                    "Keep undelivered results in memory only.");
  command
      ->add_option("--grace", arguments->grace_s,
                   "Seconds to finish jobs after SIGTERM; the rest is handed "
                   "back.")
      ->check(CLI::Range(0.0, 86400.0))
      ->capture_default_str();
  command->add_option("--metrics-listen", arguments->metrics_listen,
                      "Where /metrics, /healthz and /readyz are served, as "
                      "host:port.");
  command->add_option("--log-level", arguments->log_level)
      ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}))
      ->capture_default_str();
  command->callback([arguments, &chosen] {
    chosen = [=] { return worker_command(*arguments); };
  });
}

} // namespace brewery
