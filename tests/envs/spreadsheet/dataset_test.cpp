#include "envs/spreadsheet/dataset.hpp"
#include "envs/spreadsheet/task_splits.hpp"
#include "tests/envs/spreadsheet/fake_ports.hpp"

#include <catch2/catch.hpp>

#include <numeric>

using namespace brewery;
using namespace brewery::spreadsheet;
using namespace brewery::test;

namespace {

std::string record(const std::string& id) {
  return R"({"id": )" + id + R"(, "instruction": "Add.", )"
         + R"("instruction_type": "Cell-Level Manipulation", )"
         + R"("answer_position": "A1:B2"})";
}

std::string names_of(const std::vector<case_files>& cases) {
  std::string out;
  for (const auto& one : cases)
    out += std::to_string(one.number) + ":" + one.input.filename().string()
           + "," + one.golden.filename().string() + " ";
  return out;
}

} // namespace

TEST_CASE("cases are found in every layout and order") {
  const scratch folder;
  const auto at = [&](const char* name) { spill(folder.path() / name, "x"); };
  SECTION("three cases of v0.1") {
    for (const auto* name :
         {"3_59196_input.xlsx", "3_59196_answer.xlsx", "1_59196_answer.xlsx",
          "1_59196_input.xlsx", "prompt.txt", "~$1_59196_input.xlsx"})
      at(name);
    CHECK(names_of(find_cases(folder.path(), "59196"))
          == "1:1_59196_input.xlsx,1_59196_answer.xlsx "
             "3:3_59196_input.xlsx,3_59196_answer.xlsx ");
  }
  SECTION("verified, with an id that has underscores") {
    at("1_CF_13984_init.xlsx");
    at("1_CF_13984_golden.xlsx");
    CHECK(names_of(find_cases(folder.path(), "CF_13984"))
          == "1:1_CF_13984_init.xlsx,1_CF_13984_golden.xlsx ");
  }
  SECTION("names without a number") {
    at("initial.xlsx");
    at("golden.xlsx");
    CHECK(names_of(find_cases(folder.path(), "13284"))
          == "1:initial.xlsx,golden.xlsx ");
  }
  SECTION("the only golden there is, under another id") {
    at("1_7_init.xlsx");
    at("1_8_golden.xlsx");
    CHECK(names_of(find_cases(folder.path(), "7"))
          == "1:1_7_init.xlsx,1_8_golden.xlsx ");
  }
  SECTION("two goldens under other ids are no golden") {
    at("1_7_init.xlsx");
    at("1_8_golden.xlsx");
    at("1_9_golden.xlsx");
    CHECK(find_cases(folder.path(), "7").empty());
  }
  SECTION("an input without its golden is no case") {
    at("1_7_input.xlsx");
    CHECK(find_cases(folder.path(), "7").empty());
  }
}

TEST_CASE("a workbook that is a link is the file that it stands for") {
  const scratch folder;
  const auto real = fs::canonical(folder.path()) / "objects" / "a-key";
  for (const auto* name : {"1_7_input.xlsx", "1_7_answer.xlsx"}) {
    const auto object = real / (std::string{"of-"} + name);
    spill(object, "x");
    fs::create_directory(folder.path() / "7");
    fs::create_symlink(fs::path{"../objects/a-key"} / object.filename(),
                       folder.path() / "7" / name);
  }
  const auto cases = find_cases(folder.path() / "7", "7");
  REQUIRE(cases.size() == 1);
  CHECK(cases[0].input == real / "of-1_7_input.xlsx");
  CHECK(cases[0].golden == real / "of-1_7_answer.xlsx");
  CHECK(find_inputs(folder.path() / "7", "7").at(0).input == cases[0].input);
}

TEST_CASE("a folder without a list names those in it that have one") {
  const scratch folder;
  spill(folder.path() / "v1" / "dataset.json", "[]");
  spill(folder.path() / "v2" / "dataset.json", "[]");
  const auto message = [&] {
    return load_dataset(folder.path()).error().message;
  };
  CHECK(message().ends_with("; folders in it that have one: v1, v2"));
  spill(folder.path() / "metadata.json", R"({"name": 1, "files": 2})");
  CHECK(message().ends_with(
      "metadata.json: must be a JSON list of tasks, found an object with "
      "\"name\", \"files\"; folders in it that have one: v1, v2"));
}

TEST_CASE("ids are numbers or text, and tasks without files are listed") {
  const scratch folder;
  spill(folder.path() / "dataset.json", "[" + record("59196") + ","
                                            + record("\"13-1\"") + ","
                                            + record("7") + "]");
  for (const auto* id : {"59196", "13-1"})
    for (const auto* part : {"input", "answer"})
      spill(folder.path() / "spreadsheet" / id
                / (std::string{"1_"} + id + "_" + part + ".xlsx"),
            "x");
  const auto data = load_dataset(folder.path());
  REQUIRE(data);
  REQUIRE(data->tasks.size() == 2);
  CHECK(data->tasks[0].id.value == "59196");
  CHECK(data->tasks[1].id.value == "13-1");
  CHECK(data->cases_most == 1);
  REQUIRE(data->missing.size() == 1);
  CHECK(data->missing[0].starts_with("7: no input and golden workbook"));
}

TEST_CASE("a bad record is refused by file, number and key") {
  const auto [text, expected] = GENERATE(table<const char*, const char*>(
      {{"{}", "must be a JSON list of tasks, found an object"},
       {"7", "must be a JSON list of tasks, found number"},
       {"[\n{},", "must be a JSON list of tasks: parse error at line 2, "
                  "column 4: syntax error while parsing value - unexpected "
                  "end of input"},
       {"[3]", "task 1: it must be an object"},
       {"[{}]", "task 1: id is missing"},
       {R"([{"id": 1.5}])", "task 1: id must be a whole number or text"},
       {R"([{"id": "../x"}])", "task 1: id must be a whole number or text"},
       {R"([{"id": 7}])", "task 1 (id 7): instruction is missing"},
       {R"([{"id": 7, "instruction": ["a"]}])",
        R"(task 1 (id 7): instruction must be a string, found ["a"])"},
       {R"([{"id": 7, "instruction": "a"}])",
        "task 1 (id 7): answer_position is missing"}}));
  const scratch folder;
  spill(folder.path() / "dataset.json", text);
  const auto data = load_dataset(folder.path());
  REQUIRE_FALSE(data);
  CHECK(data.error().message.find("dataset.json") != std::string::npos);
  CHECK(data.error().message.find(expected) != std::string::npos);
}

TEST_CASE("an id that comes twice is refused") {
  const scratch folder;
  spill(folder.path() / "dataset.json",
        "[" + record("7") + "," + record("\"7\"") + "]");
  const auto data = load_dataset(folder.path());
  REQUIRE_FALSE(data);
  CHECK(data.error().message.find("id is that of an earlier task too")
        != std::string::npos);
}

TEST_CASE("contents change with any byte of their workbooks alone") {
  const scratch folder;
  spill(folder.path() / "dataset.json", "[" + record("7") + "]");
  spill(folder.path() / "7" / "1_7_input.xlsx", "a");
  spill(folder.path() / "7" / "1_7_answer.xlsx", "b");
  const auto data = load_dataset(folder.path());
  REQUIRE(data);
  const auto inputs = *inputs_content(*data);
  const auto goldens = *goldens_content(*data);
  spill(folder.path() / "7" / "1_7_answer.xlsx", "c");
  CHECK(*inputs_content(*data) == inputs);
  const auto other = *goldens_content(*data);
  CHECK(other != goldens);
  spill(folder.path() / "7" / "1_7_input.xlsx", "d");
  CHECK(*inputs_content(*data) != inputs);
  CHECK(*goldens_content(*data) == other);
}

TEST_CASE("who plays finds the same inputs whether goldens are there or not") {
  const scratch folder;
  spill(folder.path() / "dataset.json",
        "[" + record("7") + "," + record("8") + "," + record("9") + "]");
  for (const auto* name :
       {"7/1_7_input.xlsx", "7/1_7_answer.xlsx", "7/2_7_input.xlsx",
        "8/1_8_input.xlsx", "9/1_9_input.xlsx", "9/1_9_answer.xlsx"})
    spill(folder.path() / name, name);
  const auto all = load_dataset(folder.path());
  REQUIRE(all);
  CHECK(all->tasks.size() == 2); // 8 has no golden
  CHECK(all->unscored.size() == 1);
  CHECK(all->tasks[0].cases.size() == 1);
  fs::remove(folder.path() / "7/1_7_answer.xlsx");
  fs::remove(folder.path() / "9/1_9_answer.xlsx");
  const auto bare = load_dataset(folder.path(), share::play);
  REQUIRE(bare);
  CHECK(bare->tasks.size() == 3);
  CHECK(bare->tasks[0].inputs.size() == 2);
  CHECK(*inputs_content(*bare) == *inputs_content(*all));
  const auto lost = load_dataset(folder.path());
  REQUIRE_FALSE(lost);
  CHECK(lost.error().message.find("--roles rollout,integrate,embed,memory")
        != std::string::npos);
}

TEST_CASE("splits are drawn by seed, apart, and flawed tasks stay in test") {
  const auto fit = [](std::size_t index) -> result<bool> {
    return index % 3 != 0;
  };
  const auto drawn = draw_splits(60, {10, 5, 1}, fit);
  REQUIRE(drawn);
  CHECK(drawn->at("train").size() == 10);
  CHECK(drawn->at("eval").size() == 5);
  CHECK(drawn->at("test").size() == 45);
  std::vector<std::size_t> all;
  for (const auto& [name, part] : *drawn) {
    CHECK(std::is_sorted(part.begin(), part.end()));
    all.insert(all.end(), part.begin(), part.end());
    for (const auto index : part)
      CHECK((name == "test" || index % 3 != 0));
  }
  std::sort(all.begin(), all.end());
  std::vector<std::size_t> expected(60);
  std::iota(expected.begin(), expected.end(), std::size_t{0});
  CHECK(all == expected);
  CHECK(*draw_splits(60, {10, 5, 1}, fit) == *drawn);
  CHECK(*draw_splits(60, {10, 5, 2}, fit) != *drawn);
}

TEST_CASE("too few fit tasks are refused with what to do") {
  const auto drawn = draw_splits(
      20, {10, 5, 1}, [](std::size_t i) -> result<bool> { return i < 12; });
  REQUIRE_FALSE(drawn);
  CHECK(drawn.error().code == ec::invalid_config);
  CHECK(drawn.error().message.find("only 12 are fit") != std::string::npos);
}
