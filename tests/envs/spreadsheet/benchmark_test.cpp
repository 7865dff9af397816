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

TEST_CASE("the same data has the same fingerprint, other data another") {
  data_folder data;
  for (const auto* id : {"a", "b", "c"})
    data.add(id, "in", "out");
  const auto first = data.load();
  const auto second = data.load();
  REQUIRE((first && second));
  CHECK((*first)->fingerprint() == (*second)->fingerprint());
  spill(data.options.data / "a" / "1_a_answer.xlsx", "else");
  const auto third = data.load();
  REQUIRE(third);
  CHECK((*first)->fingerprint() != (*third)->fingerprint());
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
}
