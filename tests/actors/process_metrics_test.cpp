#include "tests/actors/exposition.hpp"

#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

using namespace brewery;

namespace {

void observe_everything(process_metrics& metrics) {
  metrics.rollout_finished(rollout_outcome::graded, 0.02);
  metrics.rollout_finished(rollout_outcome::graded, 0.2);
  metrics.rollout_finished(rollout_outcome::environment_error, 3);
  metrics.job_started(0.05);
  table_counts counts;
  counts.queued = 7;
  counts.leased = counts.busy = 3;
  counts.slots = 4;
  counts.quarantined = 2;
  counts.stale = 5;
  counts.expired = 6;
  counts.adopted = 8;
  counts.ahead = 64;
  counts.backups_won = 9;
  counts.backups_lost = 1;
  metrics.set_cluster(counts);
  metrics.peer_refused();
  metrics.set_journal_stuck({"a"}, true);
  metrics.set_journal_stuck({"b"}, true);
  metrics.set_journal_stuck({"b"}, false); // the other still is
  metrics.set_oldest_inflight(1.5);
  metrics.barrier_closed({10, 2, 16, 8, 2});
  metrics.reports_late(2);
  metrics.candidates_scored(3, 1);
  metrics.scoring_counted({{"asked", 20}, {"confirmed", 8}});
  metrics.scoring_counted({{"asked", 4}});
  metrics.retrieved(2e-5);
  metrics.journal_committed(12, 0.0002);
}

} // namespace

TEST_CASE("each observation moves its own series") {
  process_metrics metrics;
  observe_everything(metrics);
  const std::pair<const char*, const char*> expected[] = {
      {"brewery_scoring_rollouts_total{what=\"asked\"}", "24"},
      {"brewery_scoring_rollouts_total{what=\"confirmed\"}", "8"},
      {"brewery_reports_late_total", "2"},
      {"brewery_rollouts_total{outcome=\"graded\"}", "2"},
      {"brewery_rollouts_total{outcome=\"environment_error\"}", "1"},
      {"brewery_environment_errors_total", "1"},
      {"brewery_rollout_duration_seconds_count", "3"},
      {"brewery_rollout_duration_seconds_bucket{le=\"0.5\"}", "2"},
      {"brewery_jobs_queued", "7"},
      {"brewery_jobs_running", "3"},
      {"brewery_jobs_quarantined", "2"},
      {"brewery_results_stale_total", "5"},
      {"brewery_lease_expirations_total", "6"},
      {"brewery_jobs_adopted_total", "8"},
      {"brewery_leases_ahead_total", "64"},
      {"brewery_backups_total{outcome=\"won\"}", "9"},
      {"brewery_backups_total{outcome=\"lost\"}", "1"},
      {"brewery_peers_refused_total", "1"},
      {"brewery_journal_stuck", "1"},
      {"brewery_job_wait_seconds_count", "1"},
      {"brewery_oldest_inflight_seconds", "1.5"},
      {"brewery_workers{state=\"idle\"}", "1"},
      {"brewery_workers{state=\"busy\"}", "3"},
      {"brewery_barrier_wait_seconds_sum", "2"},
      {"brewery_candidates_total{outcome=\"added\"}", "3"},
      {"brewery_candidates_total{outcome=\"dropped\"}", "1"},
      {"brewery_retrieval_duration_seconds_count", "1"},
      {"brewery_journal_events_total", "12"},
      {"brewery_journal_commit_seconds_count", "1"},
      {"brewery_build_info{version=\"" BREWERY_VERSION "\"}", "1"},
  };
  for (const auto& [series, value] : expected) {
    INFO(series);
    CHECK(value_of(metrics, series) == value);
  }
}

TEST_CASE("what a worker says of replies moves only series that are known") {
  process_metrics metrics;
  metrics.reply_noted({"judge", "cut", 2, "r"});
  metrics.reply_noted({"judge", "cut", 1, "r"});
  metrics.reply_noted({"integrator", "lost", 5, "r"});
  metrics.reply_noted({"mallory", "x\"}", 4, "r"});
  CHECK(value_of(metrics,
                 "brewery_reply_troubles_total{kind=\"cut\",role=\"judge\"}")
        == "3");
  CHECK(value_of(
            metrics,
            "brewery_reply_troubles_total{kind=\"lost\",role=\"integrator\"}")
        == "5");
  CHECK(value_of(metrics,
                 "brewery_reply_troubles_total{kind=\"other\",role=\"other\"}")
        == "4");
}

TEST_CASE("runs are counted by the states that a run can have, and no others") {
  process_metrics metrics;
  CHECK(metrics.exposition().find("brewery_runs{") == std::string::npos);
  metrics.set_runs({{"running", 2}, {"failed", 1}, {"odd", 4}});
  CHECK(value_of(metrics, "brewery_runs{state=\"running\"}") == "2");
  CHECK(value_of(metrics, "brewery_runs{state=\"failed\"}") == "1");
  metrics.set_runs({{"running", 1}});
  CHECK(value_of(metrics, "brewery_runs{state=\"running\"}") == "1");
  CHECK(value_of(metrics, "brewery_runs{state=\"failed\"}") == "0");
  CHECK(metrics.exposition().find("odd") == std::string::npos);
}

TEST_CASE("every series exists from the start, so that a rate is not missing") {
  process_metrics fresh;
  process_metrics used;
  observe_everything(used);
  const auto names = [](const process_metrics& metrics) {
    std::set<std::string> out;
    std::istringstream lines{metrics.exposition()};
    for (std::string line; std::getline(lines, line);)
      if (line[0] != '#') out.insert(line.substr(0, line.find(' ')));
    return out;
  };
  CHECK(names(fresh) == names(used));
  CHECK(value_of(fresh, "brewery_rollouts_total{outcome=\"graded\"}") == "0");
}

TEST_CASE(
    "barrier efficiency is the best schedule's time over the time taken") {
  // 4 workers, 8 s of work, longest 2 s: 2 s is the least; it took 4.
  CHECK(efficiency({4, 0, 8, 2, 4}) == Approx(0.5));
  CHECK(utilisation({4, 0, 8, 2, 4}) == Approx(0.5));
  // One long job bounds the phase, however many workers idle.
  CHECK(efficiency({5, 0, 6, 5, 4}) == Approx(1));
  CHECK(utilisation({5, 0, 6, 5, 4}) == Approx(0.3));
  // No time or no worker: nothing to say, and no division by zero.
  CHECK(efficiency({}) == 0);
  CHECK(utilisation({}) == 0);
}

TEST_CASE("observations of many threads are all counted") {
  process_metrics metrics;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i)
        metrics.rollout_finished(rollout_outcome::graded, 1);
      (void)metrics.exposition();
    });
  for (auto& thread : threads)
    thread.join();
  CHECK(value_of(metrics, "brewery_rollouts_total{outcome=\"graded\"}")
        == "4000");
  CHECK(value_of(metrics, "brewery_rollout_duration_seconds_count") == "4000");
}

TEST_CASE("promtool finds nothing wrong with the metrics") {
  if (std::system("promtool --version >/dev/null 2>&1") != 0) {
    WARN("skipped: promtool is not installed (apt install prometheus)");
    return;
  }
  process_metrics metrics;
  observe_everything(metrics);
  auto* pipe = ::popen("promtool check metrics 2>&1", "w");
  REQUIRE(pipe != nullptr);
  const auto text = metrics.exposition();
  CHECK(std::fwrite(text.data(), 1, text.size(), pipe) == text.size());
  CHECK(::pclose(pipe) == 0);
}

TEST_CASE("jobs are counted by run, role and benchmark while the run is open") {
  process_metrics metrics;
  metrics.set_loads({{{"a"}, job_kind::rollout, "toy", 4, 2, 9},
                     {{"a"}, job_kind::embed, "toy", 1, 0, 0}});
  const std::string of_a = R"({benchmark="toy",role="rollout",run="a"})";
  CHECK(value_of(metrics, "brewery_run_jobs_queued" + of_a) == "4");
  CHECK(value_of(metrics, "brewery_run_jobs_running" + of_a) == "2");
  CHECK(value_of(metrics, "brewery_run_jobs_done_total" + of_a) == "9");
  CHECK(value_of(metrics, "brewery_run_jobs_queued"
                          R"({benchmark="toy",role="embed",run="a"})")
        == "1");
  metrics.set_loads({{{"b"}, job_kind::rollout, "toy", 1, 0, 0}});
  CHECK(value_of(metrics, "brewery_run_jobs_queued" + of_a) == "none");
  CHECK(value_of(metrics, "brewery_run_jobs_done_total" + of_a) == "none");
}

TEST_CASE("the series of runs are bounded") {
  process_metrics metrics;
  std::vector<run_load> loads;
  for (int i = 0; i < 1000; ++i)
    loads.push_back(
        {{"run" + std::to_string(i)}, job_kind::rollout, "toy", 1, 1, 1});
  metrics.set_loads(loads);
  CHECK(value_of(metrics, "brewery_run_jobs_queued"
                          R"({benchmark="toy",role="rollout",run="other"})")
        == std::to_string(1000 - process_metrics::labelled_runs_max));
  const auto text = metrics.exposition();
  std::size_t series = 0;
  for (auto at = text.find("run=\""); at != std::string::npos;
       at = text.find("run=\"", at + 1))
    ++series;
  CHECK(series == 3 * (process_metrics::labelled_runs_max + 1));
}

TEST_CASE("a group has its cost and limit until its runs have ended") {
  process_metrics metrics;
  metrics.set_group_cost("g", 1.5, 4);
  metrics.set_group_cost("unlimited", 2, 0);
  CHECK(value_of(metrics, R"(brewery_group_cost_usd{group="g"})") == "1.5");
  CHECK(value_of(metrics, R"(brewery_group_budget_usd{group="g"})") == "4");
  CHECK(value_of(metrics, R"(brewery_group_cost_usd{group="unlimited"})")
        == "2");
  CHECK(value_of(metrics, R"(brewery_group_budget_usd{group="unlimited"})")
        == "none");
  metrics.end_group("g");
  CHECK(metrics.exposition().find("group=\"g\"") == std::string::npos);
}
