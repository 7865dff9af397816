/// Candidates that are probably worse than a sibling: how sure that is.

#include "base/rng.hpp"
#include "search/racing.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <numeric>

using namespace brewery;

namespace {

racer racer_of(std::uint32_t id, std::vector<double> rewards) {
  return {{id}, {rewards.begin(), rewards.end()}};
}

racer first_of(const racer& whole, std::size_t played) {
  auto out = whole;
  out.rewards.resize(played);
  return out;
}

/// What candidates get in each task, in a random order of the tasks. How much
/// they differ is drawn too, from hardly to much.
std::vector<racer> drawn(rng& draw, std::size_t candidates, std::size_t tasks) {
  const double spread = 0.3 * draw.uniform(), luck = draw.uniform();
  std::vector<double> able(candidates);
  for (auto& one : able)
    one = 0.5 + spread * (draw.uniform() - 0.5);
  std::vector<racer> out;
  for (std::uint32_t i = 0; i < candidates; ++i)
    out.push_back({{i}, {}});
  for (std::size_t task = 0; task < tasks; ++task) {
    const double hard = draw.uniform();
    for (std::size_t i = 0; i < candidates; ++i)
      out[i].rewards.emplace_back(
          able[i] + luck * (draw.uniform() - 0.5) > hard ? 1.0 : 0.0);
  }
  return out;
}

double score_of(const racer& item) {
  double sum = 0;
  for (const auto& one : item.rewards)
    sum += one.value_or(0);
  return sum;
}

/// Three standard deviations above what is allowed.
double limit(double error, double rounds) {
  return error + 3 * std::sqrt(error * (1 - error) / rounds);
}

} // namespace

TEST_CASE("the best candidate stops in at most the stated share of races") {
  const std::size_t candidates = GENERATE(2U, 3U, 10U);
  const std::size_t tasks = GENERATE(12U, 40U, 80U);
  constexpr int rounds = 400;
  const std::size_t wave = tasks > 12 ? 4 : 1;
  for (const double error : {0.05, 0.2}) {
    rng draw{rng_key(7, "races", candidates, tasks)};
    int wrong = 0;
    for (int round = 0; round < rounds; ++round) {
      const auto all = drawn(draw, candidates, tasks);
      const auto best =
          std::ranges::max_element(all, [](const racer& a, const racer& b) {
            return score_of(a) < score_of(b);
          });
      auto running = all;
      bool dropped = false;
      for (auto played = wave; played <= tasks && !dropped; played += wave) {
        std::vector<racer> now;
        for (const auto& one : running)
          now.push_back(first_of(one, played));
        for (const auto id : outrun(now, tasks, candidates, error)) {
          std::erase_if(running, [&](const auto& one) { return one.id == id; });
          dropped = dropped || id == best->id;
        }
      }
      wrong += dropped;
    }
    INFO(candidates << " candidates, " << tasks << " tasks, error " << error
                    << ": " << wrong << " of " << rounds);
    CHECK(wrong <= limit(error, rounds) * rounds);
  }
}

TEST_CASE("what is as good in the end seldom has much against it") {
  constexpr std::size_t tasks = 30;
  constexpr int rounds = 4000;
  // What its rival gets more, in all the same sum: 0.
  const double size = GENERATE(1.0, 0.5, 0.1);
  std::vector<double> more(tasks, -size);
  std::fill_n(more.begin(), tasks / 2, size);
  for (const double error : {0.01, 0.05, 0.2}) {
    rng draw{rng_key(11, "equal")};
    int wrong = 0;
    for (int round = 0; round < rounds; ++round) {
      draw.shuffle(more);
      racer own{{0}, {}}, rival{{1}, {}};
      bool ever = false;
      for (const double one : more) {
        own.rewards.emplace_back(one < 0 ? size : 0.0);
        rival.rewards.emplace_back(one < 0 ? 0.0 : size);
        ever = ever || evidence_against(own, rival, tasks) >= 1 / error;
      }
      wrong += ever;
    }
    INFO("differences of " << size << ", error " << error << ": " << wrong
                           << " of " << rounds);
    CHECK(wrong <= limit(error, rounds) * rounds);
  }
}

TEST_CASE("who lost too much to make up for it is certainly worse") {
  const auto own = racer_of(0, {0, 0, 0});
  const auto rival = racer_of(1, {1, 1, 1});
  CHECK(std::isinf(evidence_against(own, rival, 5)));
  CHECK_FALSE(std::isinf(evidence_against(own, rival, 6))); // a tie is left
  CHECK(evidence_against(rival, own, 5) < 1);
  CHECK(evidence_against(own, racer_of(1, {}), 5) == 1);
}

TEST_CASE("a clearly worse candidate stops long before the end") {
  constexpr std::size_t tasks = 60;
  std::vector<double> none(12, 0), all(12, 1);
  const std::vector running{racer_of(0, none), racer_of(1, all),
                            racer_of(2, all)};
  CHECK(outrun(running, tasks, 3, 0.05) == std::vector{node_id{0}});
  // The first wave is no proof of it.
  std::vector<racer> early;
  for (const auto& one : running)
    early.push_back(first_of(one, 3));
  CHECK(outrun(early, tasks, 3, 0.05).empty());
}

TEST_CASE("the one that is ahead never stops, and alone there is no race") {
  rng draw{3};
  for (int round = 0; round < 500; ++round) {
    auto running = drawn(draw, 4, 20);
    for (auto& one : running)
      one.rewards.resize(1 + static_cast<std::size_t>(round) % 20);
    const auto lost = outrun(running, 20, 4, 0.5);
    CHECK(lost.size() < running.size());
    for (const auto id : lost) {
      const auto own = score_of(running[id.value]);
      CHECK(std::ranges::any_of(
          running, [&](const auto& one) { return score_of(one) > own; }));
    }
  }
  const std::vector alone{racer_of(0, {0, 0, 0})};
  CHECK(outrun(alone, 3, 2, 0.5).empty());
}

TEST_CASE("a task that broke for one of two counts as a tie") {
  racer own = racer_of(0, {0, 0, 0, 0});
  const auto rival = racer_of(1, {1, 1, 1, 1});
  const double before = evidence_against(own, rival, 40);
  own.rewards[3] = std::nullopt;
  CHECK(evidence_against(own, rival, 40) < before);
  CHECK(evidence_against(own, rival, 40) > 1);
}
