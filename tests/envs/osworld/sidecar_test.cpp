// The caller of the official evaluators, with programs that stand in for them.
#include "envs/osworld/grading/sidecar.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::osworld;
using namespace std::chrono_literals;

namespace {

result<grade_report> graded_by(const std::string& program,
                               std::chrono::milliseconds deadline = 20s) {
  const auto task = parse_task(
      R"({"id": "t", "instruction": "i", "evaluator": {"func": "compare_table",
          "result": {"type": "vm_file"}}})",
      "os");
  REQUIRE(task);
  guest_address at;
  at.server_port = 7;
  at.token = secret{"very-secret-token"};
  return evaluate_officially({program, "/checkout", "python3", deadline}, *task,
                             at, {{"a", "saved"}, {"../b", "not here"}});
}

} // namespace

TEST_CASE("osworld: an official grade is asked with all it needs") {
  const auto grade = graded_by(R"(
import json, os, sys
asked = json.loads(sys.stdin.readline())
assert asked["task"]["evaluator"]["func"] == "compare_table"
assert asked["server_port"] == 7 and asked["checkout"] == "/checkout"
assert asked["token"] == "very-secret-token"
assert os.listdir(asked["cache_dir"]) == ["a"]
assert open(asked["cache_dir"] + "/a").read() == "saved"
print("noise of an evaluator")
print(json.dumps({"score": 0.5}))
)");
  REQUIRE(grade);
  CHECK(grade->reward == 0.5);
}

TEST_CASE("osworld: an official grader that fails gives no grade, not a 0") {
  const auto [program, why] = GENERATE(table<std::string, std::string>(
      {{R"(print('{"error": "no module cv2"}'))", "no module cv2"},
       {"print('no json')", "exit status 0"},
       {"raise SystemExit('it broke')", "it broke"},
       {R"(print('{"score": "high"}'))", "no score"},
       {"print('x' * 5000000)", "longer"}}));
  const auto grade = graded_by(program);
  REQUIRE_FALSE(grade);
  INFO(grade.error().message);
  CHECK(grade.error().code == ec::environment);
  CHECK(grade.error().message.find(why) != std::string::npos);
}

TEST_CASE("osworld: an official grader is killed at its deadline") {
  const auto grade = graded_by("import time; time.sleep(60)", 300ms);
  REQUIRE_FALSE(grade);
  CHECK(grade.error().code == ec::environment);
  CHECK(grade.error().message.find("longer") != std::string::npos);
}
