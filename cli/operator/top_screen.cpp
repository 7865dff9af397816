#include "cli/operator/top_screen.hpp"

#include "base/json.hpp"
#include "base/printable.hpp"
#include "base/terminal_text.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace brewery {

namespace {

using page_rows = std::vector<std::vector<std::string>>;

std::string text(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return "-";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

std::uint64_t count(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number()
             ? found->get<std::uint64_t>()
             : 0;
}

/// Jobs of a run, or of all runs: those of each role added.
std::uint64_t jobs(const json& status, const std::string& run,
                   const char* which) {
  std::uint64_t out = 0;
  const auto loads = status.find("loads");
  if (loads == status.end()) return out;
  for (const auto& load : *loads)
    if (run.empty() || text(load, "run") == run) out += count(load, which);
  return out;
}

std::uint64_t done_by(const json& workers, const std::string& incarnation) {
  for (const auto& worker : workers)
    if (text(worker, "incarnation") == incarnation)
      return count(worker, "done");
  return 0;
}

struct clocked {
  const top_sample& now;
  const top_sample* before;

  [[nodiscard]] std::string rate(std::uint64_t then, std::uint64_t here) const {
    const auto seconds = before ? now.at_s - before->at_s : 0;
    // A run that has ended has no jobs in the table any more.
    if (seconds <= 0 || here < then) return "-";
    return fmt::format("{:.1f}", static_cast<double>(here - then) / seconds);
  }
  [[nodiscard]] std::string of_run(const std::string& run) const {
    return rate(before ? jobs(before->status, run, "done") : 0,
                jobs(now.status, run, "done"));
  }
  [[nodiscard]] std::string of_worker(const json& worker) const {
    return rate(before ? done_by(before->workers, text(worker, "incarnation"))
                       : 0,
                count(worker, "done"));
  }
};

/// Jobs that were played: the others were known to the run's log.
std::uint64_t played(const json& run) {
  const auto answered = count(run, "jobs_done");
  return answered - std::min(answered, count(run, "jobs_from_log"));
}

std::string progress(const json& run) {
  if (text(run, "state") == "finished") return "-"; // its phase is the last one
  const auto phase = text(run, "phase");
  if (phase != "expanding") return phase.empty() ? "-" : phase;
  return fmt::format("{}/{}, {}/{} trees", count(run, "iteration"),
                     count(run, "iterations"), count(run, "trees_reported"),
                     count(run, "trees"));
}

/// Text from outside in a cell: one line, and cut where the page is.
std::string cell(const std::string& text, std::size_t bytes_max,
                 const screen_size& size) {
  return single_line(text, size.columns == screen_size::unlimited
                               ? screen_size::unlimited
                               : bytes_max);
}

page_rows rows_of_runs(const clocked& at, const screen_size& size) {
  page_rows out{{"RUN", "STATE", "PRIO", "WGT", "QUEUE", "ACTIVE", "DONE",
                 "JOBS/S", "PROGRESS"}};
  for (const auto& run : at.now.status["runs"]) {
    const auto id = text(run, "id");
    out.push_back(
        {cell(id, 20, size), text(run, "state"), text(run, "priority"),
         run.contains("weight") ? fmt::format("{}", run["weight"].get<double>())
                                : "-",
         std::to_string(jobs(at.now.status, id, "queued")),
         std::to_string(jobs(at.now.status, id, "running")),
         std::to_string(played(run)), at.of_run(id), progress(run)});
  }
  return out;
}

page_rows rows_of_workers(const clocked& at, const screen_size& size) {
  page_rows out{{"WORKER", "STATE", "BUSY", "DONE", "FAILED", "JOBS/S", "TAGS",
                 "LAST ERROR"}};
  for (const auto& worker : at.now.workers) {
    std::vector<std::string> tags;
    if (worker.contains("tags"))
      tags = worker["tags"].get<std::vector<std::string>>();
    const auto trouble = cell(text(worker, "last_error"), 40, size);
    out.push_back(
        {cell(text(worker, "name"), 24, size), text(worker, "state"),
         fmt::format("{}/{}", count(worker, "busy"), count(worker, "slots")),
         std::to_string(count(worker, "done")),
         std::to_string(count(worker, "failed")), at.of_worker(worker),
         tags.empty() ? "-" : join(tags, ","),
         trouble.empty() ? "-" : trouble});
  }
  return out;
}

/// Busy workers and unfinished runs are what one looks for.
void first_those_at_work(page_rows& all, const std::string& state) {
  std::stable_sort(all.begin() + 1, all.end(),
                   [&](const auto& a, const auto& b) {
                     return (a[1] == state) > (b[1] == state);
                   });
}

/// At most `room` rows below the heading, and how many there are beyond.
void cut(page_rows& all, std::size_t room, std::string& rest,
         std::string_view what) {
  if (all.size() - 1 <= room) return;
  rest = fmt::format("and {}\n", counted(all.size() - 1 - room, what));
  all.resize(room + 1);
}

/// No line is broken: what is too long is cut.
std::string fitted(const std::string& page, std::size_t columns) {
  const auto safe = printable(page);
  std::string out;
  for (const auto line : split(safe, '\n')) {
    if (line.empty()) continue;
    out += first_characters(line, columns);
    out += '\n';
  }
  return out;
}

} // namespace

std::string top_screen(const top_sample& now,
                       const std::optional<top_sample>& before,
                       screen_size size) {
  const bool same =
      before && text(before->status, "epoch") == text(now.status, "epoch");
  const clocked at{now, same ? &*before : nullptr};
  std::size_t busy = 0;
  for (const auto& worker : now.workers)
    busy += count(worker, "busy");
  auto head = fmt::format(
      "{}, {} of {} busy | {} wait, {} run, {} given up | {} jobs/s\n",
      counted(now.workers.size(), "worker"), busy,
      counted(count(now.status, "slots"), "slot"),
      jobs(now.status, "", "queued"), jobs(now.status, "", "running"),
      now.status.contains("jobs") ? count(now.status["jobs"], "quarantined")
                                  : 0,
      at.of_run(""));
  auto runs = rows_of_runs(at, size);
  auto workers = rows_of_workers(at, size);
  first_those_at_work(runs, "running");
  first_those_at_work(workers, "busy");
  std::string more_runs, more_workers, waiting;
  constexpr std::size_t reasons_max = 4;
  if (now.status.contains("waiting"))
    for (const auto& why : now.status["waiting"])
      if (std::count(waiting.begin(), waiting.end(), '\n')
          < static_cast<std::ptrdiff_t>(reasons_max))
        waiting += why.get<std::string>() + '\n';
  if (size.lines > 0) {
    // Headings, the line above them, and two lines of what is not shown.
    const auto taken = 5
                       + static_cast<std::size_t>(
                           std::count(waiting.begin(), waiting.end(), '\n'));
    const auto room = size.lines > taken + 4 ? size.lines - taken : 4;
    cut(runs, std::max(room / 2, room - std::min(room, workers.size())),
        more_runs, "run");
    cut(workers, room - std::min(room - 1, runs.size() - 1), more_workers,
        "worker");
  }
  return fitted(head + table(runs) + more_runs + table(workers) + more_workers
                    + waiting,
                size.columns);
}

} // namespace brewery
