#include "apps/coordinator_service.hpp"

#include "apps/hosted_run.hpp"
#include "apps/metrics_endpoint.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "config/load.hpp"
#include "config/rules.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <charconv>

namespace brewery {

namespace fs = std::filesystem;

namespace {

result<std::uint64_t> next_epoch(const fs::path& directory) {
  const auto file = directory / "epoch";
  std::uint64_t last = 0;
  if (const auto text = read_file(file)) {
    const auto digits = trim(*text);
    const auto [end, failed] =
        std::from_chars(digits.data(), digits.data() + digits.size(), last);
    if (failed != std::errc{} || end != digits.data() + digits.size())
      return error{ec::corrupt,
                   fmt::format("{} holds '{}', not the number of starts; "
                               "write a number larger than any before",
                               file.string(), digits)};
  } else if (text.error().code != ec::not_found) {
    return text.error();
  }
  ++last;
  if (auto ok = write_file_atomically(file, fmt::format("{}\n", last)); !ok)
    return ok.error();
  return last;
}

role_lookup lookup_in(const gateway_options& listen) {
  if (listen.keys.empty())
    return [](const std::string&) { return std::string{"worker"}; };
  return [directory = key_directory{listen.key_directory}](
             const std::string& key) -> result<std::string> {
    const auto peers = directory.find(key);
    if (!peers) return peers.error();
    return std::string{peers->empty() ? "" : to_string(peers->front().role)};
  };
}

/// Killed between taking an order and making the log, there is none yet.
result<std::unique_ptr<event_log>> log_of(const run_directory& directory) {
  std::error_code ignored;
  const bool none = !fs::exists(directory.events(), ignored)
                    && !fs::exists(directory.path() / "events.ack", ignored);
  return none ? event_log::create(directory.path())
              : event_log::open(directory.path());
}

} // namespace

coordinator_service::coordinator_service(const service_options& options,
                                         directory_lock lock,
                                         std::uint64_t epoch)
    : options_(options), lock_(std::move(lock)), epoch_(epoch) {}

result<std::unique_ptr<coordinator_service>>
coordinator_service::start(const service_options& options) {
  const auto own = options.runs_dir / ".coordinator";
  if (auto ok = make_directories(own); !ok) return ok.error();
  auto lock = directory_lock::take(own);
  if (!lock) return lock.error();
  const auto epoch = next_epoch(own);
  if (!epoch) return epoch.error();
  std::unique_ptr<coordinator_service> made{
      new coordinator_service{options, std::move(*lock), *epoch}};
  runtime_inputs inputs;
  inputs.metrics = std::make_shared<probes>();
  inputs.blobs = std::make_shared<blob_shelf>();
  inputs.cluster = options.cluster;
  inputs.epoch = *epoch;
  inputs.listen.push_back(options.listen);
  inputs.role_of = lookup_in(options.listen);
  inputs.operators =
      [service = made.get()](const operator_request& request,
                             std::function<void(operator_reply)> reply) {
        const std::lock_guard guard{service->mutex_};
        service->orders_.emplace_back(request, std::move(reply));
        service->changed_.notify_one();
      };
  auto machine = runtime::start(std::move(inputs));
  if (!machine) return machine.error();
  made->runtime_ = std::move(*machine);
  auto endpoint = serve_metrics(options.metrics_listen, *made->runtime_);
  if (!endpoint) return endpoint.error();
  made->endpoint_ = std::move(*endpoint);
  // Every search is known before a worker can ask for one.
  if (auto ok = made->resume_runs(); !ok) return ok.error();
  if (auto ok = made->runtime_->listen(); !ok) return ok.error();
  made->clerk_ =
      std::thread{[service = made.get()] { service->take_orders(); }};
  return made;
}

coordinator_service::~coordinator_service() {
  {
    const std::lock_guard guard{mutex_};
    done_ = true;
  }
  changed_.notify_all();
  if (clerk_.joinable()) clerk_.join();
  endpoint_.reset();
  if (runtime_) runtime_->hang_up();
  for (auto& [id, run] : runs_)
    run->abandon();
  runs_.clear();
}

std::string coordinator_service::endpoint() const {
  return runtime_->endpoint();
}

// -- runs --------------------------------------------------------------------

result<config> coordinator_service::localised(config options) const {
  auto& wanted = options.environment;
  const auto offer =
      std::find_if(options_.environments.begin(), options_.environments.end(),
                   [&](const auto& o) { return o.kind == wanted.kind; });
  const bool offered = offer != options_.environments.end();
  if (offered && !offer->options.data.empty())
    wanted.data = offer->options.data;
  if (wanted.runs_program() && !offered)
    return error{
        ec::invalid_argument,
        fmt::format("this coordinator starts no programs that a "
                    "submitted configuration names; start it with "
                    "--env {0}={1} or {0}=FILE.toml",
                    wanted.kind,
                    wanted.kind == "external" ? "COMMAND" : "CHECKOUT")};
  if (wanted.runs_program()) {
    // Who may submit runs may not say what is started on this machine.
    const auto& here = offer->options;
    wanted.data = here.data;
    wanted.command = here.command;
    wanted.python = here.python;
    wanted.user_model = here.user_model;
    wanted.pass_env = here.pass_env;
  }
  wanted.take_machine(offered ? offer->options : environment_options{});
  // Nor where this machine's keys are sent.
  options.models.catalog =
      options_.models.empty() ? fs::path{} : fs::absolute(options_.models);
  return options;
}

result<run_models>
coordinator_service::models_for(const config& options,
                                const run_directory& directory) {
  if (models_used(options).empty()) return run_models{};
  if (options.models.catalog.empty())
    return error{ec::invalid_argument,
                 "a role of this configuration uses a language model, and "
                 "this coordinator has none; start it with --models FILE"};
  auto& service = services_[options.models.catalog];
  if (!service) {
    auto started =
        model_service::start(options.models.catalog, runtime_->metrics());
    if (!started) return started.error();
    service = std::move(*started);
  }
  return models_of(service, options, directory.path(), {});
}

result<void> coordinator_service::resume_runs() {
  const auto found = run_directory::list(options_.runs_dir);
  if (!found) return found.error();
  for (const auto& directory : *found) {
    const auto about = read_submission(directory);
    std::error_code ignored;
    if (!about || about->cancelled || fs::exists(directory.report(), ignored))
      continue;
    if (auto ok = host(directory); !ok)
      spdlog::error("run {} cannot be resumed: {}", directory.id(),
                    ok.error().message);
    else
      ++resumed_;
  }
  for (auto& [id, run] : runs_)
    run->wait_until_open();
  return {};
}

result<void> coordinator_service::host(const run_directory& directory,
                                       std::optional<problem> what) {
  auto about = read_submission(directory);
  if (!about) return about.error();
  const auto loaded =
      load_config({.file = fs::absolute(directory.config()),
                   .overrides = {},
                   .environment = {},
                   .working_directory = fs::absolute(directory.path())});
  if (!loaded.problems.empty()) return loaded.problems.front();
  const auto options = localised(loaded.value);
  if (!options) return options.error();
  if (!what) {
    auto loaded_now = load_problem(*options);
    if (!loaded_now) return loaded_now.error();
    what = std::move(*loaded_now);
  }
  what->source->rest();
  auto models = models_for(*options, directory);
  if (!models) return models.error();
  auto log = log_of(directory);
  if (!log) return log.error();
  session_inputs inputs{*options,
                        directory,
                        std::move(*log),
                        {about->weight, about->priority},
                        true,
                        std::move(*models),
                        {}};
  auto run = std::make_unique<hosted_run>(*runtime_, std::move(inputs),
                                          std::move(*what));
  runs_[directory.id()] = std::move(run);
  return {};
}

void coordinator_service::end_run(hosted_run& run) {
  run.abandon();
  run.wait();
}

// -- orders ------------------------------------------------------------------

} // namespace brewery
