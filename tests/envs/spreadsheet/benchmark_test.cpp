#include "base/text.hpp"
#include "envs/spreadsheet/spreadsheet_benchmark.hpp"
#include "tests/envs/spreadsheet/fake_ports.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using namespace brewery::spreadsheet;
using namespace brewery::test;

namespace {

struct data_folder {
  fake_services services;
  benchmark_options options;
  std::string records;

  data_folder() {
    options.data = services.folder.path() / "data";
    options.splits = {2, 1, 1};
  }
  void add(const std::string& id, const std::string& input,
           const std::string& golden) {
    records += (records.empty() ? "" : ",") + ("{\"id\": \"" + id + "\"")
               + R"(, "instruction": "Do.", "answer_position": "A1"})";
    const auto folder = options.data / id;
    fs::create_directory(folder);
    spill(folder / ("1_" + id + "_input.xlsx"), input);
    spill(folder / ("1_" + id + "_answer.xlsx"), golden);
    spill(options.data / "dataset.json", "[" + records + "]");
  }
  [[nodiscard]] result<std::shared_ptr<const benchmark>> load() const {
    return load_spreadsheets_on(services.set(), options);
  }
};

} // namespace

TEST_CASE("flawed tasks are tested on but not learned from") {
  data_folder data;
  data.add("free", "same", "same");
  data.add("unread", "a", "broken");
  for (const auto* id : {"a", "b", "c"})
    data.add(id, "in", "out");
  const auto bench = data.load();
  REQUIRE(bench);
  const auto& splits = (*bench)->splits();
  CHECK(splits.at("train").size() == 2);
  CHECK(splits.at("eval").size() == 1);
  CHECK(splits.at("test") == std::vector<std::size_t>{0, 1});
  data.options.splits.train = 3;
  CHECK_FALSE(data.load());
  data.options.keep_flawed = true;
  CHECK(data.load());
}

TEST_CASE("tasks are drawn by the parser that the reward is by") {
  data_folder data;
  for (const auto* id : {"a", "b", "c"})
    data.add(id, "in", "out");
  // Only the repaired parser reads it.
  spill(data.options.data / "dataset.json",
        replace_all("[" + data.records + "]", "\"A1\"", "\"B2\""));
  CHECK_FALSE(data.load());
  data.options.how.parser = position_parser::repaired;
  CHECK(data.load());
}

TEST_CASE("the same data has the same fingerprint, other data another") {
  data_folder data;
  for (const auto* id : {"a", "b", "c"})
    data.add(id, "in", "out");
  const auto first = data.load();
  const auto second = data.load();
  REQUIRE((first && second));
  CHECK((*first)->fingerprint() == (*second)->fingerprint());
  CHECK((*first)->goldens() == (*second)->goldens());
  spill(data.options.data / "a" / "1_a_answer.xlsx", "else");
  const auto third = data.load();
  REQUIRE(third);
  CHECK((*first)->fingerprint() == (*third)->fingerprint());
  CHECK((*first)->goldens() != (*third)->goldens());
  spill(data.options.data / "a" / "1_a_input.xlsx", "other");
  const auto fourth = data.load();
  REQUIRE(fourth);
  CHECK((*third)->fingerprint() != (*fourth)->fingerprint());
}

namespace {

/// Takes answers to another benchmark, as a worker's line does.
struct passing_grader final : answer_grader {
  std::shared_ptr<const benchmark> to;
  mutable std::size_t asked = 0;

  result<grade_report>
  grade(const task_id& task,
        const std::vector<answer_file>& answers) const override {
    ++asked;
    return to->grader()->grade(task, answers);
  }
};

grade_report attempt(const benchmark& on, const std::string& code,
                     const participants& with) {
  auto env = on.make({"a"}, with);
  REQUIRE(env);
  REQUIRE((*env)->take_turn({"", {{"1", "python", {{"code", code}}}}}));
  auto grade = (*env)->grade();
  REQUIRE(grade);
  return *grade;
}

} // namespace

TEST_CASE("an answer that is graded elsewhere has the same grade") {
  data_folder data;
  for (const auto* id : {"a", "b", "c"})
    data.add(id, "in", "out");
  const auto whole = data.load();
  REQUIRE(whole);
  data.options.splits = {0, 0, 1};
  data.options.part = share::grade;
  const auto grading = data.load();
  for (const auto* id : {"a", "b", "c"})
    fs::remove(data.options.data / id
               / (std::string{"1_"} + id + "_answer.xlsx"));
  data.options.part = share::play;
  const auto playing = data.load();
  REQUIRE((grading && playing));
  CHECK((*playing)->fingerprint() == (*whole)->fingerprint());
  CHECK((*playing)->goldens().empty());
  CHECK_FALSE((*playing)->grader());
  CHECK((*grading)->goldens() == (*whole)->goldens());
  CHECK((*grading)->fingerprint().empty());
  // Each does its own part only.
  CHECK_FALSE((*playing)->make({"a"}));
  CHECK_FALSE((*grading)->make({"a"}));

  for (const auto* id : {"a", "b", "c"})
    spill(data.options.data / id / (std::string{"1_"} + id + "_answer.xlsx"),
          "out");
  const auto passing = std::make_shared<passing_grader>();
  passing->to = *grading;
  for (const auto* code :
       {"write out", "write else", "look", "write NOW", "link", "write =out"}) {
    INFO(code);
    CHECK(attempt(**playing, code, {{}, {}, passing})
          == attempt(**whole, code, {}));
  }
  CHECK(passing->asked == 6);
}

TEST_CASE("a grader takes what no episode would send") {
  data_folder data;
  data.add("a", "in", "out");
  data.options.splits = {0, 0, 1};
  data.options.part = share::grade;
  const auto bench = data.load();
  REQUIRE(bench);
  const auto& grader = *(*bench)->grader();
  CHECK(grader.grade({"a"}, {})->reward == 0);
  CHECK(grader.grade({"a"}, {{7, true, {}, "out"}})->reward == 0);
  CHECK(grader.grade({"a"}, {{1, false, "gone", "out"}})->reward == 0);
  CHECK(grader.grade({"a"}, {{1, false, {}, "out"}})->reward == 1);
  CHECK(grader.grade({"b"}, {}).error().code == ec::not_found);
  CHECK(data.services.clean());
}

TEST_CASE("a check says what is wrong with which case") {
  data_folder data;
  data.add("free", "same", "same");
  data.add("changes", "in", "=out");
  data.add("broken", "in", "broken");
  const auto loaded = load_dataset(data.options.data);
  REQUIRE(loaded);
  const auto check = [&](std::size_t index) {
    auto done = check_task(*data.services.set(), loaded->tasks[index], 3, {});
    REQUIRE(done);
    return *done;
  };
  CHECK(check(0).tags
        == std::vector<std::string>{"missing-cases", "input-passes"});
  CHECK(check(0).free_pass);
  CHECK(check(1).tags
        == std::vector<std::string>{"missing-cases", "golden-changes"});
  CHECK_FALSE(check(1).flawed());
  CHECK(check(2).unscoreable);
  CHECK(check(2).notes.back() == "case 1: golden-unreadable: cannot be read");
  data.services.grader->break_next = 1;
  const auto lost = check_task(*data.services.set(), loaded->tasks[0], 3, {});
  REQUIRE_FALSE(lost);
  CHECK(lost.error().code == ec::environment);
  CHECK(lost.error().message == "task free, case 1: the grader fell over");
}
