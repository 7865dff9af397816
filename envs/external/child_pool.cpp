#include "envs/external/child_pool.hpp"

#include <algorithm>
#include <thread>

namespace brewery::external {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

/// The cause of a failed start may be repaired while this process runs.
constexpr std::chrono::seconds refused_pause{15};
constexpr milliseconds end_patience{1000};
/// Some programs say something else each time.
constexpr std::size_t reasons_max = 20;

} // namespace

child_pool::child_pool(external_options options)
    : options_(std::move(options)),
      failures_(child::restart_rules{.refused_pause = refused_pause}) {}

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
  return failures_.refusal("environment " + options_.command.shown());
}

result<void> child_pool::same_as_first(const external_child& child) {
  if (fingerprint_.empty()) fingerprint_ = child.fingerprint();
  if (fingerprint_ == child.fingerprint()) return {};
  return error{ec::version_mismatch,
               "it introduces itself otherwise than the first time: its data, "
               "tasks or version changed while this process ran, or its hello "
               "is not the same every time"};
}

/// Locks only for the counting, because a start takes long.
result<std::shared_ptr<external_child>> child_pool::start() {
  auto made = external_child::start(options_);
  const std::lock_guard lock{mutex_};
  auto started = made ? same_as_first(**made) : result<void>{made.error()};
  if (started) {
    failures_.clear();
    return made;
  }
  const auto& why = started.error().message;
  failures_.add(started.error(), steady_clock::now());
  // Who starts the first child gets the error.
  note(fingerprint_.empty() ? std::string{} : why,
       "a child that was started anew is refused: " + why);
  return started.error();
}

void child_pool::note(const std::string& reason, const std::string& what) {
  const std::lock_guard lock{told_mutex_};
  const bool first = !reason.empty() && told_.size() < reasons_max
                     && told_.insert(reason).second;
  const auto& sink = first && options_.warn ? options_.warn : options_.log;
  if (sink) sink("environment: " + what);
}

result<child_pool::place> child_pool::acquire(child_age wanted) {
  for (;;) {
    {
      std::unique_lock lock{mutex_};
      if (wanted == child_age::any)
        if (auto found = find_free()) return std::move(*found);
      const auto now = steady_clock::now();
      if (const auto next = failures_.next_start(); now < next) {
        if (failures_.given_up(now, false)) return refusal();
        lock.unlock();
        std::this_thread::sleep_until(next);
        continue;
      }
      failures_.start_again(now);
    }
    auto made = start();
    const std::lock_guard lock{mutex_};
    if (made) {
      members_.push_back({*made, 1});
      return place{*made, ++sessions_, true};
    }
    // A retry may help if the child ended, but not if it was refused or did not
    // answer.
    if (made.error().code != ec::io
        || failures_.given_up(steady_clock::now(), false))
      return refusal();
  }
}

void child_pool::release(const place& done) {
  // Not locked: the child may be busy with another rollout for long.
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
