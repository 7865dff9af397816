#include "llm/client/concurrency.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <tuple>

namespace brewery {

call_limiter::call_limiter(std::uint32_t initial, std::uint32_t most)
    : limit_(initial), most_(most) {
  BREWERY_ASSERT(initial >= 1 && initial <= most);
}

std::uint32_t call_limiter::limit() const {
  return static_cast<std::uint32_t>(limit_);
}

void call_limiter::wait(const std::string& owner, ticket call, bool first) {
  auto& queue = owners_[owner].queue;
  queue.insert(first ? queue.begin() : queue.end(), call);
  ++waiting_;
}

std::map<std::string, call_limiter::owner_state>::iterator
call_limiter::next_owner() {
  auto best = owners_.end();
  for (auto it = owners_.begin(); it != owners_.end(); ++it) {
    if (it->second.queue.empty()) continue;
    const auto rank = [](const owner_state& of) {
      return std::tuple{of.out, of.last_turn};
    };
    if (best == owners_.end() || rank(it->second) < rank(best->second))
      best = it;
  }
  return best;
}

std::vector<call_limiter::ticket> call_limiter::start(milliseconds now) {
  std::vector<ticket> out;
  if (now < pause_) return out;
  while (waiting_ > 0 && out_.size() < limit()) {
    const auto owner = next_owner();
    auto& state = owner->second;
    const auto call = state.queue.front();
    state.queue.pop_front();
    --waiting_;
    ++state.out;
    state.last_turn = ++turns_;
    out_[call] = {owner->first, cuts_, out_.size() + 1 >= limit()};
    out.push_back(call);
  }
  return out;
}

void call_limiter::leave(std::map<ticket, call_state>::iterator call) {
  const auto owner = owners_.find(call->second.owner);
  --owner->second.out;
  if (owner->second.out == 0 && owner->second.queue.empty())
    owners_.erase(owner);
  out_.erase(call);
}

void call_limiter::finish(ticket call, verdict what) {
  const auto found = out_.find(call);
  if (found == out_.end()) return;
  const auto state = found->second;
  // Only answers to calls that used the full limit justify a higher one.
  const bool was_full = state.at_limit || out_.size() >= limit();
  leave(found);
  if (what == verdict::good && was_full)
    limit_ = std::min(most_, limit_ + (probing_ ? 1.0 : 1.0 / limit_));
  if (what == verdict::congested && state.cuts_before == cuts_) {
    probing_ = false;
    ++cuts_;
    limit_ = std::max(1.0, limit_ / 2);
  }
}

void call_limiter::withdraw(ticket call) {
  if (const auto found = out_.find(call); found != out_.end())
    return leave(found);
  for (auto it = owners_.begin(); it != owners_.end(); ++it) {
    auto& queue = it->second.queue;
    const auto at = std::find(queue.begin(), queue.end(), call);
    if (at == queue.end()) continue;
    queue.erase(at);
    --waiting_;
    if (queue.empty() && it->second.out == 0) owners_.erase(it);
    return;
  }
}

void call_limiter::pause_until(milliseconds when) {
  pause_ = std::max(pause_, when);
}

call_limiter::milliseconds call_limiter::paused_until(milliseconds now) const {
  return now < pause_ && waiting_ > 0 ? pause_ : milliseconds{0};
}

} // namespace brewery
