#include "store/run_status.hpp"

#include "base/file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace brewery {

namespace {

namespace fs = std::filesystem;

fs::path status_path(const fs::path& run) {
  return run / "status.json";
}

result<run_state> state_named(const std::string& name, const fs::path& file) {
  constexpr std::array all{run_state::running, run_state::interrupted,
                           run_state::failed, run_state::finished};
  for (const auto state : all)
    if (to_string(state) == name) return state;
  return error{ec::corrupt, file.string() + ": \"" + name
                                + "\" is not a state of a run; delete the file "
                                  "to make it again"};
}

result<void> write_status(const fs::path& run, const run_status& status) {
  const bool cancelled = status.state == run_state::cancelled;
  // Older releases refuse a state that they do not know.
  const auto state = cancelled ? run_state::interrupted : status.state;
  nlohmann::ordered_json text{
      {"state", to_string(state)},         {"reason", status.reason},
      {"started_ms", status.started_ms},   {"session_ms", status.session_ms},
      {"seconds", status.seconds},         {"rollouts", status.rollouts},
      {"failed_jobs", status.failed_jobs}, {"workers", status.workers},
      {"cost_usd", status.cost_usd}};
  if (cancelled) text["cancelled"] = true;
  if (status.spent) text["spent"] = true;
  return write_file_atomically(
      status_path(run),
      text.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
          + '\n');
}

std::int64_t unix_ms(run_status_file::time_point when) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             when.time_since_epoch())
      .count();
}

double seconds_between(std::int64_t from_ms, std::int64_t to_ms) {
  return static_cast<double>(std::max(to_ms - from_ms, std::int64_t{0})) / 1000;
}

} // namespace

std::string_view to_string(run_state state) {
  switch (state) {
  case run_state::running:
    return "running";
  case run_state::interrupted:
    return "interrupted";
  case run_state::cancelled:
    return "cancelled";
  case run_state::failed:
    return "failed";
  case run_state::finished:
    return "finished";
  case run_state::unreadable:
    return "unreadable";
  }
  return "";
}

result<run_status> read_run_status(const fs::path& run) {
  const auto file = status_path(run);
  const auto text = read_plain_file(file);
  if (!text) return text.error();
  const auto read = nlohmann::json::parse(*text, nullptr, false);
  if (!read.is_object())
    return error{ec::corrupt, file.string()
                                  + " is not a JSON object; delete it to make "
                                    "it again"};
  run_status out;
  try {
    const auto state = state_named(read.value("state", ""), file);
    if (!state) return state.error();
    out.state = *state;
    if (*state == run_state::interrupted && read.value("cancelled", false))
      out.state = run_state::cancelled;
    out.reason = read.value("reason", out.reason);
    out.started_ms = read.value("started_ms", out.started_ms);
    out.session_ms = read.value("session_ms", out.session_ms);
    out.seconds = read.value("seconds", out.seconds);
    out.rollouts = read.value("rollouts", out.rollouts);
    out.failed_jobs = read.value("failed_jobs", out.failed_jobs);
    out.workers = read.value("workers", out.workers);
    out.cost_usd = read.value("cost_usd", out.cost_usd);
    out.spent = read.value("spent", out.spent);
  } catch (const nlohmann::json::exception&) {
    return error{ec::corrupt, file.string()
                                  + ": a member has the wrong type; delete the "
                                    "file to make it again"};
  }
  return out;
}

double seconds_until_last_event(const fs::path& run, const run_status& status) {
  // Written after each commit, also of a process that was killed later.
  std::error_code failed;
  const auto last = fs::last_write_time(run / "events.ack", failed);
  if (failed) return 0;
  return seconds_between(
      status.session_ms,
      unix_ms(
          std::chrono::time_point_cast<run_status_file::time_point::duration>(
              std::chrono::file_clock::to_sys(last))));
}

result<std::shared_ptr<run_status_file>>
run_status_file::begin_session(const fs::path& run, time_point now) {
  run_status status;
  auto before = read_run_status(run);
  if (!before && before.error().code != ec::not_found) return before.error();
  if (before) {
    status = std::move(*before);
    if (status.state == run_state::running)
      status.seconds += seconds_until_last_event(run, status);
  } else {
    status.started_ms = unix_ms(now);
  }
  status.state = run_state::running;
  status.reason.clear();
  status.spent = false;
  status.session_ms = unix_ms(now);
  if (auto ok = write_status(run, status); !ok) return ok.error();
  return std::shared_ptr<run_status_file>{
      new run_status_file{run, std::move(status)}};
}

result<void> change_run_status(const fs::path& run,
                               const std::function<void(run_status&)>& change) {
  auto status = read_run_status(run);
  if (!status && status.error().code != ec::not_found) return status.error();
  if (!status) status = run_status{};
  change(*status);
  return write_status(run, *status);
}

run_status run_status_file::status() const {
  const std::lock_guard lock{mutex_};
  return status_;
}

double run_status_file::seconds(time_point now) const {
  const std::lock_guard lock{mutex_};
  if (status_.state != run_state::running) return status_.seconds;
  return status_.seconds + seconds_between(status_.session_ms, unix_ms(now));
}

std::uint64_t run_status_file::note_progress(std::uint64_t rollouts,
                                             std::optional<double> cost_usd) {
  const std::lock_guard lock{mutex_};
  auto more = status_;
  more.rollouts = std::max(more.rollouts, rollouts);
  more.cost_usd = cost_usd.value_or(more.cost_usd);
  const bool is_news =
      more.rollouts != status_.rollouts || more.cost_usd != status_.cost_usd;
  // What cannot be stored is not shown.
  if (is_news && write_status(run_, more)) {
    status_ = std::move(more);
    stored_rollouts_ = status_.rollouts;
  }
  return status_.rollouts;
}

result<void>
run_status_file::end_session(time_point now,
                             const std::function<void(run_status&)>& change) {
  const auto spent = seconds(now);
  const std::lock_guard lock{mutex_};
  status_.seconds = spent;
  change(status_);
  return write_status(run_, status_);
}

} // namespace brewery
