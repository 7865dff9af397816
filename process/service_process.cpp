#include "process/service_process.hpp"

#include <fmt/format.h>

namespace brewery::child {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

service_process::service_process(service_options options)
    : options_(std::move(options)),
      failures_(restart_rules{.patience = options_.start_patience}) {}

service_process::~service_process() {
  release_children();
}

void service_process::release_children() {
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
  return failures_.refusal(
      fmt::format("the {} ({})", options_.name, options_.command.shown()));
}

result<service_process::running> service_process::start() {
  auto process = child_process::start(options_.command);
  if (!process) return process.error();
  running made;
  made.channel =
      std::make_shared<service_channel>(std::move(*process), options_.log);
  auto hello = made.channel->hello(options_.start_timeout);
  if (!hello) return hello.error();
  if (!hello->contains(options_.hello_member))
    return error{ec::malformed,
                 fmt::format("its hello has no \"{}\"", options_.hello_member)};
  made.hello = std::move(*hello);
  return made;
}

/// The current incarnation, or a new one; unlocked while it starts.
result<service_process::running> service_process::current() {
  std::unique_lock lock{mutex_};
  for (;;) {
    changed_.wait(lock, [this] { return !starting_; });
    if (now_.channel) {
      const auto why = now_.channel->broken();
      if (why.empty()) return now_;
      // An incarnation that answered requests is not a failed start.
      if (!served_) failures_.add({ec::io, why}, steady_clock::now());
      now_ = {};
    }
    const auto now = steady_clock::now();
    if (const auto next = failures_.next_start(); now < next) {
      if (failures_.given_up(now, incarnations_ > 0)) return refusal();
      changed_.wait_until(lock, next);
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
    failures_.add(made.error(), steady_clock::now());
    // A retry may help if the service ended, but not if it was not found or did
    // not answer.
    const auto code = made.error().code;
    if (code != ec::io && code != ec::environment) return refusal();
  }
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
  auto reply = now.channel->ask(std::move(request), patience);
  if (!reply && reply.error().code == ec::timeout)
    return broke(fmt::format("it did not answer within {} ms and was killed",
                             patience.count()));
  if (!reply) return broke(reply.error().message);
  {
    const std::lock_guard lock{mutex_};
    if (now_.incarnation == now.incarnation) {
      served_ = true;
      failures_.clear();
    }
  }
  return service_reply{std::move(*reply), now.incarnation};
}

} // namespace brewery::child
