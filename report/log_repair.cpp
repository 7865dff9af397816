#include "report/log_repair.hpp"

#include "cluster/ledger/memo_loader.hpp"
#include "messages/search_msgs.hpp"
#include "store/log_exchange.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

bool is_retry(std::string_view kind) {
  return kind == retry_event || kind == retry_result_event;
}

/// Whether rows of this kind stand for themselves. All others are decisions,
/// and the later rest on the earlier.
bool is_about_one_job(std::string_view kind) {
  return kind == job_result::type_name || kind == verdict_event
         || is_retry(kind);
}

/// The number of the first decision that is lost; 0: none. Which result of a
/// job that was tried again counts, and which decisions still hold, follows
/// from the order of its rows: without one of them, decisions of before and
/// after would meet results of the other time.
std::uint64_t first_lost_decision(const log_check& found, bool has_retries) {
  for (const auto& row : found.damaged)
    if (has_retries || !is_about_one_job(row.kind)) return row.seq;
  return 0;
}

} // namespace

std::string loss_of(const damaged_row& row) {
  if (row.kind == job_result::type_name)
    return fmt::format("the result of job {}: one job to redo", row.key);
  if (row.kind == verdict_event)
    return fmt::format("that job {} was given up: it is tried again", row.key);
  if (is_retry(row.kind))
    return fmt::format("the order to try job {} again: its earlier result "
                       "counts; later decisions are made again",
                       row.key);
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
  bool has_retries = false;
  if (std::filesystem::exists(run.events(), ignored)) {
    auto found =
        check_log(run.path(), [&](const event_row& row) -> result<void> {
          has_retries = has_retries || is_retry(row.kind);
          return {};
        });
    if (!found) return found.error();
    out.found = std::move(*found);
    if (out.found.is_intact()) return out;
  } else if (!is_half_exchanged(run.path())) {
    return error{ec::not_found,
                 fmt::format("run {} has no events.db, so nothing of its log "
                             "can be salvaged: restore the file from a copy",
                             run.id())};
  }
  for (const auto& row : out.found.damaged) {
    has_retries = has_retries || is_retry(row.kind);
    if (!row.kind.empty() && !is_about_one_job(row.kind)) ++out.decisions;
  }
  const auto lost = first_lost_decision(out.found, has_retries);
  const auto keep = [&](const event_row& row) {
    if (lost == 0 || row.seq < lost || is_about_one_job(row.kind)) return true;
    ++out.decisions;
    return false;
  };
  auto kept = salvage_log(
      run.path(), keep,
      {.vfs = {}, .before_move = [&](const auto&) { return run.reopen(); }});
  if (!kept) return kept.error();
  out.kept = std::move(*kept);
  return out;
}

} // namespace brewery
