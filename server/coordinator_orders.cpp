/// The orders of a coordinator and their answers; those to submit a run and to
/// drain a worker.

#include "base/file.hpp"
#include "base/text.hpp"
#include "config/load.hpp"
#include "config/print.hpp"
#include "messages/json.hpp"
#include "run/guarded.hpp"
#include "server/coordinator_service.hpp"
#include "server/managed_run.hpp"
#include "server/order_words.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <utility>

namespace brewery {

namespace fs = std::filesystem;

/// An order that is sent again before it is answered gets the one answer that
/// is on its way: a slow order would otherwise be carried out as often as its
/// asker had the patience to repeat it, and all others wait.
void coordinator_service::take_order(order what) {
  const std::lock_guard guard{mutex_};
  if (!unanswered_.emplace(what.asker, what.request.number).second) return;
  orders_.push_back(std::move(what));
  changed_.notify_one();
}

void coordinator_service::carry_out_orders() {
  for (;;) {
    count_runs();
    std::unique_lock guard{mutex_};
    const auto wanted = [this] {
      return done_ || run_ended_ || !orders_.empty();
    };
    if (!host_again_at_)
      changed_.wait(guard, wanted);
    else if (!changed_.wait_until(guard, *host_again_at_, wanted))
      run_ended_ = true; // or may begin now
    if (done_) return;
    if (std::exchange(run_ended_, false)) {
      host_again_at_.reset();
      guard.unlock();
      if (auto ok = guarded([this]() -> result<void> {
            for (const auto& [id, run] : runs_)
              run->join_if_ended();
            host_queued();
            groups_->store_shared();
            return {};
          });
          !ok)
        spdlog::error("queued runs wait: {}", ok.error().message);
      continue;
    }
    const auto next = std::move(orders_.front());
    orders_.pop_front();
    guard.unlock();
    auto answer = answer_to(next.request);
    guard.lock();
    unanswered_.erase({next.asker, next.request.number});
    guard.unlock();
    next.reply(std::move(answer));
  }
}

operator_reply coordinator_service::answer_to(const operator_request& request) {
  operator_reply answer;
  if (request.verb == "read") {
    auto piece = guarded([&] { return read_piece(request.arguments); });
    if (piece)
      answer.content = std::move(*piece);
    else
      answer.error = piece.error().message;
    return answer;
  }
  const auto body = guarded([&] { return carry_out(request); });
  if (body)
    answer.body =
        body->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  else
    answer.error = body.error().message;
  return answer;
}

result<nlohmann::ordered_json>
coordinator_service::carry_out(const operator_request& request) {
  const auto& words = request.arguments;
  if (request.verb == "submit") return submit(words);
  if (request.verb == "status") return status();
  if (request.verb == "cancel") return cancel(words);
  if (request.verb == "group") return group(words);
  if (request.verb == "reward") return reward(words);
  if (request.verb == "resume") return resume(words);
  if (request.verb == "workers") return workers();
  if (request.verb == "drain") return drain(words);
  if (request.verb == "check_keys") {
    if (!options_.listen.keys)
      return error{ec::invalid_argument,
                   "this coordinator checks no keys: it was started without "
                   "--keys"};
    const auto ended = runtime_->check_keys();
    if (!ended) return ended.error();
    return nlohmann::ordered_json{
        {"sessions", *ended},
        {"still_allowed", still_allows(word(words, "revoked"))}};
  }
  if (request.verb == "quarantine") return quarantine(words);
  if (request.verb == "retry") return retry(words);
  if (request.verb == "files") return files(words);
  if (request.verb == "set") return set(words);
  if (request.verb == "logs") return logs(words);
  return error{ec::invalid_argument,
               fmt::format("this coordinator ({}) does not know the order {}",
                           BREWERY_VERSION, json_quoted(request.verb))};
}

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
result<nlohmann::ordered_json>
coordinator_service::submit(const arguments& words) {
  const auto known = submitted_.find(word(words, "order"));
  if (known == submitted_.end()) return submit_new(words);
  const auto directory = options_.runs_dir / known->second;
  return nlohmann::ordered_json{{"id", known->second},
                                {"directory", directory.string()},
                                {"known", true}};
}

result<nlohmann::ordered_json>
coordinator_service::submit_new(const arguments& words) {
  const auto loaded = parse_config(word(words, "config"),
                                   {.file = "submitted configuration",
                                    .overrides = {},
                                    .environment = {},
                                    .working_directory = fs::current_path()});
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
    if (const auto known = run_directory::open(options_.runs_dir, id))
      return submit_again(*known, about, loaded.value);
  // Its directory may have been removed meanwhile.
  if (const auto open = runs_.find(id);
      open != runs_.end() && open->second->running())
    return error{ec::in_use, "run " + id + " exists already, and is running"};
  const auto options = localised(loaded.value);
  if (!options) return options.error();
  if (auto models = service_for(*options); !models) return models.error();
  if (auto ok = has_data(options->environment); !ok) return ok.error();
  auto what = load_problem(*options);
  if (!what) return what.error();
  const std::string benchmark{what->source->name()};
  auto directory = id.empty() ? run_directory::create_new(
                       options_.runs_dir, std::chrono::system_clock::now(),
                       options->run.name)
                              : run_directory::create(options_.runs_dir, id);
  if (!directory) return directory.error();
  auto ok = write_file_atomically(directory->config(), to_toml(loaded.value));
  if (ok) ok = write_submission(*directory, about);
  if (ok) ok = host_in_turn(*directory, std::move(*what));
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
  if (options->environment.runs_program()) out["benchmark"] = benchmark;
  return out;
}

bool coordinator_service::is_taken(const std::string& id) const {
  std::error_code unknown;
  return runs_.contains(id) || fs::exists(options_.runs_dir / id, unknown)
         || unknown;
}

result<nlohmann::ordered_json>
coordinator_service::drain(const arguments& words) {
  const auto name = word(words, "worker");
  const auto count = runtime_->drain(name);
  if (count > 0) return nlohmann::ordered_json{{"workers", count}};
  std::vector<std::string> names;
  if (const auto now = runtime_->status())
    for (const auto& worker : now->workers)
      names.push_back(worker.spec.name);
  return error{ec::not_found,
               fmt::format("no worker {} is connected{}", json_quoted(name),
                           suggest_choice(name, names))};
}

} // namespace brewery
