#include "server/group_budget.hpp"

namespace brewery {

void group_budget::set_limit(group_limit limit) {
  const std::lock_guard lock{mutex_};
  limit_ = limit;
  tell();
}

group_limit group_budget::limit() const {
  const std::lock_guard lock{mutex_};
  return limit_;
}

void group_budget::begin(clock::time_point now, listener told) {
  const std::lock_guard lock{mutex_};
  began_ = now;
  told_ = std::move(told);
  tell();
}

void group_budget::end() {
  const std::lock_guard lock{mutex_};
  told_ = {};
}

std::optional<error> group_budget::note(const std::string& run, double cost_usd,
                                        clock::time_point now) {
  const std::lock_guard lock{mutex_};
  cost_usd_[run] = cost_usd;
  tell();
  return named(why_over(limit_, sum(), session(now)));
}

std::optional<error> group_budget::over(clock::time_point now) const {
  const std::lock_guard lock{mutex_};
  return named(why_over(limit_, sum(), session(now)));
}

std::optional<error> group_budget::over_cost() const {
  const std::lock_guard lock{mutex_};
  return named(why_over({limit_.max_cost_usd, 0}, sum(), {}));
}

double group_budget::cost_usd() const {
  const std::lock_guard lock{mutex_};
  return sum();
}

group_budget::clock::duration
group_budget::session(clock::time_point now) const {
  return began_ ? now - *began_ : clock::duration{};
}

void group_budget::tell() const {
  if (told_) told_(sum(), limit_.max_cost_usd);
}

std::optional<error> group_budget::named(std::optional<error> why) const {
  if (why) why->message = "group " + group_ + ": " + why->message;
  return why;
}

double group_budget::sum() const {
  double out = 0;
  for (const auto& [run, cost] : cost_usd_)
    out += cost;
  return out;
}

} // namespace brewery
