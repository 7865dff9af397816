/// The orders about groups of runs.

#include "base/file.hpp"
#include "base/printable.hpp"
#include "config/print.hpp"
#include "server/coordinator_service.hpp"
#include "server/managed_run.hpp"
#include "server/order_words.hpp"
#include "store/run_status.hpp"
#include "sweep/rung_reward.hpp"
#include "sweep/sweep_folder.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <vector>

namespace brewery {

namespace {

error unknown_group(const std::string& group) {
  return {ec::not_found, fmt::format("this coordinator has no run of group {}",
                                     json_quoted(group))};
}

/// Without its report it is not taken for finished, whatever else is there.
result<void> reopen(const run_directory& directory, const std::string& options,
                    submission about) {
  if (auto ok = directory.reopen(); !ok) return ok;
  if (auto ok = write_file_atomically(directory.config(), options); !ok)
    return ok.error();
  about.cancelled = false;
  if (auto ok = write_submission(directory, about); !ok) return ok;
  if (!read_run_status(directory.path())) return {}; // it had not begun
  // A coordinator that starts anew before its turn goes on with it.
  return change_run_status(directory.path(),
                           [](run_status& status) { status.spent = false; });
}

} // namespace

result<nlohmann::ordered_json>
coordinator_service::reward(const arguments& words) const {
  std::uint32_t iteration = 0;
  if (auto ok = read_number(words, "iteration", 0, 1e6, iteration); !ok)
    return ok.error();
  const nlohmann::ordered_json not_there{{"reached", false}};
  const auto directory =
      run_directory::open(options_.runs_dir, word(words, "id"));
  if (!directory) return not_there;
  const auto options = options_of(*directory);
  if (!options) return options.error();
  if (options->search.strategies.empty()) return not_there;
  const auto found = reward_at(directory->path(),
                               options->search.strategies.front(), iteration);
  if (!found) return not_there;
  nlohmann::ordered_json out{{"reached", true}, {"reward", nullptr}};
  if (found->reward) out["reward"] = *found->reward;
  return out;
}

result<void> coordinator_service::read_group(const arguments& words,
                                             submission& into) const {
  into.group = word(words, "group");
  if (into.group.empty()) return {};
  if (!run_directory::can_be_id(into.group))
    return error{ec::invalid_argument,
                 fmt::format("'{}' cannot be the name of a group: use 1 to 64 "
                             "letters, digits, '.', '_' or '-', starting with "
                             "a letter or digit",
                             printable(into.group))};
  if (groups_->all().contains(into.group)) {
    const auto limit = groups_->budget(into.group).limit();
    into.group_max_cost_usd = limit.max_cost_usd;
    into.group_max_hours = limit.max_hours;
    into.group_at_once = groups_->at_once(into.group);
  }
  if (auto ok = read_number(words, "group_at_once", 0, 1e6, into.group_at_once);
      !ok)
    return ok;
  if (auto ok = read_number(words, "group_max_cost_usd", 0, 1e9,
                            into.group_max_cost_usd);
      !ok)
    return ok;
  if (auto ok =
          read_number(words, "group_max_hours", 0, 1e6, into.group_max_hours);
      !ok)
    return ok;
  if (!word(words, "group_point").empty())
    if (auto ok = read_number(words, "group_point", 0, 1e6,
                              into.group_point.emplace());
        !ok)
      return ok;
  if (word(words, "hold_after").empty()) return {};
  return read_number(words, "hold_after", 0, 1e6, into.hold_after.emplace());
}

/// One that is refused must not begin later all the same.
result<void>
coordinator_service::host_reopened(const run_directory& directory) {
  note_readable(directory.id()); // or its turn would show what was wrong before
  auto ok = host_in_turn(directory);
  if (ok) return ok;
  if (ok.error().code != ec::disk_full) {
    set_unreadable(directory, ok.error());
    return ok;
  }
  wait_for_space(directory.id(), ok.error());
  return {};
}

result<nlohmann::ordered_json>
coordinator_service::submit_again(const run_directory& directory,
                                  const submission& wanted,
                                  const config& options) {
  auto about = read_submission(directory);
  if (!about && about.error().code != ec::not_found) return about.error();
  if (!about || about->group != wanted.group)
    return error{ec::already_exists,
                 fmt::format("run {} is there already, and not of group {}",
                             directory.id(), wanted.group)};
  if (wanted.group_point) about->group_point = wanted.group_point;
  about->group_max_cost_usd = wanted.group_max_cost_usd;
  about->group_max_hours = wanted.group_max_hours;
  about->group_at_once = wanted.group_at_once;
  const auto it = runs_.find(directory.id());
  const bool running = it != runs_.end() && it->second->running();
  if (running && it->second->state() == "stopping")
    return error{ec::in_use,
                 fmt::format("run {} is stopping: try again when it has ended",
                             directory.id())};
  // One that runs is held where it was to be.
  if (!running) about->hold_after = wanted.hold_after;
  if (auto ok = can_go_on_in(options_.runs_dir, directory.id(), options); !ok)
    return ok.error();
  const nlohmann::ordered_json answer{{"id", directory.id()},
                                      {"directory", directory.path().string()},
                                      {"known", true}};
  const auto text = to_toml(options);
  const auto stored = read_file(directory.config());
  if (!stored) return stored.error();
  const bool finished = !running && is_finished(directory);
  const bool queued = group_that_queues(directory.id()) == wanted.group;
  if (*stored == text && (running || finished || queued)) {
    if (auto ok = write_submission(directory, *about); !ok) return ok.error();
    groups_->add(*about, directory,
                 queued     ? "queued"
                 : finished ? "finished"
                            : "");
    if (queued) host_queued(wanted.group);
    return answer;
  }
  if (running)
    return error{ec::in_use,
                 fmt::format("run {} is running with other options: change "
                             "them when it has ended",
                             directory.id())};
  if (it != runs_.end()) runs_.erase(it);
  // Before its report and its options are gone.
  if (const auto log = log_of(directory); !log) return log.error();
  if (auto ok = reopen(directory, text, *about); !ok) return ok.error();
  if (auto ok = host_reopened(directory); !ok) return ok.error();
  spdlog::info("run_continued run={} group={}", directory.id(), wanted.group);
  return answer;
}

result<nlohmann::ordered_json>
coordinator_service::cancel_group(const std::string& group) {
  if (!groups_->all().contains(group)) return unknown_group(group);
  std::size_t cancelled = 0;
  // Before the others end, and make room for these.
  for (const auto& [id, state] : groups_->all().at(group))
    if (group_that_queues(id) == group && cancel_queued(group, id)) ++cancelled;
  // All before any is waited for: the others would begin calls meanwhile.
  std::vector<std::string> told;
  result<void> stored;
  for (const auto& [id, run] : runs_)
    // Who ended meanwhile needs no cancelling.
    if (run->group() == group && run->running()) {
      if (auto ok = note_cancelled(run->directory()); !ok && stored)
        stored = ok.error();
      run->cancel();
      told.push_back(id);
    }
  const auto until = patience_for_an_end();
  for (const auto& id : told) {
    auto& run = *runs_.at(id);
    if (cancel_run(run, until) || run.state() == "cancelled") ++cancelled;
  }
  // After the others: one of them may have come to its rung meanwhile.
  for (const auto& [id, state] : groups_->all().at(group))
    if (group_that_holds(id) == group ? bool{cancel_held(group, id, {})}
                                      : cancel_stopped(id))
      ++cancelled;
  if (!stored)
    return error{stored.error().code,
                 fmt::format("the runs of group {} stop, but go on at the "
                             "coordinator's next start, as that cannot be "
                             "stored: {}; cancel it again when it can",
                             group, stored.error().message)};
  if (cancelled == 0)
    return error{
        ec::in_use,
        fmt::format("no run of group {} is running, held, queued or stopped",
                    group)};
  return nlohmann::ordered_json{{"group", group}, {"cancelled", cancelled}};
}

nlohmann::ordered_json coordinator_service::groups() const {
  auto out = nlohmann::ordered_json::array();
  for (const auto& [group, members] : groups_->all()) {
    std::map<std::string, std::size_t> states;
    for (const auto& [id, before] : members) {
      const auto held = runs_.find(id);
      ++states[held == runs_.end() ? before : held->second->state()];
    }
    out.push_back(
        {{"name", group},
         {"rollouts_shared", groups_->rollouts_shared(group)},
         {"cost_usd", groups_->budget(group).cost_usd()},
         {"max_cost_usd", groups_->budget(group).limit().max_cost_usd},
         {"runs", states}});
  }
  return out;
}

result<nlohmann::ordered_json>
coordinator_service::group(const arguments& words) const {
  const auto name = word(words, "name");
  const auto found = groups_->all().find(name);
  if (found == groups_->all().end()) return unknown_group(name);
  auto runs = nlohmann::ordered_json::array();
  const auto damaged = unreadable();
  // Whoever fetches them has the points in this order.
  for (const auto& id : groups_->in_order(name)) {
    const auto& before = found->second.at(id);
    if (const auto why = damaged.find(id); why != damaged.end()) {
      const auto status = read_run_status(options_.runs_dir / id);
      runs.push_back({{"id", id},
                      {"state", "unreadable"},
                      {"rollouts", status ? status->rollouts : 0},
                      {"error", why->second}});
    } else if (const auto held = runs_.find(id); held != runs_.end()) {
      runs.push_back(held->second->as_json());
    } else {
      const auto status = read_run_status(options_.runs_dir / id);
      runs.push_back({{"id", id},
                      {"state", before},
                      {"rollouts", status ? status->rollouts : 0}});
      if (before == "interrupted" && status && !status->reason.empty())
        runs.back()["error"] = status->reason;
    }
  }
  nlohmann::ordered_json out{
      {"name", name},
      {"rollouts_shared", groups_->rollouts_shared(name)},
      {"runs", std::move(runs)}};
  if (const auto over = groups_->budget(name).over(group_budget::clock::now()))
    out["over_budget"] = over->message;
  return out;
}

} // namespace brewery
