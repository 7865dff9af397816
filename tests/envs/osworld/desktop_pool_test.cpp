#include "envs/osworld/desktops/desktop_pool.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <atomic>
#include <future>
#include <set>

using namespace brewery;
using namespace brewery::osworld;
using namespace std::chrono_literals;

namespace {

/// What a provider of numbers saw; shared with the test.
struct seen {
  std::mutex mutex;
  std::set<std::string> running;
  std::set<std::string> dirty; ///< leased and not reset since
  std::set<std::string> gone;  ///< ended by themselves
  int started = 0, resets = 0, stopped = 0;
  bool refuses = false, breaks_on_reset = false;
  std::size_t most = 0;
};

class fake_provider final : public desktop_provider {
public:
  explicit fake_provider(std::shared_ptr<seen> to) : to_(std::move(to)) {}

  std::string_view name() const override { return "fake"; }
  std::size_t most() const override { return to_->most; }

  result<desktop> start() override {
    const std::lock_guard lock{to_->mutex};
    if (to_->refuses) return error{ec::exhausted, "no display"};
    desktop made{fmt::format("fake {}", ++to_->started), {}};
    to_->running.insert(made.id);
    return made;
  }
  result<void> reset(desktop& used) override {
    const std::lock_guard lock{to_->mutex};
    ++to_->resets;
    if (to_->breaks_on_reset) return error{ec::environment, "it broke"};
    to_->dirty.erase(used.id);
    return {};
  }
  void stop(const desktop& used) override {
    const std::lock_guard lock{to_->mutex};
    ++to_->stopped;
    to_->running.erase(used.id);
  }
  std::string ended(const desktop& one) const override {
    const std::lock_guard lock{to_->mutex};
    return to_->gone.contains(one.id) ? "it was killed" : "";
  }

private:
  std::shared_ptr<seen> to_;
};

screen_probe still_screen() {
  return [](const guest_address&) { return result<std::string>{"png"}; };
}

pool_options of(std::size_t leases, std::size_t spares) {
  pool_options out{leases, spares, {}};
  out.ready.still = out.ready.pause = 1ms;
  return out;
}

desktop_pool::clock::time_point soon() {
  return desktop_pool::clock::now() + 30s;
}

/// Waits until the pool's threads have done it. False: never.
bool reached(const std::shared_ptr<seen>& what,
             const std::function<bool(const seen&)>& holds) {
  const auto deadline = soon();
  for (;;) {
    {
      const std::lock_guard lock{what->mutex};
      if (holds(*what)) return true;
    }
    if (desktop_pool::clock::now() > deadline) return false;
    std::this_thread::yield();
  }
}

void use(const std::shared_ptr<seen>& what, const desktop_pool::lease& taken) {
  const std::lock_guard lock{what->mutex};
  CHECK_FALSE(what->dirty.contains(taken.id()));
  CHECK(what->running.contains(taken.id()));
  what->dirty.insert(taken.id());
}

} // namespace

TEST_CASE("desktop pool: nothing is started before somebody asks") {
  const auto what = std::make_shared<seen>();
  desktop_pool pool{std::make_unique<fake_provider>(what), still_screen(),
                    of(2, 1)};
  CHECK(what->started == 0);
}

TEST_CASE("desktop pool: a desktop is never leased dirty") {
  const auto what = std::make_shared<seen>();
  {
    desktop_pool pool{std::make_unique<fake_provider>(what), still_screen(),
                      of(3, 2)};
    std::atomic<int> played{0};
    std::vector<std::thread> rollouts;
    for (int i = 0; i < 6; ++i)
      rollouts.emplace_back([&] {
        for (int turn = 0; turn < 50; ++turn) {
          const auto taken = pool.take(soon());
          if (!taken) continue;
          use(what, *taken);
          ++played;
        }
      });
    for (auto& one : rollouts)
      one.join();
    CHECK(played == 300);
    CHECK(what->started <= 5);
    CHECK(what->resets >= 290);
  }
  CHECK(what->running.empty());
}

TEST_CASE("desktop pool: no more are leased than allowed") {
  const auto what = std::make_shared<seen>();
  desktop_pool pool{std::make_unique<fake_provider>(what), still_screen(),
                    of(1, 2)};
  const auto first = pool.take(soon());
  REQUIRE(first);
  const auto second = pool.take(desktop_pool::clock::now() + 20ms);
  REQUIRE_FALSE(second);
  CHECK(second.error().code == ec::timeout);
}

TEST_CASE("desktop pool: spares are made while a desktop is in use") {
  const auto what = std::make_shared<seen>();
  desktop_pool pool{std::make_unique<fake_provider>(what), still_screen(),
                    of(1, 1)};
  const auto taken = pool.take(soon());
  REQUIRE(taken);
  CHECK(reached(what, [](const seen& now) { return now.started == 2; }));
}

TEST_CASE("desktop pool: one that cannot be reset is replaced") {
  const auto what = std::make_shared<seen>();
  what->breaks_on_reset = true;
  desktop_pool pool{std::make_unique<fake_provider>(what), still_screen(),
                    of(1, 0)};
  std::string first;
  {
    const auto taken = pool.take(soon());
    REQUIRE(taken);
    use(what, *taken);
    first = taken->id();
  }
  const auto next = pool.take(soon());
  REQUIRE(next);
  CHECK(next->id() != first);
  use(what, *next);
  CHECK_FALSE(what->running.contains(first));
}

TEST_CASE("desktop pool: a spare that has ended is not leased") {
  const auto what = std::make_shared<seen>();
  desktop_pool pool{std::make_unique<fake_provider>(what), still_screen(),
                    of(1, 1)};
  { REQUIRE(pool.take(soon())); }
  REQUIRE(
      reached(what, [](const seen& now) { return now.running.size() == 2; }));
  {
    const std::lock_guard lock{what->mutex};
    what->gone = what->running;
  }
  what->breaks_on_reset = true; // what has ended cannot be reset
  const auto taken = pool.take(soon());
  REQUIRE(taken);
  CHECK(taken->ended().empty());
}

TEST_CASE("desktop pool: what cannot be started is said, not waited for") {
  const auto what = std::make_shared<seen>();
  what->refuses = true;
  desktop_pool pool{std::make_unique<fake_provider>(what), still_screen(),
                    of(1, 0)};
  const auto taken = pool.take(desktop_pool::clock::now() + 60s);
  REQUIRE_FALSE(taken);
  CHECK(taken.error().code == ec::exhausted);
  CHECK(taken.error().message
        == "a desktop (fake) cannot be started, 3 times in a row: no display");
}

TEST_CASE("desktop pool: the provider's own number is the limit") {
  const auto what = std::make_shared<seen>();
  what->most = 2;
  desktop_pool pool{std::make_unique<fake_provider>(what), still_screen(),
                    of(4, 4)};
  const auto first = pool.take(soon());
  const auto second = pool.take(soon());
  REQUIRE(first);
  REQUIRE(second);
  CHECK_FALSE(pool.take(desktop_pool::clock::now() + 20ms));
}

TEST_CASE("desktop pool: released desktops are stopped, and started again") {
  const auto what = std::make_shared<seen>();
  desktop_pool pool{std::make_unique<fake_provider>(what), still_screen(),
                    of(1, 1)};
  { REQUIRE(pool.take(soon())); }
  pool.release();
  CHECK(reached(what, [](const seen& now) { return now.running.empty(); }));
  CHECK(pool.take(soon()));
}

TEST_CASE("desktop pool: one that is made during a release is stopped") {
  const auto what = std::make_shared<seen>();
  std::promise<void> released;
  const screen_probe slow =
      [what, open = released.get_future().share()](const guest_address&) {
        const bool spare = [&] {
          const std::lock_guard lock{what->mutex};
          return what->started == 2;
        }();
        if (spare) open.wait();
        return result<std::string>{"png"};
      };
  desktop_pool pool{std::make_unique<fake_provider>(what), slow, of(1, 1)};
  { REQUIRE(pool.take(soon())); }
  REQUIRE(reached(what, [](const seen& now) { return now.started == 2; }));
  pool.release();
  released.set_value();
  CHECK(reached(what, [](const seen& now) { return now.running.empty(); }));
}

TEST_CASE("desktop ready: a screen that stands still") {
  int shots = 0;
  const screen_probe moving = [&](const guest_address&) {
    ++shots;
    return result<std::string>{shots < 4 ? std::to_string(shots) : "still"};
  };
  ready_rules rules;
  rules.still = 1ms;
  CHECK(await_ready(
      {}, moving, [] { return std::string{}; }, rules));
  CHECK(shots == 5);
}

TEST_CASE("desktop ready: a screen that never stands still") {
  int shots = 0;
  const screen_probe moving = [&](const guest_address&) {
    return result<std::string>{std::to_string(++shots)};
  };
  ready_rules rules;
  rules.still = 1ms;
  rules.restless = 20ms;
  CHECK(await_ready(
      {}, moving, [] { return std::string{}; }, rules));
}

TEST_CASE("desktop ready: one that has ended is not waited for") {
  const screen_probe dead = [](const guest_address&) {
    return result<std::string>{error{ec::environment, "refused"}};
  };
  const auto done =
      await_ready({}, dead, [] { return std::string{"exit status 1"}; }, {});
  REQUIRE_FALSE(done);
  CHECK(done.error().message == "the desktop has ended: exit status 1");

  ready_rules rules;
  rules.deadline = 20ms;
  const auto late = await_ready(
      {}, dead, [] { return std::string{}; }, rules);
  REQUIRE_FALSE(late);
  CHECK(late.error().code == ec::environment);
  CHECK_THAT(late.error().message, Catch::Contains("refused"));
}
