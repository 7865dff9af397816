#include "base/file.hpp"
#include "envs/osworld/grading/native_names.hpp"
#include "envs/osworld/tasks/task_files.hpp"
#include "envs/osworld/tasks/task_set.hpp"

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

TEST_CASE("osworld: the project's own tasks are all graded natively") {
  const auto tasks =
      load_tasks(fs::path{BREWERY_SOURCE_DIR} / "examples/osworld", {});
  REQUIRE(tasks);
  CHECK(tasks->tasks.size() >= 40);
  CHECK(tasks->refused.empty());
  for (const auto* split : {"train", "eval", "test"})
    CHECK_FALSE(tasks->splits.at(split).empty());
}
