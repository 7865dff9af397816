/// The order to submit a run.

#include "base/file.hpp"
#include "config/load.hpp"
#include "config/print.hpp"
#include "messages/json.hpp"
#include "server/coordinator_service.hpp"
#include "server/managed_run.hpp"
#include "server/order_words.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <utility>

namespace brewery {

namespace fs = std::filesystem;

namespace {

/// Whether the data of the configuration's environment is on this machine.
result<void> has_data(const environment_options& where) {
  std::error_code unreadable;
  if (!where.needs_data() || fs::is_directory(where.data, unreadable))
    return {};
  if (where.data.empty())
    return error{ec::not_found,
                 fmt::format("this coordinator has no data of {0}, and the "
                             "configuration names none: start it with --env "
                             "{0}=DIRECTORY",
                             where.kind)};
  return error{ec::not_found,
               fmt::format("this coordinator has no directory {} with data "
                           "of {}{}; start it with --env {}=DIRECTORY",
                           where.data.string(), where.kind,
                           unreadable ? ": " + unreadable.message() : "",
                           where.kind)};
}

} // namespace

/// An operator repeats an order that is not answered, also after a restart.
result<std::optional<nlohmann::ordered_json>>
coordinator_service::submit(const order& what) {
  const auto known = submitted_.find(word(what.request.arguments, "order"));
  if (known == submitted_.end()) return submit_new(what);
  const auto directory = options_.runs_dir / known->second;
  return std::optional{nlohmann::ordered_json{{"id", known->second},
                                              {"directory", directory.string()},
                                              {"known", true}}};
}

result<std::optional<nlohmann::ordered_json>>
coordinator_service::submit_new(const order& what) {
  const auto& words = what.request.arguments;
  const auto here = working_directory();
  if (!here) return here.error();
  const auto loaded =
      parse_config(word(words, "config"), {.file = "submitted configuration",
                                           .overrides = {},
                                           .environment = {},
                                           .working_directory = *here});
  if (!loaded.problems.empty()) return loaded.problems.front();
  // Before anything is written.
  if (auto ok = lock_.in_place(); !ok) return ok.error();
  submission about;
  if (auto ok = read_share(words, about); !ok) return ok.error();
  if (auto ok = read_group(words, about); !ok) return ok.error();
  about.order = word(words, "order");
  auto id = word(words, "id");
  run_directory::discard_unbegun(options_.runs_dir, id);
  // A name made of the time: others may have taken it in the same second.
  if (word(words, "id_is_default") == "1" && is_taken(id)) id.clear();
  if (!about.group.empty() && !id.empty())
    if (const auto known = run_directory::open(options_.runs_dir, id)) {
      auto answer = submit_again(*known, about, loaded.value);
      if (!answer) return answer.error();
      return std::optional{std::move(*answer)};
    }
  // Its directory may have been removed meanwhile.
  if (const auto open = runs_.find(id);
      open != runs_.end() && open->second->running())
    return error{ec::in_use, "run " + id + " exists already, and is running"};
  const auto options = localised(loaded.value);
  if (!options) return options.error();
  if (auto models = service_for(*options); !models) return models.error();
  if (auto ok = has_data(options->environment); !ok) return ok.error();
  if (!what.benchmark) {
    load_benchmark(what, *options);
    return std::optional<nlohmann::ordered_json>{};
  }
  auto& benchmark = *what.benchmark;
  if (!benchmark) return benchmark.error();
  const std::string name{benchmark->source->name()};
  auto directory = id.empty() ? run_directory::create_new(
                       options_.runs_dir, std::chrono::system_clock::now(),
                       options->run.name)
                              : run_directory::create(options_.runs_dir, id);
  if (!directory) return directory.error();
  auto ok = write_file_atomically(directory->config(), to_toml(loaded.value));
  if (ok) ok = write_submission(*directory, about);
  if (ok) ok = host_in_turn(*directory, std::move(*benchmark));
  if (!ok) {
    // A refused order must not run after the next start of the coordinator.
    directory->discard();
    groups_->remove(about.group, directory->id());
    return ok.error();
  }
  if (!about.order.empty()) submitted_[about.order] = directory->id();
  spdlog::info("run_submitted run={} weight={} priority={}", directory->id(),
               about.weight, about.priority);
  nlohmann::ordered_json out{{"id", directory->id()},
                             {"directory", directory->path().string()}};
  if (options->environment.runs_program()) out["benchmark"] = name;
  return std::optional{std::move(out)};
}

/// The order comes back with its benchmark, and is checked anew: others have
/// been carried out meanwhile.
void coordinator_service::load_benchmark(order what, const config& options) {
  loader_.load(options, [this, what = std::move(what)](
                            result<problem> benchmark) mutable {
    what.benchmark = std::make_shared<result<problem>>(std::move(benchmark));
    const std::lock_guard guard{mutex_};
    orders_.push_back(std::move(what));
    changed_.notify_one();
  });
}

bool coordinator_service::is_taken(const std::string& id) const {
  std::error_code unknown;
  return runs_.contains(id) || fs::exists(options_.runs_dir / id, unknown)
         || unknown;
}

} // namespace brewery
