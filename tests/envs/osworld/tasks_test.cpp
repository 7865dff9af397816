#include "base/file.hpp"
#include "envs/osworld/grading/native_names.hpp"
#include "envs/osworld/setup/file_cache.hpp"
#include "envs/osworld/tasks/task_files.hpp"
#include "envs/osworld/tasks/task_set.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <set>

using namespace brewery;
using namespace brewery::osworld;

namespace {

namespace fs = std::filesystem;

/// The official task files; empty if they are not here.
fs::path official_tasks() {
  const auto* given = std::getenv("BREWERY_TEST_DATA");
  const auto root =
      given ? fs::path{given} : fs::path{BREWERY_SOURCE_DIR} / "../shared/data";
  std::error_code ignored;
  return fs::is_directory(root / "osworld", ignored) ? root / "osworld"
                                                     : fs::path{};
}

std::string a_task(const std::string& evaluator) {
  return R"({"id": "t", "instruction": "do it", "evaluator": )" + evaluator
         + "}";
}

void write(const fs::path& file, const std::string& text) {
  REQUIRE(make_directories(file.parent_path()));
  REQUIRE(write_file_atomically(file, text));
}

} // namespace

TEST_CASE("osworld: every official task is runnable, or refused for a reason") {
  const auto data = official_tasks();
  if (data.empty()) {
    WARN("skipped: ../shared/data/osworld is not here");
    return;
  }
  const auto tasks = load_tasks(data, {.official = true});
  REQUIRE(tasks);
  CHECK(tasks->tasks.size() == 369);
  CHECK(tasks->refused.size() == 8);
  for (const auto& one : tasks->refused)
    CHECK(one.reason.kind == "needs a Google account");
  CHECK(tasks->splits.at("test_all").size() == 361);
  CHECK(tasks->splits.at("test_nogdrive").size() == 361);
  CHECK(tasks->splits.at("test_infeasible").size() == 28);
  std::size_t infeasible = 0, native = 0;
  std::set<std::string> files;
  for (const auto& task : tasks->tasks) {
    infeasible += task.graded.infeasible ? 1 : 0;
    native += not_native(task.graded).empty() ? 1 : 0;
    for (const auto& address : files_of(task))
      files.insert(address);
  }
  CHECK(infeasible == 29);
  CHECK(native >= 97);
  // One more is uploaded to Google Drive.
  CHECK(files.size() == 661);
  const auto alone = load_tasks(data, {.official = false});
  REQUIRE(alone);
  CHECK(alone->tasks.size() - alone->refused.size() <= native);
}

TEST_CASE("osworld: an evaluator is read as the official loader reads it") {
  const auto single =
      parse_task(a_task(R"({"func": "exact_match", "result": {"type": "rule"},
                 "expected": {"type": "rule"}})"),
                 "os");
  REQUIRE(single);
  CHECK_FALSE(single->graded.list);
  CHECK(single->graded.metrics.size() == 1);
  const auto listed = parse_task(a_task(R"({"func": ["a", "b"], "conj": "or",
                 "result": [{"type": "x"}, {"type": "y"}],
                 "expected": [null, {"type": "rule"}]})"),
                                 "os");
  REQUIRE(listed);
  CHECK(listed->graded.any);
  CHECK_FALSE(listed->graded.metrics[0].expected);
  CHECK(listed->graded.metrics[1].expected);
  const auto infeasible = parse_task(a_task(R"({"func": "infeasible"})"), "os");
  REQUIRE(infeasible);
  CHECK(infeasible->graded.infeasible);
}

TEST_CASE("osworld: a task that makes no sense is refused with its place") {
  const auto [text, place] = GENERATE(table<std::string, std::string>(
      {{"[]", "no JSON object"},
       {a_task("3"), "evaluator"},
       {a_task(R"({"func": []})"), "evaluator.func"},
       {a_task(R"({"func": ["a", "b"], "result": [{"type": "x"}]})"),
        "evaluator.result"},
       {a_task(R"({"func": "a", "result": {"path": "x"}})"),
        "evaluator.result"},
       {a_task(R"({"func": "infeasible", "conj": "xor"})"), "evaluator.conj"},
       {R"({"id": "t", "instruction": "i", "config": [{"parameters": {}}],
            "evaluator": {"func": "infeasible"}})",
        "config[0].type"},
       {std::string(100, '['), "nests deeper"}}));
  const auto task = parse_task(text, "os");
  REQUIRE_FALSE(task);
  INFO(task.error().message);
  CHECK(task.error().code == ec::malformed);
  CHECK(task.error().message.find(place) != std::string::npos);
}

TEST_CASE("osworld: tasks that need more than there is are refused") {
  const auto drive = parse_task(
      R"({"id": "t", "instruction": "i", "config": [{"type": "login"}],
          "evaluator": {"func": "infeasible"}})",
      "os");
  REQUIRE(drive);
  CHECK(refusal_of(*drive, {.official = true})->kind
        == "needs a Google account");
  const auto office = parse_task(
      a_task(R"({"func": "compare_table", "result": {"type": "vm_file"}})"),
      "os");
  REQUIRE(office);
  CHECK(refusal_of(*office, {.official = false})->why.find("compare_table")
        != std::string::npos);
  CHECK_FALSE(refusal_of(*office, {.official = true}));
}

TEST_CASE("osworld: a step without what it needs is refused with its name") {
  const auto [step, lacking] = GENERATE(table<std::string, std::string>(
      {{R"("launch", "parameters": {})", "launch, which needs command"},
       {R"("execute", "parameters": {"command": ["ls", 3]})", "needs command"},
       {R"("sleep", "parameters": {"seconds": "abc"})", "needs seconds"},
       {R"("sleep", "parameters": {"seconds": 601})", "0 to 600"},
       {R"("open")", "open, which needs path"},
       {R"("activate_window", "parameters": {"window_name": ""})",
        "needs window_name"},
       {R"("download", "parameters": {"files": [{"url": "a"}]})",
        "each with url and path"},
       {R"("upload_file", "parameters": {"files": [{"path": "/a"}]})",
        "each with local_path and path"}}));
  const auto task = parse_task(R"({"id": "t", "instruction": "i",
      "evaluator": {"func": "infeasible", "postconfig": [{"type": )"
                                   + step + "}]}}",
                               "os");
  REQUIRE(task);
  const auto refused = refusal_of(*task, {.official = true});
  REQUIRE(refused);
  INFO(refused->why);
  CHECK(refused->why.find("its postconfig has the step") == 0);
  CHECK(refused->why.find(lacking) != std::string::npos);
}

TEST_CASE("osworld: a metric with nothing to look at is refused") {
  const auto task = parse_task(
      a_task(R"({"func": "exact_match", "expected": {"type": "rule"}})"), "os");
  REQUIRE(task);
  CHECK(refusal_of(*task, {.official = true})->why.find("exact_match")
        != std::string::npos);
}

TEST_CASE("osworld: no task reads files beside its data directory") {
  const scratch place;
  const auto data = place.path() / "data";
  write(place.path() / "secret", "of the host");
  write(data / "files/own", "its own");
  fs::create_symlink(place.path() / "secret", data / "files/link");
  const std::vector<std::pair<std::string, std::string>> cases{
      {"files/own", ""},
      {"files/none", "missing file"},
      {(place.path() / "secret").string(), "outside"},
      {"../secret", "outside"},
      {"files/../../secret", "outside"},
      {"files/link", "outside"}};
  for (const auto& [address, told] : cases) {
    INFO(address);
    write(data / "examples/os/t.json",
          R"({"id": "t", "instruction": "i", "config": [{"type": "upload_file",
            "parameters": {"files": [{"local_path": ")"
              + address + R"(", "path": "/home/user/got"}]}}],
            "evaluator": {"func": "infeasible"}})");
    const auto tasks = load_tasks(data, {});
    REQUIRE(tasks);
    CHECK(files_of(tasks->tasks[0]) == std::vector{address});
    REQUIRE(tasks->refused.empty() == told.empty());
    if (!told.empty())
      CHECK(tasks->refused[0].reason.kind.find(told) != std::string::npos);
    const file_cache files{{.data = data}};
    CHECK(files.bytes(address).has_value() == told.empty());
  }
}

TEST_CASE("osworld: what a task uploads is part of the content of its set") {
  const scratch place;
  write(place.path() / "examples/os/t.json",
        R"({"id": "t", "instruction": "i", "config": [{"type": "upload_file",
            "parameters": {"files": [{"local_path": "a", "path": "/b"}]}}],
            "evaluator": {"func": "infeasible"}})");
  write(place.path() / "a", "one");
  const auto before = load_tasks(place.path(), {});
  write(place.path() / "a", "two");
  const auto after = load_tasks(place.path(), {});
  REQUIRE(before);
  REQUIRE(after);
  CHECK(before->content != after->content);
}

TEST_CASE("osworld: no address leaves the directory of a mirror") {
  const scratch place;
  write(place.path() / "secret", "of the host");
  write(place.path() / "mirror/os/a", "official");
  const file_cache files{{.directory = place.path() / "cache",
                          .mirror = (place.path() / "mirror").string()}};
  const std::string official{official_files};
  const auto inside = files.bytes(official + "os/a");
  REQUIRE(inside);
  CHECK(*inside == "official");
  const auto outside = files.bytes(official + "os/../../secret");
  REQUIRE_FALSE(outside);
  CHECK(outside.error().message.find("environment.osworld.mirror")
        != std::string::npos);
}

TEST_CASE("osworld: the project's own tasks are all graded natively") {
  const auto tasks =
      load_tasks(fs::path{BREWERY_SOURCE_DIR} / "examples/osworld", {});
  REQUIRE(tasks);
  CHECK(tasks->tasks.size() >= 40);
  CHECK(tasks->refused.empty());
  for (const auto* split : {"train", "eval", "test"})
    CHECK_FALSE(tasks->splits.at(split).empty());
}
