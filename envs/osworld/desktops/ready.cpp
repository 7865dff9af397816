#include "envs/osworld/desktops/ready.hpp"

#include <fmt/format.h>

#include <thread>

namespace brewery::osworld {

using std::chrono::steady_clock;

namespace {

result<std::string> first_screen(const guest_address& at,
                                 const screen_probe& probe,
                                 const std::function<std::string()>& gone,
                                 const ready_rules& rules) {
  const auto deadline = steady_clock::now() + rules.deadline;
  for (;;) {
    auto screen = probe(at);
    if (screen) return screen;
    if (const auto why = gone(); !why.empty())
      return error{ec::environment, "the desktop has ended: " + why};
    if (steady_clock::now() >= deadline)
      return error{ec::environment,
                   fmt::format("no screenshot of the desktop at {}:{} within "
                               "{} ms; last: {}",
                               at.host, at.server_port, rules.deadline.count(),
                               screen.error().message)};
    std::this_thread::sleep_for(rules.pause);
  }
}

} // namespace

result<void> await_ready(const guest_address& at, const screen_probe& probe,
                         const std::function<std::string()>& gone,
                         const ready_rules& rules) {
  auto before = first_screen(at, probe, gone, rules);
  if (!before) return before.error();
  std::this_thread::sleep_for(rules.fixed);
  const auto restless = steady_clock::now() + rules.restless;
  while (steady_clock::now() < restless) {
    std::this_thread::sleep_for(rules.still);
    auto now = probe(at);
    if (!now) return now.error();
    if (*now == *before) break;
    before = std::move(now);
  }
  return {};
}

} // namespace brewery::osworld
