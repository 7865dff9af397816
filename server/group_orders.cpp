/// The orders about groups of runs.

#include "base/file.hpp"
#include "config/print.hpp"
#include "server/coordinator_service.hpp"
#include "server/managed_run.hpp"
#include "server/order_words.hpp"
#include "store/run_status.hpp"
#include "sweep/sweep_folder.hpp"

#include <spdlog/spdlog.h>

#include <set>

namespace brewery {

namespace {

error unknown_group(const std::string& group) {
  return {ec::not_found, fmt::format("this coordinator has no run of group {}",
                                     json_quoted(group))};
}

/// Without its report it is not taken for finished, whatever else is there.
result<void> reopen(const run_directory& directory, const std::string& options,
                    submission about) {
  std::error_code failed;
  std::filesystem::remove(directory.report(), failed);
  if (failed)
    return error{ec::io, fmt::format("{}: {}", directory.report().string(),
                                     failed.message())};
  if (auto ok = write_file_atomically(directory.config(), options); !ok)
    return ok.error();
  about.cancelled = false;
  return write_submission(directory, about);
}

} // namespace

job_share_actor coordinator_service::share_of(const std::string& group) {
  std::set<std::string> under_way{group};
  for (const auto& [id, run] : runs_)
    if (run->running()) under_way.insert(run->group());
  groups_->keep_only(under_way);
  return groups_->share_of(group);
}

result<void> coordinator_service::read_group(const arguments& words,
                                             submission& into) const {
  into.group = word(words, "group");
  if (into.group.empty()) return {};
  if (auto ok = run_directory::can_be_id(into.group); !ok) return ok;
  if (groups_->all().contains(into.group)) {
    const auto limit = groups_->budget(into.group).limit();
    into.group_max_cost_usd = limit.max_cost_usd;
    into.group_max_hours = limit.max_hours;
  }
  if (auto ok = read_number(words, "group_max_cost_usd", 0, 1e9,
                            into.group_max_cost_usd);
      !ok)
    return ok;
  return read_number(words, "group_max_hours", 0, 1e6, into.group_max_hours);
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
  if (auto ok = can_go_on_in(options_.runs_dir, directory.id(), options); !ok)
    return ok.error();
  const nlohmann::ordered_json answer{{"id", directory.id()},
                                      {"directory", directory.path().string()},
                                      {"known", true}};
  const auto text = to_toml(options);
  const auto stored = read_file(directory.config());
  if (!stored) return stored.error();
  const auto it = runs_.find(directory.id());
  const bool running = it != runs_.end() && it->second->running();
  std::error_code ignored;
  const bool finished = std::filesystem::exists(directory.report(), ignored);
  if (*stored == text && (running || finished)) {
    groups_->budget(wanted.group)
        .set_limit({wanted.group_max_cost_usd, wanted.group_max_hours});
    if (auto ok = write_submission(directory, *about); !ok) return ok.error();
    return answer;
  }
  if (running)
    return error{ec::in_use,
                 fmt::format("run {} is running with other options: change "
                             "them when it has ended",
                             directory.id())};
  if (it != runs_.end()) runs_.erase(it);
  if (auto ok = reopen(directory, text, *about); !ok) return ok.error();
  if (auto ok = host(directory); !ok) return ok.error();
  spdlog::info("run_continued run={} group={}", directory.id(), wanted.group);
  return answer;
}

result<nlohmann::ordered_json>
coordinator_service::cancel_group(const std::string& group) {
  if (!groups_->all().contains(group)) return unknown_group(group);
  std::size_t cancelled = 0;
  for (const auto& [id, run] : runs_)
    // Who ended meanwhile needs no cancelling.
    if (run->group() == group && run->running() && cancel_run(*run))
      ++cancelled;
  if (cancelled == 0)
    return error{ec::invalid_argument,
                 fmt::format("no run of group {} is running", group)};
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
      runs.push_back({{"id", id},
                      {"state", "unreadable"},
                      {"rollouts", 0},
                      {"error", why->second}});
    } else if (const auto held = runs_.find(id); held != runs_.end()) {
      runs.push_back(held->second->as_json());
    } else {
      const auto status = read_run_status(options_.runs_dir / id);
      runs.push_back({{"id", id},
                      {"state", before},
                      {"rollouts", status ? status->rollouts : 0}});
    }
  }
  return nlohmann::ordered_json{
      {"name", name},
      {"rollouts_shared", groups_->rollouts_shared(name)},
      {"runs", std::move(runs)}};
}

} // namespace brewery
