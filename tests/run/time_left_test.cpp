#include "run/live/time_left.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

/// Where one of three searches of four iterations stands.
search_view at(std::uint32_t iteration, std::uint32_t reported = 0) {
  search_view out;
  out.phase = "expanding";
  out.iteration = iteration;
  out.iterations = 4;
  out.trees = 10;
  out.trees_reported = reported;
  return out;
}

search_view at_phase(const std::string& phase) {
  auto out = at(phase == "finished" ? 4 : 0);
  out.phase = phase;
  return out;
}

/// The searches, then 100 rollouts of an evaluation.
progress_view searching(const search_view& mcts, const search_view& greedy,
                        const search_view& iterative, std::uint64_t rollouts) {
  progress_view view;
  static_cast<search_view&>(view) = mcts;
  view.searches = {mcts, greedy, iterative};
  view.rollouts_run = rollouts;
  view.evaluations_left = 100;
  return view;
}

/// Only the first one has begun.
progress_view searching(const search_view& mcts, std::uint64_t rollouts) {
  return searching(mcts, at_phase(""), at_phase(""), rollouts);
}

progress_view evaluating(std::uint64_t left, std::uint64_t rollouts) {
  const auto over = at_phase("finished");
  auto view = searching(over, over, over, rollouts);
  view.search = "no KB";
  view.phase = "evaluating on test";
  view.evaluations_left = left;
  return view;
}

} // namespace

TEST_CASE("the time left covers all strategies and the evaluation") {
  time_left left;
  left.observe(searching(at(1), 0), 0);
  CHECK_FALSE(left.seconds()); // nothing measured yet
  left.observe(searching(at(1, 5), 50), 5);
  // 10 s for an iteration, 0.1 s for a rollout: 3.5 + 8 iterations and 100.
  REQUIRE(left.seconds());
  CHECK(*left.seconds() == Approx(115 + 10));
  left.observe(searching(at(3), 200), 20);
  CHECK(*left.seconds() == Approx(100 + 10));
}

TEST_CASE("the iterations of searches side by side are counted together") {
  time_left left;
  left.observe(searching(at(1), at(1), at(1), 0), 0);
  left.observe(searching(at(2), at(3), at(2), 100), 10); // four of twelve
  CHECK(*left.seconds() == Approx(8 * 2.5 + 10));
  left.observe(searching(at(4), at_phase("finished"), at(4), 250), 25);
  CHECK(*left.seconds() == Approx(2 * 2.5 + 10));
}

TEST_CASE("the time left does not rise when the next search begins") {
  time_left left;
  left.observe(searching(at(1), 0), 0);
  left.observe(searching(at(4, 5), 350), 35);
  const auto before = *left.seconds();
  const auto over = at_phase("finished");
  left.observe(searching(over, at_phase("initial rollouts"), at_phase(""), 400),
               40);
  CHECK(*left.seconds() == Approx(80 + 10));
  CHECK(*left.seconds() < before);
  left.observe(searching(over, at(0, 3), at_phase(""), 410), 41); // the roots
  CHECK(*left.seconds() < before);
}

TEST_CASE("an evaluation counts its own pace once it has one") {
  time_left left;
  const auto over = at_phase("finished");
  left.observe(searching(over, over, at(4, 9), 0), 0);
  left.observe(evaluating(100, 100), 10);
  CHECK(*left.seconds() == Approx(10));
  left.observe(evaluating(50, 150), 20);
  CHECK(*left.seconds() == Approx(10)); // 0.2 s each
  left.observe(evaluating(0, 200), 30);
  CHECK(*left.seconds() == 0);
}

TEST_CASE("reading the log of an earlier session is no pace") {
  time_left left;
  left.observe(searching(at(1), 0), 0);
  left.observe(searching(at(4), 0), 1); // three iterations in 1 s
  CHECK_FALSE(left.seconds());
  left.observe(searching(at(4, 5), 50), 6);
  CHECK(*left.seconds() == Approx(0.5 * 10 + 80 + 10));
}

TEST_CASE("a few rollouts beside the reading of a log are no pace") {
  time_left left;
  const auto over = at_phase("finished");
  left.observe(searching(over, over, over, 1), 0);
  left.observe(searching(over, over, over, 4), 10);
  CHECK_FALSE(left.seconds()); // not 100 times 3.3 s
  left.observe(searching(over, over, over, 21), 11);
  REQUIRE(left.seconds());
  CHECK(*left.seconds() == Approx(100 * 11.0 / 20));
}

TEST_CASE("a few rollouts that take minutes are a pace") {
  time_left left;
  const auto over = at_phase("finished");
  left.observe(searching(over, over, over, 1), 0);
  left.observe(searching(over, over, over, 3), 120);
  REQUIRE(left.seconds());
  CHECK(*left.seconds() == Approx(100 * 60));
}

TEST_CASE("the rate is that of the last seconds") {
  time_left left;
  CHECK(left.rate() == 0);
  std::uint64_t rollouts = 0;
  for (int second = 0; second <= 100; ++second)
    left.observe(searching(at(1), rollouts += 20), second);
  for (int second = 101; second <= 115; ++second)
    left.observe(searching(at(1), rollouts += 2), second);
  CHECK(left.rate() == Approx(2));
}
