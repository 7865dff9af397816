/// The orders of a coordinator and their answers.

#include "base/file.hpp"
#include "base/printable.hpp"
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
  return nlohmann::ordered_json{{"id", directory->id()},
                                {"directory", directory->path().string()}};
}

bool coordinator_service::is_taken(const std::string& id) const {
  std::error_code unknown;
  return runs_.contains(id) || fs::exists(options_.runs_dir / id, unknown)
         || unknown;
}

/// What is not given keeps its value.
result<void> coordinator_service::read_share(const arguments& words,
                                             submission& into) {
  if (auto ok = read_number(words, "weight", 0.001, 1000, into.weight); !ok)
    return ok;
  return read_number(words, "priority", -100, 100, into.priority);
}

result<nlohmann::ordered_json>
coordinator_service::set(const arguments& words) {
  const auto id = word(words, "id");
  if (!group_that_queues(id).empty()) return set_queued(words, id);
  const auto run = find(words);
  if (!run) return run.error();
  if ((*run)->state() == "finished")
    return error{ec::invalid_argument,
                 fmt::format("run {} is already finished", (*run)->id())};
  auto about = read_submission((*run)->directory());
  if (!about) return about.error();
  if (auto ok = read_share(words, *about); !ok) return ok.error();
  if (auto ok = write_submission((*run)->directory(), *about); !ok)
    return ok.error();
  const run_share share{about->weight, about->priority};
  (*run)->set_share(share);
  runtime_->set_share({(*run)->id()}, share);
  spdlog::info("share_changed run={} weight={} priority={}", (*run)->id(),
               share.weight, share.priority);
  return nlohmann::ordered_json{{"id", (*run)->id()},
                                {"weight", share.weight},
                                {"priority", share.priority}};
}

/// It gets its share when its turn comes.
result<nlohmann::ordered_json>
coordinator_service::set_queued(const arguments& words, const std::string& id) {
  const auto directory = run_directory::open(options_.runs_dir, id);
  if (!directory) return directory.error();
  auto about = read_submission(*directory);
  if (!about) return about.error();
  if (auto ok = read_share(words, *about); !ok) return ok.error();
  if (auto ok = write_submission(*directory, *about); !ok) return ok.error();
  return nlohmann::ordered_json{
      {"id", id}, {"weight", about->weight}, {"priority", about->priority}};
}

result<coordinator_service::managed_run*>
coordinator_service::find(const arguments& words) {
  const auto id = word(words, "id");
  const auto it = runs_.find(id);
  if (it != runs_.end()) return it->second.get();
  const auto damaged = unreadable();
  if (const auto why = damaged.find(id); why != damaged.end())
    return error{
        ec::corrupt,
        fmt::format("run {} cannot be read: {}; mend it, then `brewery "
                    "submit --resume {}`",
                    id, why->second, id)};
  std::vector<std::string> names;
  for (const auto& [name, run] : runs_)
    names.push_back(name);
  return error{ec::not_found,
               fmt::format("this coordinator has no run {}{}", json_quoted(id),
                           suggest_choice(id, names))};
}

result<nlohmann::ordered_json>
coordinator_service::cancel(const arguments& words) {
  if (const auto group = word(words, "group"); !group.empty())
    return cancel_group(group);
  const auto id = word(words, "id");
  if (const auto group = group_that_queues(id); !group.empty()) {
    if (auto ok = cancel_queued(group, id); !ok) return ok.error();
    return nlohmann::ordered_json{{"id", id}, {"state", "cancelled"}};
  }
  if (const auto group = group_that_holds(id); !group.empty()) {
    if (auto ok = cancel_held(group, id, word(words, "reason")); !ok)
      return ok.error();
    return nlohmann::ordered_json{{"id", id}, {"state", "cancelled"}};
  }
  const auto held = runs_.find(id);
  if (unreadable().contains(id)
      && (held == runs_.end() || !held->second->running()))
    return cancel_unreadable(id);
  const auto run = find(words);
  if (!run) return run.error();
  return cancel_run(**run, patience_for_an_end());
}

/// It would be tried again at every start.
result<nlohmann::ordered_json>
coordinator_service::cancel_unreadable(const std::string& id) {
  const auto directory = run_directory::open(options_.runs_dir, id);
  if (!directory) return directory.error();
  auto about = read_submission(*directory);
  if (!about) return about.error();
  about->cancelled = true;
  if (auto ok = write_submission(*directory, *about); !ok) return ok.error();
  if (!about->group.empty()) groups_->add(*about, *directory, "cancelled");
  runs_.erase(id);
  note_readable(id);
  return nlohmann::ordered_json{{"id", id}, {"state", "cancelled"}};
}

result<void> coordinator_service::note_cancelled(const managed_run& run) const {
  auto about = read_submission(run.directory());
  if (!about) return about.error();
  about->cancelled = true;
  return write_submission(run.directory(), *about);
}

result<nlohmann::ordered_json>
coordinator_service::cancel_run(managed_run& run,
                                std::chrono::steady_clock::time_point until) {
  const auto over_already = [&] {
    return error{ec::invalid_argument,
                 fmt::format("run {} is already {}", run.id(), run.state())};
  };
  const auto before = read_submission(run.directory());
  const bool again = run.state() == "cancelled" && before && !before->cancelled;
  if (!run.running() && !again) return over_already();
  const auto stored = note_cancelled(run);
  // It stops also where that cannot be stored, on a full disk say.
  run.cancel();
  const bool ended = run.ends_until(until);
  if (!stored)
    return error{stored.error().code,
                 fmt::format("run {} stops, but goes on at the "
                             "coordinator's next start, as that cannot be "
                             "stored: {}; cancel it again when it can",
                             run.id(), stored.error().message)};
  if (!ended)
    return nlohmann::ordered_json{{"id", run.id()}, {"state", "stopping"}};
  // A run whose work is all in its log asks for no job that could be dropped.
  if (run.state() == "finished") {
    auto about = read_submission(run.directory());
    if (!about) return about.error();
    about->cancelled = false;
    if (auto ok = write_submission(run.directory(), *about); !ok)
      return ok.error();
    return over_already();
  }
  return nlohmann::ordered_json{{"id", run.id()}, {"state", "cancelled"}};
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
