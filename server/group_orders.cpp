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

constexpr std::size_t reason_bytes_max = 200;

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
  return write_submission(directory, about);
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

std::string
coordinator_service::group_that_queues(const std::string& run) const {
  if (runs_.contains(run)) return {};
  for (const auto& [group, members] : groups_->all())
    if (const auto found = members.find(run);
        found != members.end() && found->second == "queued")
      return group;
  return {};
}

result<void> coordinator_service::cancel_queued(const std::string& group,
                                                const std::string& run) {
  const auto directory = run_directory::open(options_.runs_dir, run);
  if (!directory) return directory.error();
  auto about = read_submission(*directory);
  if (!about) return about.error();
  about->cancelled = true;
  if (auto ok = write_submission(*directory, *about); !ok) return ok;
  groups_->set_state(group, run, "cancelled");
  return {};
}

std::string
coordinator_service::group_that_holds(const std::string& run) const {
  if (const auto it = runs_.find(run); it != runs_.end())
    return it->second->state() == "held" ? it->second->group() : "";
  for (const auto& [group, members] : groups_->all())
    if (const auto found = members.find(run);
        found != members.end() && found->second == "held")
      return group;
  return {};
}

result<void> coordinator_service::cancel_held(const std::string& group,
                                              const std::string& run,
                                              const std::string& why) {
  if (auto ok = cancel_queued(group, run); !ok) return ok;
  if (const auto it = runs_.find(run); it != runs_.end())
    it->second->cancel_held();
  // What it was held for ended as interrupted.
  const auto path = options_.runs_dir / run;
  const auto now = std::chrono::system_clock::now();
  const auto status = run_status_file::begin_session(path, now);
  if (!status) return status.error();
  return (*status)->end_session(now, [&](run_status& ended) {
    ended.state = run_state::cancelled;
    ended.reason = single_line(why, reason_bytes_max);
  });
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
  if (word(words, "hold_after").empty()) return {};
  return read_number(words, "hold_after", 0, 1e6, into.hold_after.emplace());
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
  if (auto ok = host_in_turn(directory); !ok) return ok.error();
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
      if (auto ok = note_cancelled(*run); !ok && stored) stored = ok;
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
    if (group_that_holds(id) == group && cancel_held(group, id, {}))
      ++cancelled;
  if (!stored)
    return error{stored.error().code,
                 fmt::format("the runs of group {} stop, but go on at the "
                             "coordinator's next start, as that cannot be "
                             "stored: {}; cancel it again when it can",
                             group, stored.error().message)};
  if (cancelled == 0)
    return error{
        ec::invalid_argument,
        fmt::format("no run of group {} is running, held or queued", group)};
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
  for (const auto& [id, before] : found->second) {
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
