#include "server/coordinator_service.hpp"

#include "base/file.hpp"
#include "base/text.hpp"
#include "net/key_lookup.hpp"
#include "net/once_a_minute.hpp"
#include "run/metrics_endpoint.hpp"
#include "run/setup/disk_patience.hpp"
#include "server/managed_run.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

namespace brewery {

namespace fs = std::filesystem;

namespace {

result<std::uint64_t> next_epoch(const fs::path& directory) {
  const auto file = directory / "epoch";
  std::uint64_t last = 0;
  if (const auto text = read_file(file)) {
    const auto digits = trim(*text);
    const auto number = whole_number<std::uint64_t>(digits);
    if (!number)
      return error{ec::corrupt,
                   fmt::format("{} holds '{}', not the number of starts; "
                               "write a number larger than any before",
                               file.string(), digits)};
    last = *number;
  } else if (text.error().code != ec::not_found) {
    return text.error();
  }
  ++last;
  if (auto ok = write_file_atomically(file, fmt::format("{}\n", last)); !ok)
    return ok.error();
  return last;
}

/// Tells what workers keep for this coordinator from what they keep for others,
/// over its restarts.
result<std::string> cluster_name(const fs::path& directory) {
  const auto file = directory / "cluster";
  if (const auto text = read_file(file)) {
    const std::string name{trim(*text)};
    if (is_random_id(name)) return name;
    return error{ec::corrupt,
                 file.string()
                     + " holds no name of a cluster; remove it, and a new one "
                       "is made"};
  } else if (text.error().code != ec::not_found) {
    return text.error();
  }
  const auto name = random_id();
  if (auto ok = write_file_atomically(file, name + "\n"); !ok)
    return ok.error();
  return name;
}

struct claim {
  directory_lock lock;
  std::uint64_t epoch;
  std::string cluster;
};

/// What a start needs before all else. Where it waits for disk space it tells
/// those who look after it, or they would end it.
result<claim> claim_directory(const service_options& options,
                              const std::shared_ptr<process_metrics>& metrics) {
  const auto own = options.runs_dir / ".coordinator";
  std::unique_ptr<http_server> meanwhile;
  const auto patiently = [&](const auto& attempt) {
    return with_space(
        [&]() -> decltype(attempt()) {
          auto out = attempt();
          const bool full = !out && out.error().code == ec::disk_full;
          metrics->set_journal_stuck({}, full);
          if (!full || meanwhile) return out;
          auto served = serve_waiting(options.metrics_listen, metrics,
                                      "waiting for disk space");
          if (!served) return served.error();
          meanwhile = std::move(*served);
          return out;
        },
        options.stopped);
  };
  if (auto ok = patiently([&] { return make_directories(own); }); !ok)
    return ok.error();
  auto lock = patiently([&] { return directory_lock::take(own); });
  if (!lock) return lock.error();
  const auto epoch = patiently([&] { return next_epoch(own); });
  if (!epoch) return epoch.error();
  auto cluster = patiently([&] { return cluster_name(own); });
  if (!cluster) return cluster.error();
  return claim{std::move(*lock), *epoch, std::move(*cluster)};
}

/// Peers try again and again.
std::function<void()> tell_of_plaintext() {
  return [knocks = once_a_minute{}]() mutable {
    if (const auto count = knocks.happened(std::chrono::steady_clock::now()))
      spdlog::warn("refused {} without encryption: this coordinator has keys, "
                   "so workers and operators need --key and --server-key",
                   counted(*count, "connection"));
  };
}

peer_kind_lookup lookup_in(const gateway_options& listen) {
  if (!listen.keys) return all_are_workers();
  return [lookup = std::make_shared<key_lookup>(listen.key_directory)](
             const std::vector<std::string>& keys) {
    std::vector<result<std::string>> out;
    for (const auto& peer : lookup->find(keys))
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
  const auto metrics = std::make_shared<process_metrics>();
  auto own = claim_directory(options, metrics);
  if (!own) return own.error();
  std::unique_ptr<coordinator_service> made{
      new coordinator_service{options, std::move(own->lock), own->epoch}};
  made->page_orders_ =
      std::make_unique<page_orders>(options.page_for_operators);
  cluster_runtime_inputs inputs;
  inputs.metrics = metrics;
  inputs.blobs = std::make_shared<blob_registry>();
  inputs.cluster = options.cluster;
  inputs.epoch = own->epoch;
  inputs.cluster_id = own->cluster;
  inputs.listen = options.listen;
  inputs.listen->on_plaintext = tell_of_plaintext();
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
        if (const auto pool = service->runtime_->status())
          for (const auto& run : pool->stuck)
            out += fmt::format("the event log of run {} cannot be written\n",
                               run.value);
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
  made->drain_as_before();
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
  loader_.end();
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

} // namespace brewery
