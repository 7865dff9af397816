#include "base/file.hpp"
#include "envs/osworld/desktops/local_provider.hpp"
#include "envs/osworld/guest/guest_client.hpp"
#include "process/child_process.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

using namespace brewery;
using namespace brewery::osworld;

namespace {

/// Says what is missing. CI installs all of it.
bool has_desktops() {
  for (const char* program : {"bwrap", "Xvfb", "openbox", "wmctrl"})
    if (!child::find_program(
            {{program}, {}, {{"PATH", "/usr/local/bin:/usr/bin:/bin"}}})) {
      WARN("skipped: " << program
                       << " is missing (scripts/install_deps.sh --osworld)");
      return false;
    }
  return true;
}

/// Far more than a desktop takes: what is waited for comes, or never.
constexpr std::chrono::minutes until_it_comes{10};

screen_probe with_client() {
  return [](const guest_address& at) -> result<std::string> {
    auto shown = guest_client{at}.screenshot();
    if (!shown) return shown.error();
    return std::move(shown->png);
  };
}

ready_rules unhurried() {
  ready_rules out;
  out.deadline = until_it_comes;
  return out;
}

std::string run(const guest_address& at, const std::string& script) {
  auto done = guest_client{at}.execute(script, true);
  return done ? done->output : "failed: " + done.error().message;
}

local_options small_screen() {
  local_options out;
  out.width_px = 800;
  out.height_px = 600;
  return out;
}

/// "local 1234" -> the number of its first process.
std::string process_of(const std::string& id) {
  return id.substr(id.find(' ') + 1);
}

/// Kills a child and waits for its end, by a descriptor of it.
bool kill_and_wait(pid_t child) {
  const file_descriptor handle{
      static_cast<int>(::syscall(SYS_pidfd_open, child, 0))};
  if (!handle || ::kill(child, SIGKILL) != 0) return false;
  pollfd end{handle.get(), POLLIN, 0};
  const auto limit_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(until_it_comes)
          .count();
  return ::poll(&end, 1, static_cast<int>(limit_ms)) == 1;
}

/// Whether its end is noticed: by a thread that the same end wakes.
bool is_noticed(const desktop_pool::lease& taken) {
  const auto deadline = std::chrono::steady_clock::now() + until_it_comes;
  while (taken.ended().empty() && std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
  return !taken.ended().empty();
}

} // namespace

TEST_CASE("local desktop: several at once, each with its own home") {
  if (!has_desktops()) return;
  auto provider = make_local_provider(small_screen());
  REQUIRE(provider);
  desktop_pool pool{std::move(*provider), with_client(), {2, 0, unhurried()}};
  const auto soon = desktop_pool::clock::now() + until_it_comes;
  const auto one = pool.take(soon);
  REQUIRE(one);
  const auto two = pool.take(soon);
  REQUIRE(two);
  CHECK(one->address().server_port != two->address().server_port);
  CHECK(run(one->address(), "echo mine > ~/file; echo $HOME $DISPLAY")
        == "/home/user :0\n");
  CHECK(run(two->address(), "ls ~/file 2>&1 | grep -c cannot") == "1\n");
  // The token of one does not open the other.
  auto stolen = one->address();
  stolen.server_port = two->address().server_port;
  CHECK_FALSE(guest_client{stolen}.screenshot());
}

TEST_CASE("local desktop: a reset leaves nothing of what was done") {
  if (!has_desktops()) return;
  const auto provider = make_local_provider(small_screen());
  REQUIRE(provider);
  auto made = (*provider)->start();
  REQUIRE(made);
  const auto first = process_of(made->id);
  run(made->address, "touch ~/file /tmp/file; sleep 1000 &");
  CHECK((*provider)->ended(*made).empty());
  REQUIRE((*provider)->reset(*made));
  CHECK(run(made->address, "ls ~/file /tmp/file 2>/dev/null; pgrep sleep")
        == "");
  CHECK_FALSE(std::filesystem::exists("/proc/" + first));
  (*provider)->stop(*made);
  CHECK_FALSE((*provider)->ended(*made).empty());
}

TEST_CASE("local desktop: one that is killed is replaced") {
  if (!has_desktops()) return;
  auto provider = make_local_provider(small_screen());
  REQUIRE(provider);
  desktop_pool pool{std::move(*provider), with_client(), {1, 0, unhurried()}};
  const auto soon = desktop_pool::clock::now() + until_it_comes;
  std::string first;
  {
    const auto taken = pool.take(soon);
    REQUIRE(taken);
    first = taken->id();
    REQUIRE(kill_and_wait(std::stoi(process_of(first))));
    CHECK(is_noticed(*taken));
  }
  const auto next = pool.take(soon);
  REQUIRE(next);
  CHECK(next->id() != first);
  CHECK(next->ended().empty());
  CHECK(run(next->address(), "echo here") == "here\n");
}
