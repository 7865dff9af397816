/// The orders that change runs: set, cancel.

#include "base/printable.hpp"
#include "server/coordinator_service.hpp"
#include "server/managed_run.hpp"
#include "server/order_words.hpp"
#include "store/run_status.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace brewery {

namespace {

constexpr std::size_t reason_bytes_max = 200;

error already(const std::string& run, const std::string& state) {
  return {ec::in_use, fmt::format("run {} is already {}", run, state)};
}

/// What is shown only: the run is cancelled by what was stored before.
void set_cancelled(const std::filesystem::path& run, const std::string& why) {
  const auto stored = change_run_status(run, [&](run_status& status) {
    status.state = run_state::cancelled;
    if (!why.empty()) status.reason = single_line(why, reason_bytes_max);
  });
  if (!stored)
    spdlog::warn("run_status_unchanged run={} {}", run.filename().string(),
                 stored.error().message);
}

/// A run that failed, or never began, stays so in its status.
void show_cancelled(const std::filesystem::path& run, const std::string& why) {
  const auto before = read_run_status(run);
  if (before && before->state == run_state::interrupted)
    set_cancelled(run, why);
}

} // namespace

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
  if (is_only_stored(id)) return set_stored(words, id);
  const auto run = find(words);
  if (!run) return run.error();
  if ((*run)->state() == "finished") return already(id, "finished");
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

/// It gets its share when it is taken up.
result<nlohmann::ordered_json>
coordinator_service::set_stored(const arguments& words, const std::string& id) {
  const auto directory = run_directory::open(options_.runs_dir, id);
  if (!directory) return directory.error();
  if (is_finished(*directory)) return already(id, "finished");
  auto about = read_submission(*directory);
  if (!about) return about.error();
  if (auto ok = read_share(words, *about); !ok) return ok.error();
  if (auto ok = write_submission(*directory, *about); !ok) return ok.error();
  return nlohmann::ordered_json{
      {"id", id}, {"weight", about->weight}, {"priority", about->priority}};
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
  const auto why = word(words, "reason");
  if (is_only_stored(id)) return cancel_stored(id, why);
  const auto run = find(words);
  if (!run) return run.error();
  if (const auto state = (*run)->state();
      state == "interrupted" || state == "failed")
    return cancel_ended(**run, why);
  return cancel_run(**run, patience_for_an_end());
}

result<nlohmann::ordered_json>
coordinator_service::cancel_stored(const std::string& id,
                                   const std::string& why) {
  const auto directory = run_directory::open(options_.runs_dir, id);
  if (!directory) return directory.error();
  if (is_finished(*directory)) return already(id, "finished");
  auto about = read_submission(*directory);
  if (!about) return about.error();
  if (about->cancelled) {
    show_cancelled(directory->path(), why);
    return already(id, "cancelled");
  }
  if (auto ok = note_cancelled(*directory); !ok) return ok.error();
  if (groups_->has(about->group, id))
    groups_->set_state(about->group, id, "cancelled");
  show_cancelled(directory->path(), why);
  return nlohmann::ordered_json{{"id", id}, {"state", "cancelled"}};
}

result<nlohmann::ordered_json>
coordinator_service::cancel_ended(managed_run& run, const std::string& why) {
  if (auto ok = note_cancelled(run.directory()); !ok) return ok.error();
  run.cancel_ended();
  show_cancelled(run.directory().path(), why);
  return nlohmann::ordered_json{{"id", run.id()}, {"state", "cancelled"}};
}

bool coordinator_service::cancel_stopped(const std::string& id) {
  const auto held = runs_.find(id);
  if (held == runs_.end())
    return is_only_stored(id) && cancel_stored(id, {}).has_value();
  const auto state = held->second->state();
  return (state == "interrupted" || state == "failed")
         && cancel_ended(*held->second, {}).has_value();
}

/// It would be tried again at every start.
result<nlohmann::ordered_json>
coordinator_service::cancel_unreadable(const std::string& id) {
  const auto directory = run_directory::open(options_.runs_dir, id);
  if (!directory) return directory.error();
  const auto about = note_cancelled(*directory);
  if (!about) return about.error();
  if (!about->group.empty()) groups_->add(*about, *directory, "cancelled");
  runs_.erase(id);
  note_readable(id);
  return nlohmann::ordered_json{{"id", id}, {"state", "cancelled"}};
}

result<submission>
coordinator_service::note_cancelled(const run_directory& run) {
  auto about = read_submission(run);
  if (!about) return about.error();
  about->cancelled = true;
  if (auto ok = write_submission(run, *about); !ok) return ok.error();
  spdlog::info("run_cancelled run={}", run.id());
  return about;
}

result<nlohmann::ordered_json>
coordinator_service::cancel_run(managed_run& run,
                                std::chrono::steady_clock::time_point until) {
  const auto over_already = [&] { return already(run.id(), run.state()); };
  const auto before = read_submission(run.directory());
  const bool again = run.state() == "cancelled" && before && !before->cancelled;
  if (!run.running() && !again) return over_already();
  const auto stored = note_cancelled(run.directory());
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

result<void> coordinator_service::cancel_queued(const std::string& group,
                                                const std::string& run) {
  const auto directory = run_directory::open(options_.runs_dir, run);
  if (!directory) return directory.error();
  if (auto ok = note_cancelled(*directory); !ok) return ok.error();
  groups_->set_state(group, run, "cancelled");
  return {};
}

result<void> coordinator_service::cancel_held(const std::string& group,
                                              const std::string& run,
                                              const std::string& why) {
  if (auto ok = cancel_queued(group, run); !ok) return ok;
  if (const auto it = runs_.find(run); it != runs_.end())
    it->second->cancel_ended();
  set_cancelled(options_.runs_dir / run, why);
  return {};
}

} // namespace brewery
