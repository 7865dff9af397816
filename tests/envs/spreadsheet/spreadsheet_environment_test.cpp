#include "envs/spreadsheet/spreadsheet_environment.hpp"
#include "messages/reusable.hpp"
#include "tests/envs/spreadsheet/fake_ports.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::spreadsheet;
using namespace brewery::test;

namespace {

/// Compares with what the episode's folder has, as a process of its own would.
struct near_grader final : answer_grader {
  std::shared_ptr<const play_rules> rules;
  sheet_task task;

  result<grade_report>
  grade(const task_id&,
        const std::vector<answer_file>& answers) const override {
    return grade_answers(*rules, task, answers);
  }
};

struct episode {
  fake_services services;
  sheet_task task{{"t"}, "Do it.", "", "A1", "", {}};
  play_options how;
  std::uint32_t cases = 1;
  std::unique_ptr<environment> env;

  void add_case(const std::string& input, const std::string& golden) {
    const auto number = static_cast<std::uint32_t>(task.cases.size() + 1);
    const auto at = [&](const char* name) {
      return services.folder.path() / "data" / (std::to_string(number) + name);
    };
    spill(at("i.xlsx"), input);
    spill(at("g.xlsx"), golden);
    task.cases.push_back({number, at("i.xlsx"), at("g.xlsx")});
    task.inputs.push_back({number, at("i.xlsx"), {}});
    cases = std::max(cases, number);
  }

  void start() {
    auto rules = std::make_shared<play_rules>();
    rules->services = services.set();
    rules->how = how;
    rules->cases = cases;
    auto grader = std::make_shared<near_grader>();
    grader->rules = rules;
    grader->task = task;
    auto made = spreadsheet_environment::start(rules, task, grader);
    REQUIRE(made);
    env = std::move(*made);
  }

  result<turn_outcome> take(const std::string& code) {
    return env->take_turn({"", {{"1", "python", {{"code", code}}}}});
  }
  std::string run(const std::string& code) {
    auto out = take(code);
    return out ? out->results.at(0).content : "ERROR " + out.error().message;
  }
  grade_report grade() {
    auto out = env->grade();
    REQUIRE(out);
    return *out;
  }
};

bool has(const grade_report& grade, const std::string& name, bool met) {
  return std::any_of(
      grade.parts.begin(), grade.parts.end(),
      [&](const auto& part) { return part.name == name && part.met == met; });
}

} // namespace

TEST_CASE("an answer like the golden is a success, and nothing is left") {
  episode e;
  e.add_case("in", "42");
  e.start();
  CHECK(e.run("write 42") == "ran write\n[11 of 12 calls left]");
  const auto grade = e.grade();
  CHECK(grade.reward == 1);
  CHECK(has(grade, "case 1, official", true));
  CHECK(has(grade, "case 1, repaired", true));
  CHECK(reusable(grade));
  e.env.reset();
  CHECK(e.services.clean());
}

TEST_CASE("formulas are recalculated after each call, in changed files only") {
  episode e;
  e.add_case("in", "42");
  e.start();
  CHECK(e.run("write =42")
        == "ran write\n[output.xlsx was recalculated]\n[11 of 12 calls left]");
  CHECK(e.run("look").find("recalculated") == std::string::npos);
  CHECK(e.services.recalculation->calls == 1);
  CHECK(e.grade().reward == 1);
}

TEST_CASE("all workbooks of a call together get the time of one") {
  episode e;
  e.add_case("in", "42");
  e.start();
  SECTION("a slow one leaves nothing to the others") {
    const auto text = e.run("many =slow");
    CHECK(e.services.recalculation->calls == 1);
    CHECK(text.find("[g.xlsx was not recalculated: the other files took too "
                    "long]")
          != std::string::npos);
  }
  SECTION("what is left is what the others did not take") {
    e.run("many =1"); // ten seconds each, of thirty
    const auto& limits = e.services.recalculation->limits;
    REQUIRE(limits.size() == 3);
    CHECK(limits[0].timeout.count() == 30'000);
    CHECK(limits[2].timeout.count() == 10'000);
    CHECK_FALSE(limits[0].episode.empty());
    CHECK(limits[0].episode == limits[2].episode);
  }
  // The next call has its own time, and the answer comes first.
  e.services.recalculation->limits.clear();
  e.run("write =42");
  CHECK(e.services.recalculation->limits.at(0).timeout.count() == 30'000);
  CHECK(e.grade().reward == 1);
}

TEST_CASE("a workbook that cannot be opened is the agent's, and it is told") {
  episode e;
  e.add_case("in", "42");
  e.start();
  CHECK(
      e.run("write no workbook")
          .find("[output.xlsx cannot be opened as a workbook: not a zip file]")
      != std::string::npos);
  CHECK(e.run("write =slow").find("took too long") != std::string::npos);
  CHECK(e.run("write =crash").find("crashes each time") != std::string::npos);
  CHECK(e.grade().reward == 0);
}

TEST_CASE("an answer that is no plain file is a failed grade") {
  episode e;
  e.add_case("in", "42");
  e.start();
  SECTION("none") {
    CHECK(has(e.grade(), "case 1: there is no output.xlsx", false));
  }
  SECTION("a link") {
    e.run("link");
    CHECK(has(e.grade(), "case 1: output.xlsx is not a plain file", false));
  }
  CHECK(e.grade().reward == 0);
  CHECK(e.services.grader->answers.empty());
}

TEST_CASE("after the last turn nothing is run") {
  episode e;
  e.how.turns = 2;
  e.add_case("in", "42");
  e.start();
  CHECK_FALSE(e.take("look")->over);
  const auto last = e.take("write 42");
  REQUIRE(last);
  CHECK(last->over);
  CHECK(e.run("write 7").find("Not run") == 0);
  CHECK(e.grade().reward == 1);
}

TEST_CASE("calls that make no sense are refused and cost no turn") {
  episode e;
  e.add_case("in", "42");
  e.start();
  CHECK(e.env->call("bash", json::object()).failed);
  CHECK(e.env->call("python", json::object()).failed);
  CHECK(e.env->call("python", {{"code", 7}}).failed);
  CHECK(e.env->call("python", json::array()).failed);
  CHECK(e.env->call("python", {{"code", std::string(300'000, 'x')}}).failed);
  CHECK(e.services.kernels->runs == 0);
  CHECK(e.run("look").find("[11 of 12 calls left]") != std::string::npos);
}

TEST_CASE("words without a call end the attempt") {
  episode e;
  e.add_case("in", "42");
  e.start();
  CHECK(e.env->take_turn({"Done.", {}})->over);
}

TEST_CASE("a kernel that goes with its host is made anew, cells and all") {
  episode e;
  e.add_case("in", "42");
  e.start();
  e.run("write 4");
  e.services.kernels->break_runs = 1;
  e.services.kernels->break_opens = 1;
  CHECK(e.run("append 2") == "ran append\n[10 of 12 calls left]");
  CHECK(e.grade().reward == 1);
  e.env.reset();
  CHECK(e.services.clean());
}

TEST_CASE("a recalculation or a grader that falls over is asked again") {
  episode e;
  e.add_case("in", "42");
  e.start();
  e.services.recalculation->break_next = 2;
  e.run("write =42");
  e.services.grader->break_next = 2;
  CHECK(e.grade().reward == 1);
}

TEST_CASE("what stays broken is no grade of 0 but for another machine") {
  episode e;
  e.add_case("in", "42");
  e.start();
  SECTION("the grader") {
    e.run("write 42");
    e.services.grader->break_next = 100;
    const auto grade = e.env->grade();
    REQUIRE_FALSE(grade);
    CHECK(grade.error().code == ec::exhausted);
  }
  SECTION("recalculation") {
    e.services.recalculation->break_next = 100;
    const auto taken = e.take("write =42");
    REQUIRE_FALSE(taken);
    CHECK(taken.error().code == ec::exhausted);
    CHECK_FALSE(e.env->grade());
  }
  SECTION("kernels") {
    e.services.kernels->break_runs = 100;
    REQUIRE_FALSE(e.take("write 42"));
    CHECK_FALSE(e.env->grade());
  }
  SECTION("cells that do something else when they are run again") {
    e.run("count");
    e.services.kernels->break_runs = 1;
    const auto taken = e.take("write 42");
    REQUIRE_FALSE(taken);
    CHECK(taken.error().code == ec::exhausted);
  }
  e.services.kernels->break_runs = 0;
  e.env.reset();
  CHECK(e.services.clean());
}

TEST_CASE("code that ends its process is told so and goes on without it") {
  episode e;
  e.add_case("in", "42");
  e.start();
  e.run("write 42");
  CHECK(e.run("die").find("[A new Python process was started") == 0);
  // It was doubted once: the cell before and itself were run again.
  CHECK(e.services.kernels->runs == 4);
  CHECK(e.run("look").find("ran look") == 0);
  CHECK(e.grade().reward == 1);
}

TEST_CASE("code that dies again is to blame, whatever cells before it print") {
  episode e;
  e.add_case("in", "42");
  e.start();
  e.run("count");
  CHECK(e.run("die").find("[A new Python process was started") == 0);
  CHECK(e.run("look").find("ran look") == 0);
  CHECK(e.grade().reward == 0);
}

TEST_CASE("a process that was killed is doubted until the third time") {
  episode e;
  e.add_case("in", "42");
  e.start();
  e.run("write 42");
  e.services.kernels->killed = GENERATE(1, 2, 3);
  const bool blamed = e.services.kernels->killed == 3;
  const auto said = e.run("killed");
  CHECK((said.find("[A new Python process") == 0) == blamed);
  CHECK((said.find("ran killed") == 0) == !blamed);
  CHECK(e.grade().reward == 1);
}

TEST_CASE("a workspace that is refused scores 0 and the agent is told") {
  episode e;
  e.add_case("in", "42");
  e.start();
  e.run("write 42");
  const auto told = e.run("nest");
  CHECK(told.find("cannot be used any more: '/workspace' is nested too deep")
        != std::string::npos);
  CHECK(told.find(e.services.folder.path().string()) == std::string::npos);
  CHECK(e.run("write 42").find("nested too deep") != std::string::npos);
  const auto grade = e.grade();
  CHECK(grade.reward == 0);
  CHECK(
      has(grade,
          "case 1: the workspace was refused: '/workspace' is nested too deep",
          false));
  e.env.reset();
  CHECK(e.services.clean());
}

TEST_CASE("the name of a workbook cannot break what the agent is told") {
  episode e;
  e.add_case("in", "42");
  e.start();
  const auto said = e.run("oddly =42");
  CHECK(said.find("[\xEF\xBF\xBD .xlsx was recalculated]")
        != std::string::npos);
  CHECK_NOTHROW(json(said).dump());
}

TEST_CASE("an attempt whose time is used up runs nothing more") {
  episode e;
  e.add_case("in", "42");
  e.how.cells.timeout = std::chrono::milliseconds{0};
  e.start();
  CHECK(e.run("write 42").find("Not run: the time of all calls") == 0);
  CHECK(e.services.kernels->runs == 0);
  CHECK(e.grade().reward == 0);
}

TEST_CASE("a disk that others have filled is for another machine") {
  episode e;
  e.add_case("in", "42");
  e.start();
  e.run("write 42");
  const auto taken = e.take("full");
  REQUIRE_FALSE(taken);
  CHECK(taken.error().code == ec::exhausted);
  CHECK_FALSE(e.env->grade());
  CHECK(e.services.kernels->runs == 2);
}

TEST_CASE("a fresh workspace that is refused is no fault of the agent") {
  episode e;
  e.add_case("in", "42");
  e.start();
  e.run("write 4");
  e.services.kernels->break_runs = 1;
  e.services.kernels->refuse_fresh = true;
  const auto taken = e.take("append 2");
  REQUIRE_FALSE(taken);
  CHECK(taken.error().code == ec::exhausted);
}

TEST_CASE("metrics over all cases replay the accepted cells in each folder") {
  episode e;
  e.add_case("a", "a+");
  e.add_case("b", "b+");
  e.add_case("c", "other");
  const auto [score, reward] = GENERATE(table<metric, double>(
      {{metric::first, 1.0}, {metric::soft, 2.0 / 3}, {metric::hard, 0.0}}));
  e.how.score = score;
  e.start();
  e.run("raise oops");
  e.run("copy");
  e.run("sleep");
  e.run("append +");
  const auto grade = e.grade();
  CHECK(grade.reward == Approx(reward));
  CHECK(has(grade, "case 3, official", false) == (score != metric::first));
  e.env.reset();
  CHECK(e.services.clean());
}

TEST_CASE("a case that the task lacks is lost") {
  episode e;
  e.add_case("a", "a");
  e.cases = 3;
  e.how.score = metric::soft;
  e.start();
  e.run("copy");
  CHECK(e.grade().reward == Approx(1.0 / 3));
  CHECK(has(e.grade(), "case 2 has its workbooks", false));
}

TEST_CASE("both parsers are reported and one of them counts") {
  episode e;
  e.add_case("in", "42");
  e.task.position = "B2";
  const bool repaired = GENERATE(false, true);
  if (repaired) e.how.parser = position_parser::repaired;
  e.start();
  e.run("write 42");
  const auto grade = e.grade();
  CHECK(grade.reward == (repaired ? 1 : 0));
  CHECK(has(grade, "case 1, official", false));
  CHECK(has(grade, "case 1, repaired", true));
}

TEST_CASE("an answer that changes by time marks the rollout") {
  episode e;
  e.add_case("in", "NOW");
  e.start();
  e.run("write =NOW");
  const auto grade = e.grade();
  CHECK(grade.reward == 1);
  CHECK_FALSE(reusable(grade));
}

TEST_CASE(
    "a value of chance that was carried to the answer marks the rollout") {
  episode e;
  e.add_case("in", "42");
  e.start();
  e.run("aux =RAND");
  e.run("write 42");
  const auto grade = e.grade();
  CHECK(grade.reward == 1);
  CHECK_FALSE(reusable(grade));
}

TEST_CASE("the grader gets a copy, and the workspace no golden") {
  episode e;
  e.add_case("in", "42");
  e.start();
  e.run("write 42");
  e.grade();
  REQUIRE(e.services.grader->answers.size() == 1);
  CHECK(e.services.grader->answers[0].parent_path()
        == e.services.folder.path() / "scratch");
}

TEST_CASE("the first rows are shown if asked, and cost no call") {
  episode e;
  e.add_case("in", "42");
  e.how.first_rows = 5;
  e.services.kernels->break_runs = GENERATE(0, 2);
  e.start();
  CHECK(e.env->briefing().find("The first 5 rows of each sheet")
        != std::string::npos);
  CHECK(e.env->briefing().find("Sheet Name: S") != std::string::npos);
  CHECK(e.services.kernels->output_bytes == 1U << 20);
  CHECK(e.run("write 42") == "ran write\n[11 of 12 calls left]");
  CHECK(e.services.kernels->output_bytes == e.how.cells.output_bytes);
  CHECK(e.grade().reward == 1);
}
