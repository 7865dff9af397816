#include "envs/external/child_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace brewery::external {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

constexpr int failures_max = 3;
constexpr milliseconds start_pause{100};
/// Whatever it is may be repaired while this process runs.
constexpr std::chrono::seconds refused_for{15};
constexpr milliseconds end_patience{1000};

} // namespace

child_pool::child_pool(external_options options)
    : options_(std::move(options)) {}

child_pool::~child_pool() {
  for (const auto& one : members_)
    one.child->close_input();
  const auto deadline = steady_clock::now() + end_patience;
  for (const auto& one : members_)
    one.child->end(
        std::max(milliseconds{0}, std::chrono::duration_cast<milliseconds>(
                                      deadline - steady_clock::now())));
}

std::optional<child_pool::place> child_pool::find_free() {
  std::erase_if(members_, [](const member& one) {
    return one.used == 0 && !one.child->well();
  });
  for (auto& one : members_)
    if (one.used < one.child->about().sessions && one.child->well()) {
      ++one.used;
      return place{one.child, ++sessions_, false};
    }
  return std::nullopt;
}

error child_pool::refusal() const {
  return {ec::exhausted, fmt::format("environment {} cannot be started{}: {}",
                                     options_.command.shown(),
                                     failures_ >= failures_max ? fmt::format(
                                         ", {} times in a row", failures_)
                                                               : "",
                                     last_failure_)};
}

result<void> child_pool::same_as_first(const external_child& child) {
  if (fingerprint_.empty()) fingerprint_ = child.fingerprint();
  if (fingerprint_ == child.fingerprint()) return {};
  return error{ec::version_mismatch,
               "it introduces itself otherwise than the first time: its data, "
               "tasks or version changed while this process ran, or its hello "
               "is not the same every time"};
}

/// Without the lock but for the counting: a start takes long.
result<std::shared_ptr<external_child>> child_pool::start() {
  for (;;) {
    auto made = external_child::start(options_);
    std::unique_lock lock{mutex_};
    auto failed = made ? result<void>{} : result<void>{made.error()};
    if (made) failed = same_as_first(**made);
    if (failed) {
      failures_ = 0;
      return made;
    }
    ++failures_;
    last_failure_ = failed.error().message;
    next_start_ = steady_clock::now() + refused_for;
    // What ended may do better the next time; what was refused or did not
    // answer would be again.
    const bool again = failed.error().code == ec::io;
    if (!again || failures_ >= failures_max) return refusal();
    lock.unlock();
    std::this_thread::sleep_for(start_pause);
  }
}

result<child_pool::place> child_pool::acquire() {
  {
    const std::lock_guard lock{mutex_};
    if (auto found = find_free()) return std::move(*found);
    if (failures_ >= failures_max) {
      if (steady_clock::now() < next_start_) return refusal();
      next_start_ = steady_clock::now() + refused_for; // one tries again
    }
  }
  auto made = start();
  if (!made) return made.error();
  const std::lock_guard lock{mutex_};
  members_.push_back({*made, 1});
  return place{*made, ++sessions_, true};
}

void child_pool::release(const place& done) {
  // Without the lock: the child may be answering another rollout for long.
  const bool broken = done.child->broken();
  const std::lock_guard lock{mutex_};
  const auto one =
      std::find_if(members_.begin(), members_.end(),
                   [&](const member& m) { return m.child == done.child; });
  if (one == members_.end()) return;
  --one->used;
  if (broken && one->used == 0) members_.erase(one);
}

} // namespace brewery::external
