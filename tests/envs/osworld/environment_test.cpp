// Rollouts on a guest that misbehaves on request: no wrong grade, and no
// desktop that is used again without a reset.
#include "base/file.hpp"
#include "envs/osworld/osworld_benchmark.hpp"
#include "tests/envs/osworld/fake_guest.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <map>

using namespace brewery;
using namespace brewery::osworld;
using namespace std::chrono_literals;

namespace {

/// Hands out one fake guest again and again, and counts.
class one_guest final : public desktop_provider {
public:
  struct counts {
    std::atomic<int> starts{0}, resets{0};
  };
  one_guest(guest_address at, std::shared_ptr<counts> seen)
      : at_(std::move(at)), seen_(std::move(seen)) {}
  std::string_view name() const override { return "fake"; }
  std::size_t most() const override { return 1; }
  result<desktop> start() override {
    ++seen_->starts;
    return desktop{"fake", at_};
  }
  result<void> reset(desktop&) override {
    ++seen_->resets;
    return {};
  }
  void stop(const desktop&) override {}
  std::string ended(const desktop&) const override { return ""; }

private:
  guest_address at_;
  std::shared_ptr<counts> seen_;
};

const char* const one_task = R"({"id": "t1", "instruction": "Say yes.",
  "config": [
    {"type": "execute", "parameters":
      {"command": "echo {CLIENT_PASSWORD} {SCREEN_WIDTH_HALF}", "shell": true}},
    {"type": "launch", "parameters": {"command": "gimp -n"}}],
  "evaluator": {
    "postconfig": [
      {"type": "activate_window", "parameters": {"window_name": "gone"}},
      {"type": "command", "parameters":
        {"command": "ask", "shell": true, "stdout": "answer"}}],
    "func": ["exact_match", "check_list"],
    "result": [{"type": "vm_command_line", "command": "cat answer",
                "shell": true},
               {"type": "cache_file", "path": "answer"}],
    "expected": [{"type": "rule", "rules": {"expected": "yes\n"}},
                 {"type": "rule", "rules": {"expect": ["^yes$"]}}]}})";

const char* const infeasible_task = R"({"id": "t2", "instruction": "Fly.",
  "evaluator": {"func": "infeasible"}})";

const char* const task_of_a_day = R"({"id": "t3", "instruction": "When?",
  "evaluator": {"func": "check_direct_json_object",
    "result": {"type": "vm_command_line", "command": "cat day",
               "shell": true},
    "expected": {"type": "rule_relativeTime", "rules": {
      "relativeTime": {"from": "next Monday"},
      "expected": {"time": "{Year}-{Month0D}-{Day0D}"}}}}})";

/// A benchmark of the tasks on one fake guest.
class scene_of_one {
public:
  explicit scene_of_one(fake_guest::fault broken = nullptr,
                        std::chrono::milliseconds limit = 60s)
      : guest(std::move(broken)), seen(std::make_shared<one_guest::counts>()) {
    task_set tasks;
    for (const auto* text : {one_task, infeasible_task, task_of_a_day}) {
      auto task = parse_task(text, "os");
      REQUIRE(task);
      tasks.tasks.push_back(std::move(*task));
    }
    auto rules = std::make_shared<play_rules>();
    rules->limits.execute = rules->limits.screenshot = limit;
    rules->limits.accessibility = rules->limits.other = limit;
    rules->limits.pause = 1ms;
    rules->take_timeout = 30s;
    rules->steps = 3;
    rules->pause = [](auto) {};
    rules->files = std::make_shared<const file_cache>(file_cache_options{});
    rules->desktops =
        std::make_shared<desktop_source>([at = guest.address(), counts = seen] {
          pool_options how;
          how.spares = 0;
          how.ready.still = 1ms;
          // Readiness is not what is tested: the guest may be broken.
          return result<std::shared_ptr<desktop_pool>>{
              std::make_shared<desktop_pool>(
                  std::make_unique<one_guest>(at, counts),
                  [](const guest_address&) {
                    return result<std::string>{small_png()};
                  },
                  how)};
        });
    auto loaded = load_osworld_on(std::move(tasks), rules, "test");
    REQUIRE(loaded);
    bench = *loaded;
  }

  std::unique_ptr<environment> make(const char* task) {
    auto made = bench->make(task_id{task});
    REQUIRE(made);
    return std::move(*made);
  }

  fake_guest guest;
  std::shared_ptr<one_guest::counts> seen;
  std::shared_ptr<const benchmark> bench;
};

json code(const char* text) {
  return {{"code", text}};
}

} // namespace

TEST_CASE("osworld: a rollout is set up, played and graded") {
  scene_of_one scene;
  scene.guest.says("cat answer", "yes\n");
  scene.guest.says("ask", "yes\n");
  {
    const auto env = scene.make("t1");
    CHECK(scene.guest.commands().front() == R"("echo password 960")");
    const auto done = env->call("pyautogui", code("pyautogui.click(1, 2)"));
    CHECK_FALSE(done.failed);
    CHECK(done.content.starts_with("screenshot "));
    CHECK(done.content.find("tag\tname") != std::string::npos);
    const auto shown = env->look();
    REQUIRE(shown);
    CHECK(done.content.starts_with(screenshot_line(*shown)));
    const auto over = env->take_turn({"", {{"1", "done", json::object()}}});
    REQUIRE(over);
    CHECK(over->over);
    CHECK(env->call("pyautogui", code("x")).failed);
    const auto grade = env->grade();
    REQUIRE(grade);
    CHECK(grade->reward == 1.0);
    CHECK(grade->parts.size() == 2);
  }
  // The next rollout gets the desktop only after a reset.
  const auto next = scene.make("t1");
  CHECK(scene.seen->resets == 1);
}

TEST_CASE("osworld: what the agent did not do scores 0, not an error") {
  scene_of_one scene;
  scene.guest.says("cat answer", "no\n");
  const auto env = scene.make("t1");
  const auto grade = env->grade();
  REQUIRE(grade);
  CHECK(grade->reward == 0.0);
}

TEST_CASE("osworld: FAIL solves what is infeasible, and nothing else") {
  scene_of_one scene;
  scene.guest.says("cat answer", "yes\n");
  scene.guest.says("ask", "yes\n");
  const auto reward = [&](const char* task, const char* last) {
    const auto env = scene.make(task);
    env->call(last, json::object());
    const auto grade = env->grade();
    REQUIRE(grade);
    return grade->reward;
  };
  CHECK(reward("t1", "done") == 1.0);
  CHECK(reward("t1", "fail") == 0.0);
  CHECK(reward("t2", "done") == 0.0);
  CHECK(reward("t2", "fail") == 1.0);
}

TEST_CASE("osworld: steps are counted") {
  scene_of_one scene;
  const auto env = scene.make("t1");
  turn_outcome last;
  for (int i = 0; i < 3; ++i) {
    const auto out = env->take_turn({"", {{"1", "pyautogui", code("pass")}}});
    REQUIRE(out);
    CHECK(out->over == (i == 2));
  }
  CHECK(env->call("pyautogui", code("pass")).content.find("used up")
        != std::string::npos);
}

TEST_CASE("osworld: a desktop that breaks gives no grade and is replaced") {
  const auto where =
      GENERATE(as<std::string>{}, "action", "screen", "tree", "grade", "death");
  std::atomic<bool> broken = false;
  scene_of_one scene{
      [&](const peer_request& asked) -> std::optional<peer_reply> {
        if (!broken) return {};
        const bool action = asked.target == "/execute";
        if (where == "death") { // in the middle of a step, and for good
          auto cut = fake_guest::words(200, R"({"status": "success", "out)");
          cut.stop_after = action ? 90 : 0;
          cut.ending = peer_ending::close;
          return cut;
        }
        if ((where == "action" && action)
            || (where == "grade" && asked.target == "/setup/execute"))
          // After the effect: nobody knows whether it ran.
          return fake_guest::words(500, "<h1>Internal Server Error</h1>");
        if (where == "screen" && asked.target == "/screenshot")
          return fake_guest::words(200, small_png().substr(0, 50));
        if (where == "tree" && asked.target == "/accessibility") {
          peer_reply hangs;
          hangs.stop_after = 0;
          hangs.ending = peer_ending::silence;
          return hangs;
        }
        return {};
      },
      where == "tree" ? 1s : 60s};
  INFO(where);
  {
    const auto env = scene.make("t1");
    broken = true;
    if (where != "grade") {
      const auto out = env->take_turn({"", {{"1", "pyautogui", code("pass")}}});
      REQUIRE_FALSE(out);
      CHECK(out.error().code == ec::environment);
      CHECK(out.error().message.find("task t1") != std::string::npos);
    }
    const auto grade = env->grade();
    REQUIRE_FALSE(grade);
    CHECK(grade.error().code == ec::environment);
  }
  broken = false;
  scene.guest.says("cat answer", "yes\n");
  scene.guest.says("ask", "yes\n");
  const auto next = scene.make("t1");
  CHECK(scene.seen->resets == 1);
  CHECK(next->grade()->reward == 1.0);
}

TEST_CASE("osworld: a guest with a wrong clock is graded by its own day") {
  // Its replies are dated a quarter of a century ago, and so are its files.
  scene_of_one scene{
      [](const peer_request& asked) -> std::optional<peer_reply> {
        if (asked.target == "/execute"
            && asked.body.find("\"date\"") != std::string::npos) {
          auto out = fake_guest::words(
              200, R"({"status": "success", "output": "2001 12 31\n",
                       "error": "", "returncode": 0})");
          out.headers.push_back({"Date", "Mon, 31 Dec 2001 23:59:59 GMT"});
          return out;
        }
        return {};
      }};
  scene.guest.says("cat day", R"({"time": "2002-01-07"})");
  const auto env = scene.make("t3");
  CHECK_FALSE(env->call("pyautogui", code("pass")).failed);
  const auto grade = env->grade();
  REQUIRE(grade);
  CHECK(grade->reward == 1.0);
}

TEST_CASE("osworld: a setup that fails blames the environment") {
  scene_of_one scene{
      [](const peer_request& asked) -> std::optional<peer_reply> {
        if (asked.target != "/setup/launch") return {};
        return fake_guest::words(
            500, R"({"status": "error", "message": "no such program"})");
      }};
  const auto made = scene.bench->make(task_id{"t1"});
  REQUIRE_FALSE(made);
  CHECK(made.error().code == ec::environment);
  CHECK(made.error().message.find("step 2 of 2 (launch)") != std::string::npos);
}

TEST_CASE("osworld: equal tasks and versions have equal fingerprints") {
  const auto print = [](const std::string& content, const char* version) {
    task_set tasks;
    tasks.content = content;
    return (*load_osworld_on(std::move(tasks), std::make_shared<play_rules>(),
                             version))
        ->fingerprint();
  };
  CHECK(print("a", "1") == print("a", "1"));
  CHECK(print("a", "1") != print("b", "1"));
  CHECK(print("a", "1") != print("a", "2"));
}
