#include "envs/child/service_process.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::child {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

constexpr milliseconds first_pause{100};
constexpr milliseconds longest_pause{5'000};
/// Fewer may be bad luck.
constexpr std::uint32_t failures_refused = 3;

milliseconds pause_after(std::uint32_t failures) {
  const auto doublings = std::min<std::uint32_t>(failures - 1, 10);
  return std::min(longest_pause, first_pause * (1U << doublings));
}

} // namespace

service_process::service_process(service_options options)
    : options_(std::move(options)) {}

service_process::~service_process() {
  rest();
}

void service_process::rest() {
  running ended;
  {
    const std::lock_guard lock{mutex_};
    std::swap(ended, now_);
  }
  if (ended.channel) ended.channel->end(options_.end_patience);
}

std::uint64_t service_process::incarnation() const {
  const std::lock_guard lock{mutex_};
  return now_.channel && now_.channel->broken().empty() ? now_.incarnation : 0;
}

error service_process::refusal() const {
  return {ec::exhausted, fmt::format("the {} ({}) cannot be started{}: {}",
                                     options_.name, options_.command.shown(),
                                     failures_ > 1 ? fmt::format(
                                         ", {} times in a row", failures_)
                                                   : "",
                                     last_failure_.message)};
}

/// Whether whoever asks is refused at once until the pause is over: others may
/// have a machine on which it starts. What has never worked here and ends by
/// itself lacks something; what did, or is killed, may do better when the
/// trouble is over.
bool service_process::given_up() const {
  if (failures_ < failures_refused) return false;
  const bool hopeful =
      incarnations_ > 0 || last_failure_.code == ec::environment;
  return !hopeful
         || steady_clock::now() - failing_since_ >= options_.start_patience;
}

result<service_process::running> service_process::start() {
  auto process = child_process::start(options_.command);
  if (!process) return process.error();
  const auto deadline = steady_clock::now() + options_.start_timeout;
  running made;
  made.channel =
      std::make_shared<service_channel>(std::move(*process), options_.log);
  auto hello = made.channel->hello(deadline);
  if (!hello) return hello.error();
  if (!hello->contains(options_.hello_member))
    return error{ec::malformed,
                 fmt::format("its hello has no \"{}\"", options_.hello_member)};
  made.hello = std::move(*hello);
  return made;
}

/// The incarnation there is, or a new one; without the lock while it starts.
result<service_process::running> service_process::current() {
  std::unique_lock lock{mutex_};
  for (;;) {
    changed_.wait(lock, [this] { return !starting_; });
    if (now_.channel) {
      const auto why = now_.channel->broken();
      if (why.empty()) return now_;
      // One that served is not a failed start.
      if (!served_) count_failure({ec::io, why});
      now_ = {};
    }
    if (steady_clock::now() < next_start_) {
      if (given_up()) return refusal();
      changed_.wait_until(lock, next_start_);
      continue;
    }
    starting_ = true;
    lock.unlock();
    auto made = start();
    lock.lock();
    starting_ = false;
    changed_.notify_all();
    if (made) {
      made->incarnation = ++incarnations_;
      served_ = false;
      now_ = *made;
      return made;
    }
    count_failure(made.error());
    // What ended may do better the next time; what was not found or did not
    // answer would not.
    const auto code = made.error().code;
    if (code != ec::io && code != ec::environment) return refusal();
  }
}

void service_process::count_failure(const error& why) {
  if (failures_ == 0) failing_since_ = steady_clock::now();
  ++failures_;
  last_failure_ = why;
  next_start_ = steady_clock::now() + pause_after(failures_);
}

result<json> service_process::hello() {
  auto now = current();
  if (!now) return now.error();
  return now->hello;
}

result<service_reply> service_process::ask(json request, milliseconds patience,
                                           std::uint64_t only) {
  const auto broke = [this](const std::string& why) {
    return error{ec::environment, fmt::format("{}: {}", options_.name, why)};
  };
  running now;
  if (only == 0) {
    auto there = current();
    if (!there) return there.error();
    now = std::move(*there);
  } else {
    const std::lock_guard lock{mutex_};
    if (now_.incarnation != only)
      return broke("it was started again since, and what it held is gone");
    now = now_;
  }
  auto reply =
      now.channel->ask(std::move(request), steady_clock::now() + patience);
  if (!reply && reply.error().code == ec::timeout)
    return broke(fmt::format("it did not answer within {} ms and was killed",
                             patience.count()));
  if (!reply) return broke(reply.error().message);
  {
    const std::lock_guard lock{mutex_};
    if (now_.incarnation == now.incarnation) {
      served_ = true;
      failures_ = 0;
    }
  }
  return service_reply{std::move(*reply), now.incarnation};
}

} // namespace brewery::child
