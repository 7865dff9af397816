#include "report/log_repair.hpp"

#include "cluster/memo_loader.hpp"
#include "messages/search_msgs.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

/// Whether rows of this kind stand for themselves. All others are decisions,
/// and the later rest on the earlier.
bool is_about_one_job(std::string_view kind) {
  return kind == job_result::type_name || kind == verdict_event
         || kind == retry_event || kind == retry_result_event;
}

/// The number of the first decision that is lost; 0: none.
std::uint64_t first_lost_decision(const log_check& found) {
  for (const auto& row : found.damaged)
    if (!is_about_one_job(row.kind)) return row.seq;
  return 0;
}

} // namespace

std::string loss_of(const damaged_row& row) {
  if (row.kind == job_result::type_name)
    return fmt::format("the result of job {}: one job to redo", row.key);
  if (row.kind == verdict_event)
    return fmt::format("that job {} was given up: it is tried again", row.key);
  if (row.kind == retry_event || row.kind == retry_result_event)
    return fmt::format("the order to try job {} again", row.key);
  if (row.last > row.seq)
    return "rows that cannot be read at all: jobs to redo, or decisions; later "
           "decisions are made again";
  if (row.kind.empty())
    return "a row that cannot be read at all: one job to redo, or a decision; "
           "later decisions are made again";
  return fmt::format("the decision {} {}: it and later ones are made again",
                     row.kind, row.key);
}

result<salvaged_log> salvage_run(const run_directory& run) {
  salvaged_log out;
  std::error_code ignored;
  if (std::filesystem::exists(run.events(), ignored)) {
    auto found = check_log(run.path());
    if (!found) return found.error();
    out.found = std::move(*found);
    if (out.found.damaged.empty()) return out;
  }
  const auto lost = first_lost_decision(out.found);
  auto kept = salvage_log(run.path(), [&](const event_row& row) {
    if (lost == 0 || row.seq < lost || is_about_one_job(row.kind)) return true;
    ++out.decisions;
    return false;
  });
  if (!kept) return kept.error();
  out.kept = std::move(*kept);
  // The run is unfinished again.
  std::filesystem::remove(run.report(), ignored);
  return out;
}

} // namespace brewery
