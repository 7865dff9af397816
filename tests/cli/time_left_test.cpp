#include "cli/time_left.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

/// Three strategies of four iterations, then 100 rollouts of an evaluation.
progress_view searching(const std::string& search, std::uint32_t iteration,
                        std::uint32_t reported, std::uint64_t rollouts) {
  progress_view view;
  view.search = search;
  view.phase = "expanding";
  view.iteration = iteration;
  view.iterations = 4;
  view.trees = 10;
  view.trees_reported = reported;
  view.rollouts_run = rollouts;
  view.searches_left = search == "mcts" ? 2 : search == "greedy" ? 1 : 0;
  view.evaluations_left = 100;
  return view;
}

progress_view evaluating(std::uint64_t left, std::uint64_t rollouts) {
  auto view = searching("iterative", 4, 0, rollouts);
  view.search = "no KB";
  view.phase = "evaluating on test";
  view.evaluations_left = left;
  return view;
}

} // namespace

TEST_CASE("the time left covers all strategies and the evaluation") {
  time_left left;
  left.observe(searching("mcts", 1, 0, 0), 0);
  CHECK_FALSE(left.seconds()); // nothing measured yet
  left.observe(searching("mcts", 1, 5, 50), 5);
  // 10 s for an iteration, 0.1 s for a rollout: 3.5 + 8 iterations and 100.
  REQUIRE(left.seconds());
  CHECK(*left.seconds() == Approx(115 + 10));
  left.observe(searching("mcts", 3, 0, 200), 20);
  CHECK(*left.seconds() == Approx(100 + 10));
}

TEST_CASE("the time left does not rise when the next search begins") {
  time_left left;
  left.observe(searching("mcts", 1, 0, 0), 0);
  left.observe(searching("mcts", 4, 5, 350), 35);
  const auto before = *left.seconds();
  auto opening = searching("greedy", 0, 0, 400);
  opening.phase = "initial rollouts";
  left.observe(opening, 40);
  CHECK(*left.seconds() == Approx(80 + 10));
  CHECK(*left.seconds() < before);
  left.observe(searching("greedy", 0, 3, 410), 41); // the roots
  CHECK(*left.seconds() < before);
}

TEST_CASE("an evaluation counts its own pace once it has one") {
  time_left left;
  left.observe(searching("iterative", 4, 9, 0), 0);
  left.observe(evaluating(100, 100), 10);
  CHECK(*left.seconds() == Approx(10));
  left.observe(evaluating(50, 150), 20);
  CHECK(*left.seconds() == Approx(10)); // 0.2 s each
  left.observe(evaluating(0, 200), 30);
  CHECK(*left.seconds() == 0);
}

TEST_CASE("reading the log of an earlier session is no pace") {
  time_left left;
  left.observe(searching("mcts", 1, 0, 0), 0);
  left.observe(searching("mcts", 4, 0, 0), 1); // three iterations in 1 s
  CHECK_FALSE(left.seconds());
  left.observe(searching("mcts", 4, 5, 50), 6);
  CHECK(*left.seconds() == Approx(0.5 * 10 + 80 + 10));
}

TEST_CASE("the rate is that of the last seconds") {
  time_left left;
  CHECK(left.rate() == 0);
  std::uint64_t rollouts = 0;
  for (int second = 0; second <= 100; ++second)
    left.observe(searching("mcts", 1, 0, rollouts += 20), second);
  for (int second = 101; second <= 115; ++second)
    left.observe(searching("mcts", 1, 0, rollouts += 2), second);
  CHECK(left.rate() == Approx(2));
}
