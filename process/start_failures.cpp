#include "process/start_failures.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::child {

namespace {

/// Fewer failures may be chance.
constexpr std::uint32_t failures_refused = 3;

} // namespace

std::chrono::milliseconds start_failures::pause() const {
  const auto doublings = std::clamp<std::uint32_t>(count_, 1, 11) - 1;
  const auto grown =
      std::min(rules_.longest_pause, rules_.first_pause * (1U << doublings));
  return count_ < failures_refused ? grown
                                   : std::max(grown, rules_.refused_pause);
}

void start_failures::add(const error& why, time_point now) {
  if (count_ == 0) since_ = now;
  ++count_;
  last_ = why;
  next_start_ = now + pause();
}

void start_failures::clear() {
  count_ = 0;
  next_start_ = {};
}

void start_failures::start_again(time_point now) {
  if (count_ > 0) next_start_ = now + pause();
}

bool start_failures::given_up(time_point now, bool has_worked) const {
  if (count_ < failures_refused) return false;
  const bool hopeful = has_worked || last_.code == ec::environment;
  return !hopeful || now - since_ >= rules_.patience;
}

error start_failures::refusal(std::string_view what) const {
  const auto often =
      count_ > 1 ? fmt::format(", {} times in a row", count_) : "";
  return {ec::exhausted, fmt::format("{} cannot be started{}: {}", what, often,
                                     last_.message)};
}

} // namespace brewery::child
