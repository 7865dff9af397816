#include "base/rng.hpp"
#include "llm/client/concurrency.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <queue>
#include <set>
#include <string>

using namespace brewery;
using std::chrono::milliseconds;
using limit_verdict = call_limiter::verdict;

namespace {

constexpr milliseconds t0{0};

void add(call_limiter& to, const std::string& owner, std::uint64_t from,
         std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i)
    to.wait(owner, from + i);
}

} // namespace

TEST_CASE("no more are out than the limit, and each starts once") {
  call_limiter limiter{4, 4};
  add(limiter, "a", 0, 10);
  CHECK(limiter.start(t0) == std::vector<std::uint64_t>{0, 1, 2, 3});
  CHECK(limiter.start(t0).empty());
  limiter.finish(2, limit_verdict::neither);
  CHECK(limiter.start(t0) == std::vector<std::uint64_t>{4});
  CHECK(limiter.out() == 4);
  CHECK(limiter.waiting() == 5);
}

TEST_CASE("before the first refusal the limit grows by one for each answer") {
  call_limiter limiter{2, 100};
  add(limiter, "a", 0, 50);
  std::uint64_t done = 0;
  for (int i = 0; i < 8; ++i) {
    limiter.start(t0);
    limiter.finish(done++, limit_verdict::good);
  }
  CHECK(limiter.limit() == 10);
}

TEST_CASE("the limit never exceeds its most, and grows only when it is used") {
  call_limiter limiter{8, 10};
  for (std::uint64_t i = 0; i < 100; ++i) {
    limiter.wait("a", i);
    limiter.start(t0);
    limiter.finish(
        i, limit_verdict::good); // one at a time: 8 would have been fine
  }
  CHECK(limiter.limit() == 8);
  add(limiter, "a", 1000, 200);
  for (std::uint64_t i = 1000; i < 1100; ++i) {
    limiter.start(t0);
    limiter.finish(i, limit_verdict::good);
  }
  CHECK(limiter.limit() == 10);
}

TEST_CASE("refusals of one wave halve the limit once") {
  call_limiter limiter{64, 64};
  add(limiter, "a", 0, 200);
  const auto wave = limiter.start(t0);
  REQUIRE(wave.size() == 64);
  for (const auto call : wave)
    limiter.finish(call, limit_verdict::congested);
  CHECK(limiter.limit() == 32);
  const auto second = limiter.start(t0);
  REQUIRE(second.size() == 32);
  limiter.finish(second[0], limit_verdict::congested);
  CHECK(limiter.limit() == 16);
}

TEST_CASE("the limit never falls below one") {
  call_limiter limiter{8, 8};
  for (std::uint64_t i = 0; i < 20; ++i) {
    limiter.wait("a", i);
    REQUIRE(limiter.start(t0).size() == 1);
    limiter.finish(i, limit_verdict::congested);
  }
  CHECK(limiter.limit() == 1);
}

TEST_CASE("after a refusal the limit grows by one for a limit of answers") {
  call_limiter limiter{8, 100};
  add(limiter, "a", 0, 1000);
  auto wave = limiter.start(t0);
  limiter.finish(wave[0], limit_verdict::congested);
  REQUIRE(limiter.limit() == 4);
  for (std::size_t i = 1; i < wave.size(); ++i)
    limiter.finish(wave[i], limit_verdict::neither);
  std::queue<std::uint64_t> out;
  for (const auto call : limiter.start(t0))
    out.push(call);
  int answers = 0;
  while (limiter.limit() < 6) {
    limiter.finish(out.front(), limit_verdict::good);
    out.pop();
    ++answers;
    for (const auto call : limiter.start(t0))
      out.push(call);
  }
  CHECK(answers >= 9); // 4 for the fifth, 5 for the sixth
  CHECK(answers <= 12);
}

TEST_CASE("a search with one call does not wait behind one with a thousand") {
  call_limiter limiter{4, 4};
  add(limiter, "big", 0, 1000);
  limiter.start(t0);
  limiter.wait("small", 5000);
  limiter.finish(0, limit_verdict::neither);
  CHECK(limiter.start(t0) == std::vector<std::uint64_t>{5000});
}

TEST_CASE("owners with enough to do have equal shares") {
  call_limiter limiter{30, 30};
  add(limiter, "a", 0, 1000);
  limiter.start(t0); // a alone fills it
  add(limiter, "b", 1000, 1000);
  add(limiter, "c", 2000, 1000);
  std::map<std::uint64_t, int> turns;
  std::queue<std::uint64_t> out;
  for (std::uint64_t i = 0; i < 30; ++i)
    out.push(i);
  for (int i = 0; i < 300; ++i) {
    limiter.finish(out.front(), limit_verdict::neither);
    out.pop();
    for (const auto call : limiter.start(t0)) {
      ++turns[call / 1000];
      out.push(call);
    }
  }
  CHECK(turns[1] >= 95);
  CHECK(turns[2] >= 95);
  CHECK(turns[0] >= 80);
}

TEST_CASE("a call that is tried again goes before the others of its owner") {
  call_limiter limiter{1, 1};
  add(limiter, "a", 0, 3);
  limiter.start(t0);
  limiter.finish(0, limit_verdict::neither);
  limiter.wait("a", 0, true);
  CHECK(limiter.start(t0) == std::vector<std::uint64_t>{0});
}

TEST_CASE("while it is paused nobody starts, and it says until when") {
  call_limiter limiter{4, 4};
  limiter.pause_until(milliseconds{100});
  limiter.pause_until(milliseconds{50}); // earlier: ignored
  CHECK(limiter.paused_until(t0) == t0); // nobody waits
  add(limiter, "a", 0, 2);
  CHECK(limiter.start(milliseconds{99}).empty());
  CHECK(limiter.paused_until(milliseconds{99}) == milliseconds{100});
  CHECK(limiter.start(milliseconds{100}).size() == 2);
}

TEST_CASE("a call that is withdrawn is forgotten wherever it was") {
  call_limiter limiter{2, 2};
  add(limiter, "a", 0, 4);
  limiter.start(t0);
  limiter.withdraw(3); // waiting
  limiter.withdraw(0); // out
  limiter.withdraw(99);
  CHECK(limiter.start(t0) == std::vector<std::uint64_t>{2});
  CHECK(limiter.waiting() == 0);
  limiter.finish(0, limit_verdict::congested);
  CHECK(limiter.limit() == 2);
}

// -- a storm in virtual time
// ------------------------------------------------------

TEST_CASE("against a server with a capacity the limit settles near it, and "
          "every call is served") {
  const auto seed = static_cast<std::uint64_t>(GENERATE(range(1, 11)));
  rng draw{rng_key(seed, "storm")};
  const auto capacity = 4 + draw.below(60);
  INFO("seed " << seed << " capacity " << capacity);
  call_limiter limiter{1, 512};
  constexpr std::uint64_t calls = 5000;
  for (std::uint64_t i = 0; i < calls; ++i)
    limiter.wait("s" + std::to_string(i % 3), i);
  struct event {
    milliseconds at;
    std::uint64_t call;
    bool accepted;
    bool operator>(const event& other) const { return at > other.at; }
  };
  std::priority_queue<event, std::vector<event>, std::greater<>> events;
  std::set<std::uint64_t> served;
  std::size_t inside = 0;
  std::size_t refused = 0;
  milliseconds now{0};
  const auto start = [&] {
    for (const auto call : limiter.start(now)) {
      const bool accepted = inside < capacity;
      inside += accepted;
      const auto took = accepted ? 100 + draw.below(50) : 2;
      events.push({now + milliseconds{took}, call, accepted});
    }
  };
  start();
  while (!events.empty()) {
    const auto next = events.top();
    events.pop();
    now = next.at;
    inside -= next.accepted;
    limiter.finish(next.call, next.accepted ? limit_verdict::good
                                            : limit_verdict::congested);
    if (next.accepted)
      REQUIRE(served.insert(next.call).second);
    else
      limiter.wait("s" + std::to_string(next.call % 3), next.call, true);
    refused += !next.accepted;
    start();
  }
  CHECK(served.size() == calls);
  // Half of what it could do at least, and few refusals.
  const auto ideal =
      static_cast<double>(calls) * 125 / static_cast<double>(capacity);
  CHECK(static_cast<double>(now.count()) < 2 * ideal + 2000);
  CHECK(refused < calls / 4);
}
