#include "web/run_pages.hpp"

#include "messages/wire/codec.hpp"
#include "report/arm_rollouts.hpp"
#include "report/log_history.hpp"
#include "report/log_rows.hpp"
#include "report/run_overview_json.hpp"
#include "search/barrier.hpp"
#include "web/live/why_waits.hpp"

#include <algorithm>

namespace brewery::web {

namespace {

/// A search has at most some hundred iterations; more are not drawn.
constexpr std::size_t progress_max = 2000;

result<json> progress_of(const run_directory& run) {
  const auto log = event_log::open_for_reading(run.path());
  if (!log) return log.error();
  std::vector<event_row> barriers;
  log_history history;
  const auto read = (*log)->for_each(
      [&](const event_row& row) -> result<void> {
        history.take(row);
        if (row.kind == gather_record::type_name) barriers.push_back(row);
        return {};
      },
      log_history::results);
  if (!read) return read.error();
  std::erase_if(barriers,
                [&](const event_row& row) { return !history.holds(row); });
  barriers.resize(std::min(barriers.size(), progress_max));
  std::map<std::string, gathered_versions> searches;
  auto out = json::array();
  for (const auto& row : barriers) {
    const auto closed = wire::decode<gather_record>(row.payload);
    if (!closed) return closed.error();
    const auto strategy = search_of(row.key);
    auto& versions = searches[strategy];
    versions.fold(*closed);
    json step{{"strategy", strategy}, {"iteration", closed->iteration}};
    if (const auto reward = versions.mean_reward()) step["reward"] = *reward;
    step["event"] = row.seq;
    out.push_back(std::move(step));
  }
  return out;
}

} // namespace

result<json> runs_json(run_shelf& shelf, const page& asked) {
  const auto runs = shelf.list();
  if (!runs) return runs.error();
  const auto now = std::chrono::system_clock::now();
  json out{{"runs_dir", shelf.root().string()}};
  waiting_reasons waiting{*runs};
  add_page(out, asked, runs->size(), [&](std::size_t i) {
    auto about = overview_json(shelf.overview((*runs)[i], now));
    waiting.add(about, (*runs)[i]);
    return about;
  });
  return out;
}

result<json> run_json(run_shelf& shelf, const std::string& id) {
  const auto run = shelf.find(id);
  if (!run) return run.error();
  const auto about = shelf.overview(*run, std::chrono::system_clock::now());
  auto out = overview_json(about);
  out["id"] = id; // with that of its sweep
  const auto runs = shelf.list();
  if (!runs) return runs.error();
  waiting_reasons{*runs}.add(out, *run);
  out["progress"] = json::array();
  if (about.state == run_state::unreadable) return out;
  if (const auto options = options_of(*run)) {
    out["learner"] = options->search.learner;
    out["final_evaluation"] = options->search.final_evaluation;
  }
  auto progress = progress_of(*run);
  if (!progress) return progress.error();
  out["progress"] = std::move(*progress);
  return out;
}

} // namespace brewery::web
