/// The orders that let a run go on: resume, retry.

#include "config/print.hpp"
#include "messages/json.hpp"
#include "run/resume/stored_options.hpp"
#include "server/coordinator_service.hpp"
#include "server/managed_run.hpp"
#include "server/order_words.hpp"
#include "store/files.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace brewery {

namespace {

/// Options of the order, each "section.key=value"; there may be none.
result<std::vector<std::string>> read_overrides(const std::string& text) {
  std::vector<std::string> out;
  if (text.empty()) return out;
  const auto list = json::parse(text, nullptr, false);
  const auto wrong =
      error{ec::invalid_argument, "set: expected a list of texts as JSON"};
  if (!list.is_array()) return wrong;
  for (const auto& one : list) {
    if (!one.is_string()) return wrong;
    out.push_back(one.get<std::string>());
  }
  return out;
}

/// Other options that results do not depend on are this coordinator's own, or
/// of processes that are not this one.
result<void> may_be_set(const loaded_config& now) {
  for (const auto& [key, origin] : now.origins)
    if (origin == "--set" && !key.starts_with("budget.")
        && !key.ends_with(".max_tokens"))
      return error{ec::invalid_argument,
                   fmt::format("--set {}: of a coordinator's run only budget.* "
                               "and max_tokens of a role can be changed",
                               key)};
  return {};
}

/// What was ordered of the run; nothing if it was submitted to no coordinator.
/// What cannot be read is not nothing: the run would lose its group and share.
result<std::optional<submission>> ordered_of(const run_directory& directory) {
  auto read = read_submission(directory);
  if (read) return std::optional{std::move(*read)};
  if (read.error().code == ec::not_found) return std::optional<submission>{};
  return error{read.error().code,
               fmt::format("{}; mend it, or remove it: the run then goes on in "
                           "no group, with the usual weight",
                           read.error().message)};
}

/// Without a submission the next start does not resume it.
result<void> restore_order(const run_directory& directory,
                           const std::optional<submission>& before) {
  if (before) return write_submission(directory, *before);
  const auto file = directory.path() / "submission.json";
  std::error_code failed;
  std::filesystem::remove(file, failed);
  if (!failed) return {};
  return error{ec::io, fmt::format("{}: {}", file.string(), failed.message())};
}

} // namespace

result<nlohmann::ordered_json>
coordinator_service::resume(const arguments& words) {
  const auto directory =
      run_directory::open(options_.runs_dir, word(words, "id"));
  if (!directory) return directory.error();
  const auto id = directory->id();
  if (const auto it = runs_.find(id);
      it != runs_.end() && it->second->running())
    return error{ec::in_use, "run " + id + " is running"};
  if (const auto group = group_that_queues(id); !group.empty())
    return is_queued(id, group);
  const auto overrides = read_overrides(word(words, "set"));
  if (!overrides) return overrides.error();
  auto changed = nlohmann::ordered_json::array();
  if (overrides->empty()) {
    if (auto ok = host_again(*directory); !ok) return ok.error();
  } else {
    const auto before = stored_options(*directory);
    if (!before) return before.error();
    const auto now = stored_options(*directory, *overrides);
    if (!now) return now.error();
    if (!now->problems.empty()) return now->problems.front();
    if (auto ok = may_be_set(*now); !ok) return ok.error();
    // Its sweep would set them back.
    if (const auto about = read_submission(*directory);
        about && !about->group.empty())
      return error{ec::invalid_argument,
                   fmt::format("run {} is of group {}: change the options in "
                               "the file of its sweep, and call it again",
                               id, about->group)};
    if (auto ok = host_again_with(*directory, before->value, now->value); !ok)
      return ok.error();
    for (const auto& one : changes(before->value, *now)) {
      changed.push_back(
          {{"option", one.key}, {"from", one.was}, {"to", one.is}});
      spdlog::info("option_changed run={} {}: {} -> {}", id, one.key, one.was,
                   one.is);
    }
  }
  return nlohmann::ordered_json{
      {"id", id}, {"state", "running"}, {"changed", std::move(changed)}};
}

/// For good: a restart of the coordinator goes on with them too.
result<void>
coordinator_service::host_again_with(const run_directory& directory,
                                     const config& before, const config& now) {
  auto ok = write_file_atomically(directory.config(), to_toml(now));
  if (ok) ok = host_again(directory);
  if (ok) return ok;
  if (auto back = write_file_atomically(directory.config(), to_toml(before));
      !back)
    spdlog::error("run_not_resumed run={} reason=\"{}\"", directory.id(),
                  back.error().message);
  return ok;
}

/// If it cannot, the run stays what it was, also after the next start of the
/// coordinator.
result<void> coordinator_service::host_again(const run_directory& directory) {
  const auto about = ordered_of(directory);
  if (!about) return about.error();
  auto wanted = about->value_or(submission{});
  wanted.cancelled = false;
  auto before = runs_.extract(directory.id());
  auto ok = write_submission(directory, wanted);
  if (ok) ok = host(directory);
  if (ok) return ok;
  if (auto back = restore_order(directory, *about); !back)
    spdlog::error("run_not_resumed run={} reason=\"{}\"", directory.id(),
                  back.error().message);
  if (before) runs_.insert(std::move(before));
  return ok;
}

/// It has to end before its log is written. One that does not yet is stopping
/// when this is refused.
result<void> coordinator_service::end_for_retry(managed_run& run) {
  run.abandon();
  if (run.ends_until(patience_for_an_end())) return {};
  return error{ec::in_use,
               fmt::format("run {0} stops first, and still has calls of models "
                           "under way: once `brewery status` shows it as "
                           "cancelled, retry again, or continue it with "
                           "`brewery submit --resume {0}`",
                           run.id())};
}

/// Decisions made after the job was given up are made again. All other results
/// are kept.
result<nlohmann::ordered_json>
coordinator_service::retry(const arguments& words) {
  const auto found = find(words);
  if (!found) return found.error();
  const auto directory = (*found)->directory();
  const auto job = word(words, "job");
  const auto has_failed = [&](const failed_jobs& all) {
    return job.empty() ? !all.empty() : all.contains({job});
  };
  // A run with nothing to retry is not touched. What is in hand can be newer
  // than the log; the log knows more if the run did not get to read it.
  if (!has_failed((*found)->failed())) {
    const auto logged = can_retry(directory, job);
    if (!logged) return logged.error();
    if (!*logged) return nothing_to_retry(directory, job);
  }
  if (const auto about = ordered_of(directory); !about) return about.error();
  if (auto ok = still_fits(directory); !ok) return ok.error();
  if (auto ok = end_for_retry(**found); !ok) return ok.error();
  const auto count = retry_failed(directory, job);
  // The run resumes even if nothing could be retried.
  if (auto ok = host_again(directory); !ok) return ok.error();
  if (!count) return count.error();
  return nlohmann::ordered_json{{"id", directory.id()}, {"jobs", *count}};
}

} // namespace brewery
