#include "report/run_overview.hpp"

#include "config/load.hpp"
#include "messages/search_msgs.hpp"
#include "messages/wire/codec.hpp"
#include "search/barrier.hpp"
#include "store/event_log.hpp"

#include <fcntl.h>
#include <numeric>
#include <sys/file.h>
#include <unistd.h>

namespace brewery {

namespace {

/// Checks for the writer's exclusive lock with a short shared lock on the same
/// file. Writes nothing.
bool in_use(const std::filesystem::path& directory) {
  const int file = ::open((directory / "lock").c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool is_locked = ::flock(file, LOCK_SH | LOCK_NB) != 0;
  ::close(file);
  return is_locked;
}

double mean(const std::vector<double>& values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0)
         / static_cast<double>(values.size());
}

/// Reads what the log contains so far about each search.
struct overview_reader {
  run_overview& out;
  gathered_versions versions{};
  /// Late reports by barrier; the last value counts.
  std::map<std::string, std::size_t> late{};

  void add(const std::string& key, const gather_record& barrier) {
    if (barrier.iteration == 0) versions = {}; // the next search begins
    versions.fold(barrier);
    out.iteration = barrier.iteration;
    out.concepts = barrier.current.size();
    out.reward = versions.mean_reward();
    late[key] = barrier.late.size();
    out.late_reports = 0;
    for (const auto& [barrier_key, trees] : late)
      out.late_reports += trees;
  }

  void add(const std::string&, const evaluation_record& arm) {
    std::vector<double> by_task;
    for (const auto& trials : arm.rewards)
      by_task.push_back(mean(trials));
    out.arms.push_back({arm.name, arm.split, arm.tasks.size(), mean(by_task)});
  }
};

template <class Record>
result<void> add_row(overview_reader& out, const event_row& row) {
  const auto record = wire::decode<Record>(row.payload);
  if (!record) return record.error();
  out.add(row.key, *record);
  return {};
}

result<void> read_log(const run_directory& run, run_overview& out) {
  const auto log = event_log::open_for_reading(run.path());
  if (!log) return log.error();
  overview_reader reader{out};
  return (*log)->for_each([&](const event_row& row) -> result<void> {
    out.events = row.seq;
    if (row.kind == gather_record::type_name)
      return add_row<gather_record>(reader, row);
    if (row.kind == evaluation_record::type_name)
      return add_row<evaluation_record>(reader, row);
    return {};
  });
}

} // namespace

std::string_view to_string(run_state state) {
  switch (state) {
  case run_state::running:
    return "running";
  case run_state::interrupted:
    return "interrupted";
  case run_state::finished:
    return "finished";
  case run_state::unreadable:
    return "unreadable";
  }
  return "";
}

run_overview overview_of(const run_directory& run) {
  run_overview out;
  out.id = run.id();
  // Reads only the file: a run keeps the configuration of its start.
  const auto loaded =
      load_config({.file = std::filesystem::absolute(run.config()),
                   .overrides = {},
                   .environment = {},
                   .working_directory = run.path()});
  out.iterations = loaded.value.search.iterations;
  std::error_code ignored;
  if (in_use(run.path()))
    out.state = run_state::running;
  else if (std::filesystem::exists(run.report(), ignored))
    out.state = run_state::finished;
  if (const auto read = read_log(run, out); !read) {
    out.state = run_state::unreadable;
    out.problem = read.error().message;
  } else if (!loaded.problems.empty()) {
    out.problem = loaded.problems.front().message;
  }
  return out;
}

} // namespace brewery
