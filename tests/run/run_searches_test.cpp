/// The searches of one run, side by side on an executor in this process.

#include "run/run_executor.hpp"
#include "run/setup/job_runner_factory.hpp"
#include "run/setup/problem.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <condition_variable>
#include <thread>

using namespace brewery;

namespace {

const std::vector<std::string> strategies{"mcts", "greedy", "iterative"};

/// Counts log lines with these words.
class lines_with final : public spdlog::sinks::base_sink<std::mutex> {
public:
  explicit lines_with(std::string words) : words_(std::move(words)) {}

  /// False if they do not come well before a test that hangs is stopped.
  bool come(std::size_t wanted) {
    std::unique_lock lock{counting_};
    return more_.wait_for(lock, std::chrono::seconds{30},
                          [&] { return count_ >= wanted; });
  }

protected:
  void sink_it_(const spdlog::details::log_msg& line) override {
    const std::string_view text{line.payload.data(), line.payload.size()};
    if (text.find(words_) == text.npos) return;
    const std::lock_guard lock{counting_};
    ++count_;
    more_.notify_all();
  }
  void flush_() override {}

private:
  const std::string words_;
  std::mutex counting_;
  std::condition_variable more_;
  std::size_t count_ = 0;
};

/// A runtime whose threads may be held before their next job.
struct toy_machine {
  config options;
  problem what;
  fingerprints prints;
  std::atomic<progress_board*> held_by{nullptr}; ///< null: nothing is held
  std::atomic<bool> let_go{false};               ///< what is held goes on
  std::unique_ptr<cluster_runtime> on;

  explicit toy_machine(std::uint32_t threads) {
    options.environment.kind = "toy";
    options.environment.eval_split = "eval";
    options.environment.max_train_tasks = 6;
    options.environment.max_eval_tasks = 6;
    options.search.iterations = 3;
    options.search.initial_trials = 4;
    auto loaded = load_problem(options);
    REQUIRE(loaded);
    what = std::move(*loaded);
    cluster_runtime_inputs inputs;
    inputs.metrics = std::make_shared<process_metrics>();
    inputs.blobs = std::make_shared<blob_registry>();
    const auto shop = make_job_runner(
        options, what.source, inputs.blobs->documents, inputs.metrics, {});
    REQUIRE(shop);
    prints = {shop->fingerprint, shop->playing, shop->reflecting};
    inputs.threads = threads;
    inputs.runners = [this, runner = shop->runner](const run_id&) {
      if (is_held()) let_go.wait(false);
      return runner;
    };
    auto started = cluster_runtime::start(std::move(inputs));
    REQUIRE(started);
    on = std::move(*started);
  }

  /// Once the search that is furthest behind, of those that have begun, is past
  /// its first gather.
  [[nodiscard]] bool is_held() const {
    const auto* board = held_by.load();
    return board && board->view().iteration > 0;
  }

  [[nodiscard]] std::vector<planned_search>
  planned(const std::vector<std::string>& names) const {
    std::vector<planned_search> out;
    for (const auto& name : names) {
      auto made = settings_for(options, what, name, prints);
      REQUIRE(made);
      out.push_back(
          {name, std::make_shared<const brew_settings>(std::move(*made))});
    }
    return out;
  }
};

run_executor_inputs inputs_in(const std::filesystem::path& folder) {
  run_executor_inputs out{{"run"}, {}, {}, {}, nullptr, {}, false};
  if (folder.empty()) return out;
  auto log = event_log::create(folder);
  REQUIRE(log);
  out.log = std::move(*log);
  out.snapshots = folder / "snapshots";
  return out;
}

std::vector<search_outcome> played(std::uint32_t threads,
                                   const std::vector<std::string>& names) {
  const toy_machine toy{threads};
  run_executor machine{*toy.on, inputs_in({})};
  auto out = machine.search(toy.planned(names));
  REQUIRE(out);
  return std::move(*out);
}

/// How many searches are at this phase.
std::size_t at(run_executor& machine, const std::string& phase) {
  const auto view = machine.board().view();
  return static_cast<std::size_t>(
      std::ranges::count(view.searches, phase, &search_view::phase));
}

} // namespace

TEST_CASE("searches side by side end as each does alone") {
  std::vector<search_outcome> alone;
  for (const auto& name : strategies)
    alone.push_back(played(1, {name}).front());
  for (const std::uint32_t threads : {1, 2, 5}) {
    INFO(threads << " threads");
    CHECK(played(threads, strategies) == alone);
  }
}

TEST_CASE("a job that several searches wait for is played once") {
  toy_machine toy{1};
  std::size_t rollouts = 0;
  {
    run_executor machine{*toy.on, inputs_in({})};
    REQUIRE(machine.search(toy.planned({"mcts"})));
    rollouts = machine.rollouts();
  }
  run_executor machine{*toy.on, inputs_in({})};
  // Without snapshots both begin at once, and with the same strategy they ask
  // for the same jobs all along.
  auto twice = toy.planned({"mcts", "mcts"});
  twice.back().strategy = "another";
  REQUIRE(machine.search(twice));
  CHECK(machine.rollouts() == rollouts);
  CHECK(machine.board().view().rollouts_run == rollouts);
}

TEST_CASE("the other searches begin once the first has saved its start") {
  const scratch folder;
  toy_machine toy{2};
  std::vector<search_outcome> beside;
  {
    run_executor machine{*toy.on, inputs_in(folder.path())};
    toy.held_by = &machine.board();
    const auto others = std::make_shared<lines_with>("search_begins_alike");
    const auto logger = spdlog::default_logger();
    logger->sinks().push_back(others);
    result<std::vector<search_outcome>> done = error{ec::internal, ""};
    std::thread asking{[&] { done = machine.search(toy.planned(strategies)); }};
    // Nothing is played meanwhile, so none can end before the others begin.
    CHECK(others->come(strategies.size() - 1));
    CHECK(at(machine, "finished") == 0);
    toy.let_go = true;
    toy.let_go.notify_all();
    asking.join();
    logger->sinks().pop_back();
    REQUIRE(done);
    beside = std::move(*done);
  }
  CHECK(beside == played(2, strategies));
}

TEST_CASE("an order to stop ends all searches, also those that wait") {
  const scratch folder;
  toy_machine toy{2};
  run_executor machine{*toy.on, inputs_in(folder.path())};
  machine.stop();
  const auto done = machine.search(toy.planned(strategies));
  REQUIRE_FALSE(done);
  CHECK(done.error().code == ec::cancelled);
  CHECK(at(machine, "expanding") == 0);
}

TEST_CASE("a search that fails is named, and ends those beside it") {
  toy_machine toy{2};
  run_executor machine{*toy.on, inputs_in({})};
  auto some = toy.planned({"mcts", "greedy"});
  auto broken = *some.back().settings;
  broken.train.clear();
  some.back().settings = std::make_shared<const brew_settings>(broken);
  const auto done = machine.search(some);
  REQUIRE_FALSE(done);
  CHECK(done.error().code == ec::invalid_config);
}
