#include "base/rng.hpp"
#include "llm/accounts/budget.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <vector>

using namespace brewery;

namespace {

constexpr picodollars cent = picodollars_per_dollar / 100;

using verdict = budget::verdict;

} // namespace

TEST_CASE("money is counted exactly, to the price of one token") {
  CHECK(per_token(0.15) == 150'000);
  const token_price price{per_token(2), per_token(0.5), per_token(8)};
  CHECK(cost_of({1'000'000, 0, 0, 0}, price) == 2 * picodollars_per_dollar);
  CHECK(cost_of({1'000'000, 400'000, 10, 0}, price)
        == 600'000 * per_token(2) + 400'000 * per_token(0.5)
               + 10 * per_token(8));
  // More cached than there was: a server's mistake is not a negative price.
  CHECK(cost_of({10, 20, 0, 0}, price) == 10 * per_token(0.5));
  CHECK(dollars_text(cent) == "$0.0100");
  CHECK(dollars_text(123'456 * cent / 100) == "$12.35");
}

TEST_CASE("a cost beyond the largest sum stays there and ends a budget") {
  constexpr auto most = std::numeric_limits<picodollars>::max();
  const token_price price{per_token(10), per_token(10), per_token(30)};
  CHECK(cost_of({930'000'000'000, 0, 0, 0}, price) == most);
  CHECK(cost_of({930'000'000'000, 930'000'000'000, 0, 0}, price) == most);
  CHECK(cost_of({600'000'000'000, 0, 200'000'000'000, 0}, price) == most);
  budget funds{{0, 0, 10 * cent}, {}};
  funds.carry_over("agent", {1, 10, most});
  funds.carry_over("agent", {1, 10, cent});
  CHECK(funds.spent() == spending{2, 20, most});
  CHECK(funds.reserve("agent", {1, 10, cent}).what == verdict::refused);
}

TEST_CASE("another attempt reserves as much once more, or nothing") {
  budget funds{{4, 0, 0}, {{"agent", {3, 0, 0}}}};
  const auto agent = funds.reserve("agent", {1, 10, cent});
  REQUIRE(funds.reserve_again(agent.ticket));
  CHECK(funds.reserved() == spending{2, 20, 2 * cent});
  const auto judge = funds.reserve("judge", {1, 10, cent});
  REQUIRE(judge.what == verdict::granted);
  REQUIRE(funds.reserve_again(agent.ticket)); // all that its role has
  CHECK_FALSE(funds.reserve_again(agent.ticket));
  CHECK_FALSE(funds.reserve_again(judge.ticket)); // all that there is
  CHECK(funds.reserved() == spending{4, 40, 4 * cent});
  funds.settle(agent.ticket, {3, 21, 3 * cent});
  CHECK(funds.reserved() == spending{1, 10, cent});
  CHECK_FALSE(funds.reserve_again(judge.ticket));
  funds.release(judge.ticket);
  CHECK(funds.reserved() == spending{});
  CHECK(funds.spent() == spending{3, 21, 3 * cent});
}

TEST_CASE("reservations beyond the largest sum leave none that is negative") {
  constexpr auto most = std::numeric_limits<picodollars>::max();
  budget funds;
  const auto first = funds.reserve("agent", {1, 10, most});
  const auto second = funds.reserve("agent", {1, 10, most});
  funds.release(first.ticket);
  funds.release(second.ticket);
  CHECK(funds.reserved() == spending{});
}

TEST_CASE("the bill of Agent KB's paper follows from its tokens and prices") {
  const token_price price{per_token(1.36), per_token(1.36), per_token(5.44)};
  CHECK(dollars_text(cost_of({34'000'000, 0, 7'000'000, 0}, price))
        == "$84.32");
  CHECK(dollars_text(cost_of({5'000'000, 0, 750'000, 0}, price)) == "$10.88");
}

TEST_CASE("a call is refused when it cannot fit, and told which limit it is") {
  budget funds{{0, 1'000, 0}, {}};
  CHECK(funds.reserve("agent", {1, 1'000, 0}).what == verdict::granted);
  budget spent{{0, 1'000, 0}, {}};
  spent.carry_over("agent", {3, 900, 0});
  const auto no = spent.reserve("agent", {1, 101, 0});
  CHECK(no.what == verdict::refused);
  CHECK(no.why
        == "the next call of the agent could take the search to 1001 of 1000 "
           "tokens (budget.max_tokens)");
  CHECK(spent.reserve("agent", {1, 100, 0}).what == verdict::granted);
}

TEST_CASE("a call waits while running calls may turn out cheaper") {
  budget funds{{0, 0, 10 * cent}, {}};
  const auto first = funds.reserve("agent", {1, 10, 8 * cent});
  REQUIRE(first.what == verdict::granted);
  CHECK(funds.reserve("judge", {1, 10, 5 * cent}).what == verdict::wait);
  funds.settle(first.ticket, {1, 10, 2 * cent});
  CHECK(funds.reserve("judge", {1, 10, 5 * cent}).what == verdict::granted);
}

TEST_CASE("a role's own limit holds beside that of the search") {
  budget funds{{}, {{"judge", {2, 0, 0}}}};
  CHECK(funds.reserve("agent", {5, 0, 0}).what == verdict::granted);
  CHECK(funds.reserve("judge", {3, 0, 0}).what == verdict::refused);
  const auto two = funds.reserve("judge", {2, 0, 0});
  CHECK(two.what == verdict::granted);
  CHECK(funds.reserve("judge", {1, 0, 0}).what == verdict::wait);
  funds.release(two.ticket);
  CHECK(funds.reserve("judge", {1, 0, 0}).what == verdict::granted);
}

TEST_CASE("a call that was dearer than its reservation counts in full") {
  budget funds{{0, 100, 0}, {}};
  const auto one = funds.reserve("agent", {1, 50, 0});
  funds.settle(one.ticket, {1, 120, 0});
  CHECK(funds.spent().tokens == 120);
  CHECK(funds.reserve("agent", {1, 1, 0}).what == verdict::refused);
}

TEST_CASE("after a call that was dearer its role reserves that much more") {
  budget funds{{0, 1'000, 0}, {}};
  const auto dear = funds.reserve("agent", {1, 50, cent});
  funds.settle(dear.ticket, {1, 350, 3 * cent});
  const auto next = funds.reserve("agent", {1, 60, cent});
  CHECK(next.what == verdict::granted);
  CHECK(funds.reserved() == spending{1, 360, 3 * cent});
  CHECK(funds.reserve("agent", {1, 1, 0}).what == verdict::wait);
  CHECK(funds.reserve("judge", {1, 200, 0}).what == verdict::granted);
  // It was as dear as is known now: nothing is added to what was.
  funds.settle(next.ticket, {1, 360, 3 * cent});
  CHECK(funds.reserve("agent", {1, 1, 0}).what == verdict::refused);
}

TEST_CASE("attempts that were lost do not make the calls after them dearer") {
  budget funds;
  const auto one = funds.reserve("agent", {1, 50, cent});
  funds.settle(one.ticket, {3, 120, 3 * cent});
  funds.reserve("agent", {1, 50, cent});
  CHECK(funds.reserved() == spending{1, 50, cent});
}

TEST_CASE(
    "replies that are no answer do not make the calls after them dearer") {
  budget funds;
  const auto one = funds.reserve("agent", {1, 50, cent});
  funds.settle(one.ticket, {1, 120, 3 * cent}, false);
  CHECK(funds.spent() == spending{1, 120, 3 * cent});
  funds.reserve("agent", {1, 50, cent});
  CHECK(funds.reserved() == spending{1, 50, cent});
}

TEST_CASE("spent and reserved are the sums over all calls, whatever happens") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    rng draw{rng_key(seed, "budget")};
    budget funds{{0, 5'000, 0}, {{"b", {0, 2'000, 0}}}};
    std::vector<std::pair<std::uint64_t, spending>> open;
    spending spent, reserved;
    for (int i = 0; i < 200; ++i) {
      if (!open.empty() && draw.uniform() < 0.5) {
        const auto at = static_cast<std::size_t>(
            draw.uniform() * static_cast<double>(open.size()));
        const auto [ticket, most] = open[at];
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
        reserved -= most;
        if (draw.uniform() < 0.3) {
          funds.release(ticket);
        } else {
          const spending actual{1, most.tokens / 2, most.cost / 2};
          spent += actual;
          funds.settle(ticket, actual);
        }
      } else {
        const auto tokens = static_cast<std::uint64_t>(draw.uniform() * 300);
        const spending most{1, tokens, static_cast<picodollars>(tokens) * 7};
        const auto answer =
            funds.reserve(draw.uniform() < 0.5 ? "a" : "b", most);
        if (answer.what == verdict::granted) {
          open.emplace_back(answer.ticket, most);
          reserved += most;
        }
      }
      CHECK(funds.spent() == spent);
      CHECK(funds.reserved() == reserved);
      CHECK(spent.tokens + reserved.tokens <= 5'000);
      CHECK(funds.spent("b").tokens <= 2'000);
    }
  }
}
