#include "llm/accounts/budget.hpp"

#include "base/error.hpp"
#include "llm/accounts/saturating.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

spending of(const std::map<std::string, spending>& by_role,
            const std::string& role) {
  const auto found = by_role.find(role);
  return found == by_role.end() ? spending{} : found->second;
}

/// The limit that `sum` exceeds.
struct exceeded_limit {
  std::string numbers; ///< both; empty: it exceeds none
  const char* option = "";
};

exceeded_limit exceeded(const spending& sum, const spending& limit) {
  if (limit.calls > 0 && sum.calls > limit.calls)
    return {fmt::format("{} of {} calls", sum.calls, limit.calls), "max_calls"};
  if (limit.tokens > 0 && sum.tokens > limit.tokens)
    return {fmt::format("{} of {} tokens", sum.tokens, limit.tokens),
            "max_tokens"};
  if (limit.cost > 0 && sum.cost > limit.cost)
    return {fmt::format("{} of {}", dollars_text(sum.cost),
                        dollars_text(limit.cost)),
            "max_cost_usd"};
  return {};
}

} // namespace

spending& spending::operator+=(const spending& other) {
  calls += other.calls;
  tokens = saturating_sum(tokens, other.tokens);
  cost = saturating_sum(cost, other.cost);
  return *this;
}

spending& spending::operator-=(const spending& other) {
  BREWERY_ASSERT(calls >= other.calls && tokens >= other.tokens);
  calls -= other.calls;
  tokens -= other.tokens;
  cost -= std::min(cost, other.cost); // less, if the sum had reached its end
  return *this;
}

budget::budget(const spending& total, std::map<std::string, spending> of_role)
    : limits_{total, std::move(of_role)} {}

spending budget::spent(const std::string& role) const {
  return of(spent_.by_role, role);
}

budget::answer budget::reserve(const std::string& role, const spending& most) {
  auto asked = most;
  asked += of(excess_, role);
  struct scope {
    spending limit, spent, reserved;
    std::string whose;
    const char* option; ///< null: that of the limit
  };
  const scope scopes[] = {
      {limits_.all, spent_.all, reserved_.all, "the search", nullptr},
      {of(limits_.by_role, role), of(spent_.by_role, role),
       of(reserved_.by_role, role), "its role", "roles"}};
  for (const auto& at : scopes) {
    auto sum = at.spent;
    sum += asked;
    if (const auto over = exceeded(sum, at.limit); !over.numbers.empty())
      return {verdict::refused, 0,
              fmt::format("the next call of the {} could take {} to {} "
                          "(budget.{})",
                          role, at.whose, over.numbers,
                          at.option ? at.option : over.option)};
  }
  for (const auto& at : scopes) {
    auto sum = at.spent;
    sum += at.reserved;
    sum += asked;
    if (!exceeded(sum, at.limit).numbers.empty()) return {verdict::wait, 0, {}};
  }
  reserved_.all += asked;
  reserved_.by_role[role] += asked;
  open_.emplace(++last_ticket_, reservation{role, most, asked});
  return {verdict::granted, last_ticket_, {}};
}

bool budget::reserve_again(std::uint64_t ticket) {
  auto& call = open_.at(ticket);
  const auto more = reserve(call.role, call.estimate);
  if (more.what != verdict::granted) return false;
  call.reserved += open_.extract(more.ticket).mapped().reserved;
  return true;
}

budget::reservation budget::close(std::uint64_t ticket) {
  const auto found = open_.find(ticket);
  BREWERY_ASSERT(found != open_.end());
  auto ticketed = std::move(found->second);
  open_.erase(found);
  reserved_.all -= ticketed.reserved;
  reserved_.by_role[ticketed.role] -= ticketed.reserved;
  return ticketed;
}

void budget::settle(std::uint64_t ticket, const spending& actual,
                    bool answered) {
  const auto ended = close(ticket);
  if (answered) learn(ended, actual);
  carry_over(ended.role, actual);
}

void budget::learn(const reservation& from, const spending& actual) {
  // With attempts that were lost it costs several estimates, and says nothing
  // of one.
  if (actual.calls > from.estimate.calls) return;
  auto& excess = excess_[from.role];
  if (actual.tokens > from.estimate.tokens)
    excess.tokens =
        std::max(excess.tokens, actual.tokens - from.estimate.tokens);
  excess.cost = std::max(excess.cost, actual.cost - from.estimate.cost);
}

void budget::release(std::uint64_t ticket) {
  (void)close(ticket);
}

void budget::carry_over(const std::string& role, const spending& actual) {
  spent_.all += actual;
  spent_.by_role[role] += actual;
}

} // namespace brewery
