// The tasks of examples/osworld, played and graded by Brewery on desktops of
// this machine: doing nothing scores 0, the scripted solution 1. Nine of them;
// BREWERY_OSWORLD_PLAY plays all of them, which takes minutes.
#include "base/file.hpp"
#include "envs/osworld/osworld_benchmark.hpp"
#include "messages/json.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace brewery;
using namespace brewery::osworld;

namespace {

namespace fs = std::filesystem;

bool has_applications() {
  for (const char* program : {"bwrap", "Xvfb", "openbox", "soffice", "gimp",
                              "vlc", "chromium", "gnome-terminal"})
    if (!fs::exists(fs::path{"/usr/bin"} / program)) {
      WARN("skipped: " << program
                       << " is missing (scripts/install_deps.sh --osworld)");
      return false;
    }
  return true;
}

constexpr const char* not_yet = "not yet";
constexpr std::chrono::minutes patience{10};

/// Waits on the desktop itself until a shell script succeeds there: some
/// seconds, well within the deadline of one call.
std::string waiting(const std::string& script) {
  return fmt::format("import subprocess\n"
                     "end = time.monotonic() + 20\n"
                     "while subprocess.run({}, shell=True).returncode != 0:\n"
                     "    if time.monotonic() > end:\n"
                     "        raise SystemExit('{}')\n"
                     "    time.sleep(0.1)\n",
                     json(script).dump(), not_yet);
}

/// Makes one step of a solution; a wait again and again, so that nothing rests
/// on how fast the machine is.
tool_result make(environment& env, const json& step) {
  if (step.contains("act"))
    return env.call("pyautogui", {{"code", step["act"]}});
  const auto code = waiting(step["until"]);
  const auto last = std::chrono::steady_clock::now() + patience;
  for (;;) {
    auto done = env.call("pyautogui", {{"code", code}});
    if (!done.failed || done.content.find(not_yet) == std::string::npos
        || std::chrono::steady_clock::now() > last)
      return done;
  }
}

/// A rollout's score; a text says why there is none.
std::string score(const benchmark& bench, const task_id& task,
                  const json& steps) {
  const auto env = bench.make(task);
  if (!env) return env.error().message;
  std::string end = "done";
  for (const auto& step : steps) {
    const auto action = step.value("act", std::string{});
    if (action == "FAIL") end = "fail";
    if (action == "FAIL" || action == "DONE") continue;
    const auto done = make(**env, step);
    if (done.failed) return step.dump() + ": " + done.content;
  }
  (*env)->call(end, json::object());
  const auto grade = (*env)->grade();
  return grade ? fmt::format("{}", grade->reward) : grade.error().message;
}

} // namespace

TEST_CASE("osworld: our own tasks are solved by their solutions") {
#ifdef __SANITIZE_ADDRESS__
  WARN("skipped: it takes a minute, of other processes; other tests have all "
       "of this code under the sanitizers");
  return;
#endif
  if (!has_applications()) return;
  const auto data = fs::path{BREWERY_SOURCE_DIR} / "examples/osworld";
  osworld_settings settings;
  settings.start_pause_ms = settings.grade_pause_ms = 200;
  settings.action_pause_ms = 50;
  settings.steps = 1'000;
  settings.observation = "screenshot";
  const auto bench = load_osworld(data, settings);
  REQUIRE(bench);
  const auto& tasks = (*bench)->tasks();
  const bool all = std::getenv("BREWERY_OSWORLD_PLAY") != nullptr;
  for (const auto& split :
       all ? std::vector<std::string>{"train", "eval", "test"}
           : std::vector<std::string>{"short"})
    for (const auto index : (*bench)->splits().at(split)) {
      const auto& task = tasks[index].id;
      const auto id = task.value.substr(task.value.find_last_of('/') + 1);
      const auto text = read_file(data / "solutions" / (id + ".json"));
      REQUIRE(text);
      const auto solution = json::parse(*text);
      const auto nothing = score(**bench, task, json::array());
      const auto solved = score(**bench, task, solution["steps"]);
      std::printf("%s: nothing %s, solution %s\n",
                  solution["task"].get<std::string>().c_str(), nothing.c_str(),
                  solved.c_str());
      CHECK(nothing == "0");
      CHECK(solved == "1");
    }
}
