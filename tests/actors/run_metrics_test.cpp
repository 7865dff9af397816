#include "actors/run_metrics.hpp"
#include "actors/slot_meter.hpp"
#include "tests/actors/exposition.hpp"

#include <catch2/catch.hpp>

#include <deque>

using namespace brewery;

TEST_CASE(
    "runs beside each other have series of their own, that end with them") {
  process_metrics metrics;
  run_metrics a{metrics, {"a"}};
  {
    run_metrics b{metrics, {"b"}};
    a.set_gather_quorum("mcts", 1);
    b.set_gather_quorum("mcts", 0.75);
    a.barrier_closed("mcts", 2, 0.5, {10, 2, 16, 8, 2});
    b.barrier_closed("mcts", 7, 0.25, {10, 2, 8, 1, 1});
    b.barrier_closed("greedy", 3, 0.125, {10, 2, 8, 1, 4});
    b.set_model_spending(1.5, 4, 300, 2);
    for (const auto& [series, value] :
         std::vector<std::pair<std::string, std::string>>{
             {R"(brewery_iteration{run="a",strategy="mcts"})", "2"},
             {R"(brewery_iteration{run="b",strategy="mcts"})", "7"},
             {R"(brewery_iteration{run="b",strategy="greedy"})", "3"},
             {R"(brewery_best_reward_ratio{run="b",strategy="greedy"})",
              "0.125"},
             {R"(brewery_barrier_efficiency_ratio{run="a",strategy="mcts"})",
              "0.8"},
             {R"(brewery_barrier_utilisation_ratio{run="b",strategy="greedy"})",
              "0.2"},
             {R"(brewery_gather_quorum_ratio{run="b",strategy="mcts"})",
              "0.75"},
             {R"(brewery_model_cost_usd{run="b"})", "1.5"},
             {R"(brewery_model_budget_usd{run="b"})", "4"},
             {R"(brewery_model_tokens{run="b"})", "300"},
             {R"(brewery_model_calls{run="b"})", "2"}}) {
      INFO(series);
      CHECK(value_of(metrics, series) == value);
    }
  }
  CHECK(metrics.exposition().find("run=\"b\"") == std::string::npos);
  CHECK(value_of(metrics, R"(brewery_iteration{run="a",strategy="mcts"})")
        == "2");
}

TEST_CASE("a barrier that the log closes leaves the figures of the last one") {
  process_metrics metrics;
  run_metrics run{metrics, {"a"}};
  run.barrier_closed("mcts", 1, 0.5, {0.001, 0, 0, 0, 4});
  const std::string series =
      R"(brewery_barrier_efficiency_ratio{run="a",strategy="mcts"})";
  CHECK(value_of(metrics, series) == "none");
  run.barrier_closed("mcts", 2, 0.5, {10, 2, 32, 8, 4});
  run.barrier_closed("mcts", 3, 0.5, {0.001, 0, 0, 0, 4});
  CHECK(value_of(metrics, series) == "0.8");
}

TEST_CASE("a run without a limit of cost has no series of it") {
  process_metrics metrics;
  run_metrics run{metrics, {"a"}};
  run.set_model_spending(1, 0, 2, 3);
  CHECK(value_of(metrics, R"(brewery_model_budget_usd{run="a"})") == "none");
}

TEST_CASE("open runs beyond the limit have no series until others end") {
  process_metrics metrics;
  std::deque<run_metrics> runs;
  for (std::size_t i = 0; i <= process_metrics::labelled_runs_max; ++i)
    runs.emplace_back(metrics, run_id{"r" + std::to_string(i)})
        .set_model_spending(1, 0, 1, 1);
  const auto last = std::to_string(process_metrics::labelled_runs_max);
  CHECK(value_of(metrics, "brewery_model_calls{run=\"r0\"}") == "1");
  CHECK(value_of(metrics, "brewery_model_calls{run=\"r" + last + "\"}")
        == "none");
  runs.pop_front();
  run_metrics next{metrics, {"next"}};
  next.set_model_spending(1, 0, 1, 1);
  CHECK(value_of(metrics, "brewery_model_calls{run=\"next\"}") == "1");
}

TEST_CASE("slots are counted for as long as they were there") {
  using std::chrono::seconds;
  slot_meter meter;
  const slot_meter::clock::time_point start{seconds{100}};
  meter.set(4, start);
  const auto before = meter.slot_seconds(start);
  meter.set(2, start + seconds{3});
  CHECK(meter.slot_seconds(start + seconds{5}) - before == Approx(16));
  // A reading from before the last change takes nothing back.
  CHECK(meter.slot_seconds(start + seconds{1}) - before == Approx(16));
}
