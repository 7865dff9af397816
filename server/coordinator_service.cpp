#include "server/coordinator_service.hpp"

#include "base/file.hpp"
#include "base/text.hpp"
#include "config/load.hpp"
#include "config/rules.hpp"
#include "run/metrics_endpoint.hpp"
#include "run/setup/disk_patience.hpp"
#include "run/setup/run_checks.hpp"
#include "server/managed_run.hpp"
#include "store/run_status.hpp"

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

peer_kind_lookup lookup_in(const gateway_options& listen) {
  if (!listen.keys) return all_are_workers();
  return [directory = key_directory{listen.key_directory}](
             const std::vector<std::string>& keys) {
    std::vector<result<std::string>> out;
    for (const auto& peer : directory.find(keys))
      if (!peer)
        out.emplace_back(peer.error());
      else if (!*peer)
        // It was allowed when it connected, and may be again.
        out.emplace_back(error{ec::not_found, "its key is on no list now"});
      else
        out.emplace_back(
            std::string{(*peer)->revoked ? "" : to_string((*peer)->role)});
    return out;
  };
}

} // namespace

result<std::unique_ptr<event_log>> log_of(const run_directory& directory) {
  std::error_code ignored;
  const bool none = !fs::exists(directory.events(), ignored)
                    && !fs::exists(directory.path() / "events.ack", ignored);
  return none ? event_log::create(directory.path())
              : event_log::open(directory.path());
}

coordinator_service::coordinator_service(const service_options& options,
                                         directory_lock lock,
                                         std::uint64_t epoch)
    : options_(options), lock_(std::move(lock)),
      log_(options.runs_dir / ".coordinator" / "log.jsonl"),
      log_copy_(std::make_unique<log_copy>(
          json::object(),
          [this](const std::string& line) { log_.append(line); })),
      epoch_(epoch) {}

result<std::unique_ptr<coordinator_service>>
coordinator_service::start(const service_options& options) {
  const auto own = options.runs_dir / ".coordinator";
  if (auto ok =
          with_space([&] { return make_directories(own); }, options.stopped);
      !ok)
    return ok.error();
  auto lock =
      with_space([&] { return directory_lock::take(own); }, options.stopped);
  if (!lock) return lock.error();
  const auto epoch =
      with_space([&] { return next_epoch(own); }, options.stopped);
  if (!epoch) return epoch.error();
  std::unique_ptr<coordinator_service> made{
      new coordinator_service{options, std::move(*lock), *epoch}};
  made->page_orders_ =
      std::make_unique<page_orders>(options.page_for_operators);
  cluster_runtime_inputs inputs;
  inputs.metrics = std::make_shared<process_metrics>();
  inputs.blobs = std::make_shared<blob_registry>();
  inputs.cluster = options.cluster;
  inputs.epoch = *epoch;
  inputs.listen = options.listen;
  inputs.peer_kinds_of = lookup_in(options.listen);
  inputs.operators =
      [service = made.get()](const std::string& asker,
                             const operator_request& request,
                             std::function<void(operator_reply)> reply) {
        if (request.verb == "page")
          return service->page_orders_->take(asker, request, std::move(reply));
        service->take_order({asker, request, std::move(reply)});
      };
  inputs.on_worker_log = [service = made.get()](const std::string& worker,
                                                const std::string& line) {
    service->take_worker_log(worker, line);
  };
  auto machine = cluster_runtime::start(std::move(inputs));
  if (!machine) return machine.error();
  made->runtime_ = std::move(*machine);
  made->groups_ =
      std::make_unique<grouped_runs>(*made->runtime_, options.runs_dir);
  auto endpoint = serve_metrics(
      options.metrics_listen, *made->runtime_,
      [service = made.get()] {
        std::string out;
        for (const auto& [run, why] : service->unreadable())
          out += fmt::format("run {} cannot be read: {}\n", run, why);
        return out;
      },
      options.pages);
  if (!endpoint) return endpoint.error();
  made->endpoint_ = std::move(*endpoint);
  if (made->endpoint_ && options.pages_port)
    options.pages_port(made->endpoint_->port());
  if (!options.models.empty())
    if (auto models = made->service_of(fs::absolute(options.models)); !models)
      return models.error();
  // Every search is known before a worker can ask for its jobs.
  if (auto ok = made->resume_runs(); !ok) return ok.error();
  if (auto ok = made->runtime_->listen(); !ok) return ok.error();
  made->command_thread_ =
      std::thread{[service = made.get()] { service->carry_out_orders(); }};
  return made;
}

coordinator_service::~coordinator_service() {
  {
    const std::lock_guard guard{mutex_};
    done_ = true;
  }
  changed_.notify_all();
  if (command_thread_.joinable()) command_thread_.join();
  endpoint_.reset();
  page_orders_->end();
  if (runtime_) runtime_->disconnect();
  for (auto& [id, run] : runs_)
    run->abandon();
  runs_.clear();
  groups_.reset();
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
    // An operator must not decide which programs start on this machine.
    const auto& here = offer->options;
    wanted.data = here.data;
    wanted.external.command = here.external.command;
    wanted.external.child.pass_env = here.external.child.pass_env;
    wanted.tau2_official.python = here.tau2_official.python;
    wanted.tau2_official.user_model = here.tau2_official.user_model;
    wanted.tau2_official.child.pass_env = here.tau2_official.child.pass_env;
  }
  wanted.take_machine(offered ? offer->options : environment_options{});
  if (options.embedder.kind == "sentence") {
    if (!offered || offer->embedder.kind != "sentence")
      return error{
          ec::invalid_argument,
          fmt::format("this coordinator has no sentence model; start it with "
                      "--env {}=FILE.toml, a file whose [embedder] is of kind "
                      "sentence",
                      wanted.kind)};
    options.embedder.take_machine(offer->embedder);
  }
  // Nor which of this machine's files become documents.
  if (!options.muse.memory.empty())
    return error{ec::invalid_argument,
                 "muse.memory names a directory of the machine that plays the "
                 "run; begin with a memory in a run of one process"};
  if (!options.memory_port.command.empty())
    return error{ec::invalid_argument,
                 "memory_port.command: a coordinator starts no programs that a "
                 "submitted configuration names; attach a memory in a run of "
                 "one process"};
  // Nor where this machine's keys are sent.
  options.models.catalog =
      options_.models.empty() ? fs::path{} : fs::absolute(options_.models);
  return options;
}

result<std::shared_ptr<model_service>>
coordinator_service::service_for(const config& options) {
  if (models_used(options).empty()) return std::shared_ptr<model_service>{};
  if (options.models.catalog.empty())
    return error{ec::invalid_argument,
                 "a role of this configuration uses a language model, and "
                 "this coordinator has none; start it with --models FILE"};
  auto service = service_of(options.models.catalog);
  if (service)
    if (auto ok = (*service)->check(options); !ok) return ok.error();
  return service;
}

result<std::shared_ptr<model_service>>
coordinator_service::service_of(const fs::path& catalog) {
  auto& service = services_[catalog];
  if (!service) {
    auto started = model_service::start(catalog, runtime_->metrics());
    if (!started) return started.error();
    service = std::move(*started);
  }
  return service;
}

result<void> coordinator_service::resume_runs() {
  const auto found = run_directory::list(options_.runs_dir);
  if (!found) return found.error();
  // What a group shares needs the logs of all its runs.
  std::vector<run_directory> unfinished;
  for (const auto& directory : *found) {
    const auto about = read_submission(directory);
    if (!about && about.error().code != ec::not_found)
      note_unreadable(directory, about.error());
    if (!about) continue;
    const bool finished = is_finished(directory);
    const auto status = read_run_status(directory.path());
    const bool spent = status && status->spent;
    groups_->add(*about, directory,
                 finished           ? "finished"
                 : about->cancelled ? "cancelled"
                                    : "interrupted");
    if (about->cancelled || finished) continue;
    if (!spent)
      unfinished.push_back(directory);
    else if (about->group.empty())
      spdlog::warn("run_stays run={} its budget stopped it; `brewery submit "
                   "--resume {}` continues it",
                   directory.id(), directory.id());
    else
      spdlog::warn("run_stays run={} a budget stopped it; the command that "
                   "submitted group {} continues it",
                   directory.id(), about->group);
  }
  // Workers hold jobs of those that ran: a group that is full of others would
  // have them thrown away.
  std::ranges::stable_sort(unfinished, {}, [](const run_directory& directory) {
    const auto status = read_run_status(directory.path());
    if (!status) return 2;
    return status->state == run_state::running ? 0 : 1;
  });
  for (const auto& directory : unfinished) {
    if (auto ok = with_space([&] { return host_in_turn(directory); },
                             options_.stopped);
        !ok)
      note_unreadable(directory, ok.error());
    else
      ++resumed_;
  }
  for (auto& [id, run] : runs_)
    run->wait_until_open();
  return {};
}

void coordinator_service::note_unreadable(const run_directory& directory,
                                          const error& why) {
  spdlog::error("run_unreadable run={} cannot be resumed: {}", directory.id(),
                why.message);
  const std::lock_guard guard{mutex_};
  unreadable_[directory.id()] = why.message;
  runtime_->metrics()->set_runs_unreadable(unreadable_.size());
}

void coordinator_service::note_readable(const std::string& run) {
  const std::lock_guard guard{mutex_};
  unreadable_.erase(run);
  runtime_->metrics()->set_runs_unreadable(unreadable_.size());
}

std::map<std::string, std::string> coordinator_service::unreadable() const {
  const std::lock_guard guard{mutex_};
  return unreadable_;
}

bool coordinator_service::still_allows(std::string_view public_keys) const {
  std::vector<std::string> keys;
  for (const auto key : split(public_keys, ' '))
    if (!key.empty()) keys.emplace_back(key);
  // Who cannot be looked up may not connect either.
  return std::ranges::any_of(
      lookup_in(options_.listen)(keys),
      [](const auto& kind) { return kind && !kind->empty(); });
}

void coordinator_service::check_keys() {
  const auto ended = runtime_->check_keys();
  if (ended)
    spdlog::info("keys are checked; sessions ended: {}", *ended);
  else
    spdlog::warn("the end of revoked keys' sessions is {}",
                 ended.error().message);
}

result<config>
coordinator_service::options_of(const run_directory& directory) const {
  const auto loaded =
      load_config({.file = fs::absolute(directory.config()),
                   .overrides = {},
                   .environment = {},
                   .working_directory = fs::absolute(directory.path())});
  if (!loaded.problems.empty()) return loaded.problems.front();
  return localised(loaded.value);
}

result<void>
coordinator_service::still_fits(const run_directory& directory) const {
  const auto options = options_of(directory);
  if (!options) return options.error();
  const auto what = load_problem(*options);
  if (!what) return what.error();
  return can_go_on(directory, *options, *what);
}

result<void> coordinator_service::host(const run_directory& directory,
                                       std::optional<problem> what) {
  auto about = read_submission(directory);
  if (!about) return about.error();
  const auto options = options_of(directory);
  if (!options) return options.error();
  if (!what) {
    auto loaded_now = load_problem(*options);
    if (!loaded_now) return loaded_now.error();
    what = std::move(*loaded_now);
  }
  what->source->release_children();
  auto service = service_for(*options);
  if (!service) return service.error();
  result<run_models> models{run_models{}};
  if (*service)
    models = models_of(std::move(*service), *options, directory.path(), {});
  if (!models) return models.error();
  auto log = log_of(directory);
  if (!log) return log.error();
  run_inputs inputs{*options,
                    directory,
                    std::move(*log),
                    {about->weight, about->priority},
                    true,
                    std::move(*models),
                    {}};
  inputs.abandoned = options_.stopped;
  inputs.hold_after = about->hold_after;
  groups_->add(*about, directory);
  inputs.jobs_of_others = share_of(about->group);
  if (const auto group = groups_->all().find(about->group);
      group != groups_->all().end())
    for (const auto& [run, state] : group->second)
      if (run != directory.id())
        inputs.siblings.push_back(directory.path().parent_path() / run);
  if (inputs.jobs_of_others)
    inputs.why_stop = [&budget = groups_->budget(about->group),
                       id = directory.id()](double cost_usd) {
      return budget.note(id, cost_usd, group_budget::clock::now());
    };
  note_readable(directory.id());
  auto run = std::make_unique<managed_run>(
      *runtime_, about->group, std::move(inputs), std::move(*what),
      managed_run_events{[this, directory](const error& why) {
                           note_unreadable(directory, why);
                         },
                         [this] {
                           const std::lock_guard guard{mutex_};
                           run_ended_ = true;
                           changed_.notify_one();
                         }});
  runs_[directory.id()] = std::move(run);
  return {};
}

void coordinator_service::end_run(managed_run& run) {
  run.abandon();
  run.wait();
}

// -- orders ------------------------------------------------------------------

} // namespace brewery
