// Official tasks on real desktops of this machine: doing nothing scores 0, a
// scripted solution 1, FAIL 1 for what is infeasible. It takes minutes, so it
// runs where BREWERY_OSWORLD_PLAY is set: "1" for all, or the beginnings of ids
// for some; otherwise it says so.
#include "envs/osworld/osworld_benchmark.hpp"
#include "tests/envs/osworld/official_solutions.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace brewery;
using namespace brewery::osworld;

namespace {

namespace fs = std::filesystem;

/// A rollout's score; a text says why there is none.
std::string score(const benchmark& bench, const task_id& task, bool acts,
                  const std::string& code) {
  const auto env = bench.make(task);
  if (!env) return env.error().message;
  if (acts && !code.empty()) {
    const auto done = (*env)->call("pyautogui", {{"code", code}});
    if (done.failed) return done.content;
  }
  (*env)->call(acts && code.empty() ? "fail" : "done", json::object());
  const auto grade = (*env)->grade();
  return grade ? fmt::format("{}", grade->reward) : grade.error().message;
}

} // namespace

TEST_CASE("osworld: official tasks are solved on desktops of this machine") {
  const auto* given = std::getenv("BREWERY_TEST_DATA");
  const auto data = (given ? fs::path{given}
                           : fs::path{BREWERY_SOURCE_DIR} / "../shared/data")
                    / "osworld";
  std::error_code ignored;
  const auto* play = std::getenv("BREWERY_OSWORLD_PLAY");
  const std::string wanted{play ? play : ""};
  if (wanted.empty() || !fs::is_directory(data, ignored)) {
    WARN("skipped: BREWERY_OSWORLD_PLAY is not set, or the official tasks are "
         "not here");
    return;
  }
  osworld_settings settings;
  settings.start_pause_ms = settings.grade_pause_ms = 1'000;
  settings.observation = "screenshot";
  const auto bench = load_osworld(data, settings);
  REQUIRE(bench);
  const auto& tasks = (*bench)->tasks();
  for (const auto& [prefix, code] : official_solutions()) {
    if (wanted != "1" && wanted.find(prefix) == wanted.npos) continue;
    const auto found =
        std::find_if(tasks.begin(), tasks.end(), [&name = prefix](auto& task) {
          return task.id.value.starts_with(name);
        });
    REQUIRE(found != tasks.end());
    const auto before = score(**bench, found->id, false, "");
    const auto after = score(**bench, found->id, true, code);
    std::printf("%s: %s -> %s\n", found->id.value.c_str(), before.c_str(),
                after.c_str());
    CHECK(before == "0");
    CHECK(after == "1");
  }
}
