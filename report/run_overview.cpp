#include "report/run_overview.hpp"

#include "base/statistics.hpp"
#include "cluster/ledger/memo_loader.hpp"
#include "config/load.hpp"
#include "messages/job_msgs.hpp"
#include "messages/memory/memory_record.hpp"
#include "messages/search_msgs.hpp"
#include "report/log_rows.hpp"
#include "report/memory_rounds.hpp"
#include "run/arms.hpp"
#include "run/evaluation/contribution.hpp"
#include "run/resume/stored_options.hpp"
#include "search/barrier.hpp"
#include "store/event_log.hpp"
#include "store/submission.hpp"

#include <algorithm>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace brewery {

namespace {

/// The time when the process that writes here took the lock; empty if nobody
/// has it. Checks for its exclusive lock with a short shared lock on the same
/// file. Writes nothing, and waits for nobody: a foreign run may have a pipe
/// there.
std::optional<std::int64_t> locked_ms(const std::filesystem::path& directory) {
  const int file =
      ::open((directory / "lock").c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  const bool is_locked = ::flock(file, LOCK_SH | LOCK_NB) != 0;
  struct stat about {};
  const bool known = is_locked && ::fstat(file, &about) == 0;
  ::close(file);
  if (!known) return std::nullopt;
  // Who takes the lock writes its name into the file.
  return about.st_mtim.tv_sec * std::int64_t{1000}
         + about.st_mtim.tv_nsec / 1'000'000;
}

/// Reads what the log contains so far about each search.
struct overview_reader {
  run_overview& out;
  std::uint32_t trials = 1;
  std::string published; ///< the search whose documents are
  /// Of that search.
  gathered_versions versions{};
  /// The last barrier of each search; side by side, they are not in order.
  std::map<std::string, std::uint32_t> last{};
  /// Late reports by barrier; the last value counts.
  std::map<std::string, std::size_t> late{};

  void add(const std::string& key, const gather_record& barrier) {
    const auto strategy = search_of(key);
    last[strategy] = barrier.iteration;
    // It ends with the hindmost search.
    out.iteration = std::ranges::min_element(last, {}, [](const auto& one) {
                      return one.second;
                    })->second;
    out.concepts = std::max(out.concepts, barrier.current.size());
    if (strategy == published) {
      versions.fold(barrier);
      out.reward = versions.mean_reward();
    }
    late[key] = barrier.late.size();
    out.late_reports = 0;
    for (const auto& [barrier_key, trees] : late)
      out.late_reports += trees;
  }

  void add(const std::string&, const evaluation_record& arm) {
    if (left_out_of(arm.name)) return; // no evaluation of all tasks
    std::optional<double> reward;
    if (std::ranges::any_of(arm.rewards,
                            [](const auto& task) { return !task.empty(); }))
      reward = mean_reward(arm.rewards);
    // A retry or an extension measures again; the last one counts.
    std::erase_if(out.arms,
                  [&](const auto& one) { return one.name == arm.name; });
    out.arms.push_back({arm.name, arm.split, arm.tasks.size(), reward,
                        count_unscored(arm.rewards, trials)});
  }
};

template <class Record>
result<void> add_row(overview_reader& out, const event_row& row) {
  const auto record = wire::decode<Record>(row.payload);
  if (!record) return record.error();
  out.add(row.key, *record);
  return {};
}

result<void> read_log(const run_directory& run, const config& options,
                      run_overview& out) {
  const auto log = event_log::open_for_reading(run.path());
  if (!log) return log.error();
  const auto& strategies = options.search.learned();
  overview_reader reader{out, options.eval.test_trials,
                         strategies.empty() ? "" : strategies.front()};
  memory_reader memory;
  memo_loader memo;
  std::vector<event_row> barriers;
  const auto visit = [&](const event_row& row) -> result<void> {
    out.events = row.seq;
    if (auto ok = memo.take(row.seq, row.kind, row.key, row.payload); !ok)
      return ok;
    if (row.kind == gather_record::type_name
        || row.kind == memory_record::type_name
        || row.kind == evaluation_record::type_name)
      barriers.push_back(row);
    if (row.kind == evaluation_record::type_name)
      return add_row<evaluation_record>(reader, row);
    return {};
  };
  const auto read = (*log)->for_each(visit, job_result::type_name);
  const auto holds = [&](const event_row& row) { // a retry takes some back
    return memo.decided_at(row.kind + "/" + row.key) == row.seq;
  };
  for (const auto& row : barriers) {
    if (!holds(row)) continue;
    auto ok = row.kind == gather_record::type_name
                  ? add_row<gather_record>(reader, row)
                  : memory.add(row);
    if (!ok) return ok;
  }
  if (!read) return read; // of what stands before it, that was known
  std::erase_if(out.arms, [&](const auto& arm) {
    return !still_holds(memo.known(), arm.name);
  });
  const auto rounds = memory.rounds(options, **log);
  if (!rounds) return rounds.error();
  if (*rounds) {
    out.iteration = (*rounds)->done;
    out.iterations = (*rounds)->planned;
  }
  return {};
}

} // namespace

namespace {

std::int64_t unix_ms(std::chrono::system_clock::time_point when) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             when.time_since_epoch())
      .count();
}

bool has_report(const run_directory& run) {
  std::error_code ignored;
  return std::filesystem::exists(run.report(), ignored);
}

/// Of a run of an older release, which has no status: as its files say.
run_status status_from_files(const run_directory& run) {
  run_status out;
  out.state = has_report(run) ? run_state::finished : run_state::interrupted;
  std::error_code failed;
  const auto made = std::filesystem::last_write_time(run.config(), failed);
  if (failed) return out;
  out.started_ms = out.session_ms =
      unix_ms(std::chrono::time_point_cast<std::chrono::system_clock::duration>(
          std::chrono::file_clock::to_sys(made)));
  out.seconds = seconds_until_last_event(run.path(), out);
  return out;
}

/// What the sessions took that `status.seconds` does not have yet. `locked_ms`
/// is empty if nobody executes the run.
double seconds_of_session(const run_directory& run, const run_status& status,
                          std::optional<std::int64_t> locked_ms,
                          std::chrono::system_clock::time_point now) {
  if (status.state != run_state::running) return 0;
  // Who holds the lock reads the log before it begins its own session.
  if (!locked_ms || *locked_ms > status.session_ms)
    return seconds_until_last_event(run.path(), status); // it was killed
  return static_cast<double>(
             std::max(unix_ms(now) - status.session_ms, std::int64_t{0}))
         / 1000;
}

result<void> read_status(const run_directory& run, run_overview& out,
                         std::chrono::system_clock::time_point now) {
  auto status = read_run_status(run.path());
  if (!status && status.error().code != ec::not_found) return status.error();
  if (!status) status = status_from_files(run);
  out.state = status->state;
  out.reason = status->reason;
  out.started_ms = status->started_ms;
  const auto locked = locked_ms(run.path());
  out.seconds = status->seconds + seconds_of_session(run, *status, locked, now);
  out.cost_usd = status->cost_usd;
  if (locked) {
    out.state = run_state::running;
    out.reason.clear(); // of the session before
  } else if (status->state == run_state::running
             || (status->state == run_state::finished && !has_report(run))) {
    // It was killed, or its failed jobs are to be tried again.
    out.state = run_state::interrupted;
  }
  return {};
}

/// The success of the documents that the run published.
void take_score(run_overview& run, const config& options) {
  const auto& strategies = options.search.learned();
  for (const auto& arm : run.arms) {
    if (strategies.empty() || arm.name != learned_arm(strategies.front()))
      continue;
    run.score = arm.reward;
    run.unscored_share = arm.unscored.share();
  }
}

} // namespace

bool was_killed(const run_directory& run, const run_overview& about) {
  if (about.state != run_state::interrupted) return false;
  const auto status = read_run_status(run.path());
  return !status || status->state == run_state::running;
}

run_overview overview_of(const run_directory& run,
                         std::chrono::system_clock::time_point now) {
  run_overview out;
  out.id = run.id();
  const auto ordered = read_submission(run);
  if (ordered) out.group = ordered->group;
  // Reads only the file: a run keeps the configuration of its start.
  const auto loaded =
      load_config({.file = std::filesystem::absolute(run.config()),
                   .overrides = {},
                   .environment = {},
                   .working_directory = std::filesystem::absolute(run.path()),
                   .stored = true});
  const auto whole =
      loaded.file_read ? check_whole(run, loaded) : loaded.problems.front();
  out.has_options = whole.has_value();
  if (whole) {
    out.iterations = loaded.value.search.iterations;
    out.seed = loaded.value.run.seed;
  }
  auto read = read_status(run, out, now);
  if (read) read = read_log(run, loaded.value, out);
  const bool waits = !read && ordered && read.error().code == ec::not_found
                     && !read_run_status(run.path());
  if (waits || (!read && !run.has_begun())) {
    out.state = ordered && ordered->cancelled ? run_state::cancelled
                                              : run_state::interrupted;
    out.reason = "it has not begun";
  } else if (!read) {
    out.state = run_state::unreadable;
    out.problem = read.error().message;
  } else if (!loaded.problems.empty()) {
    out.problem = loaded.problems.front().message;
  } else if (!whole) {
    out.problem = whole.error().message;
  }
  if (whole) take_score(out, loaded.value);
  return out;
}

} // namespace brewery
