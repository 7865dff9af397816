#include "base/file.hpp"
#include "sweep/sweep_file.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <unistd.h>

namespace brewery {
namespace {

namespace fs = std::filesystem;

/// A folder with a base configuration, gone at the end.
struct sweep_folder {
  fs::path path = fs::temp_directory_path()
                  / ("brewery-sweep-file-" + std::to_string(getpid()));
  sweep_folder() {
    fs::create_directories(path);
    write("base.toml", "[environment]\nkind = \"toy\"\n[run]\nseed = 7\n");
  }
  ~sweep_folder() { fs::remove_all(path); }
  sweep_folder(const sweep_folder&) = delete;
  sweep_folder& operator=(const sweep_folder&) = delete;

  void write(const std::string& name, const std::string& text) const {
    REQUIRE(write_file_atomically(path / name, text));
  }
  [[nodiscard]] result<sweep_plan> load(const std::string& text) const {
    write("s.toml", text);
    return load_sweep({.file = "s.toml", .working_directory = path});
  }
  [[nodiscard]] std::string refused(const std::string& text) const {
    const auto made = load(text);
    return made ? "accepted" : made.error().message;
  }
};

const std::string head = "base = \"base.toml\"\nseeds = [1, 2]\n";

TEST_CASE("a grid has a point for each combination, the first option slowest") {
  const sweep_folder in;
  const auto plan = in.load(head
                            + "at_once = 2\n[set]\nsearch.iterations = 2\n"
                              "[grid]\nsearch.max_width = [3, 10]\n"
                              "\"search.max_depth\" = [3, 4]\n");
  REQUIRE(plan);
  REQUIRE(plan->points.size() == 4);
  CHECK(plan->runs() == 8);
  CHECK(plan->at_once == 2);
  CHECK(plan->points[0].name == "max_width-3_max_depth-3");
  CHECK(plan->points[1].name == "max_width-3_max_depth-4");
  CHECK(plan->points[2].name == "max_width-10_max_depth-3");
  CHECK(plan->points[2].options.search.tree.max_width == 10);
  CHECK(plan->points[2].options.search.iterations == 2);
  CHECK(plan->points[2].settings
        == std::vector<std::pair<std::string, std::string>>{
            {"search.max_width", "10"}, {"search.max_depth", "3"}});
}

TEST_CASE("a named point overrides what is set for all points") {
  const sweep_folder in;
  const auto plan = in.load(head
                            + "[set]\nsearch.max_width = 4\n[[points]]\n"
                              "name = \"a\"\n[[points]]\nname = \"b\"\n"
                              "search.max_width = 5\n");
  REQUIRE(plan);
  REQUIRE(plan->points.size() == 2);
  CHECK(plan->points[0].options.search.tree.max_width == 4);
  CHECK(plan->points[1].options.search.tree.max_width == 5);
  const auto one = options_of_run(plan->points[1], 2, "/out");
  CHECK(one.run.seed == 2);
  CHECK(one.run.runs_dir == "/out");
  CHECK(sweep_run_id("b", 2) == "b-s2");
}

TEST_CASE("all seeds of a sweep hold out the same tasks unless asked") {
  const sweep_folder in;
  const auto point = "[[points]]\nname = \"a\"\n";
  const auto fixed =
      in.load(head + "[set]\nenvironment.eval_split = \"\"\n" + point);
  REQUIRE(fixed);
  CHECK(fixed->points[0].options.environment.hold_out_seed == 7);
  const auto drawn =
      in.load(head
              + "split_by_seed = true\n[set]\nenvironment.eval_split = "
                "\"\"\n"
              + point);
  REQUIRE(drawn);
  CHECK(drawn->points[0].options.environment.hold_out_seed == 0);
}

TEST_CASE("a bad sweep file is refused with file, line and key") {
  const sweep_folder in;
  const auto points = "[[points]]\nname = \"a\"\n";
  CHECK(in.refused(head + "colour = 1\n" + points)
        == "s.toml:3: colour: unknown key");
  CHECK(in.refused(head + "[grid]\nsearch.max_widht = [3]\n")
            .starts_with("s.toml:4: search.max_widht: unknown option; did you "
                         "mean"));
  CHECK(in.refused(head + "[grid]\nsearch.max_width = []\n")
        == "s.toml:4: search.max_width: a grid has a list of values for each "
           "option, not empty");
  CHECK(in.refused(head + "[grid]\nsearch.max_width = [3, 3]\n")
        == "s.toml:4: search.max_width: 3 is there twice");
  CHECK(in.refused(head + "[grid]\nsearch.max_width = [\"wide\"]\n")
            .starts_with("s.toml:4: search.max_width: \"wide\" is not an "
                         "integer"));
  CHECK(in.refused(head + "[grid]\nrun.seed = [3]\n")
        == "s.toml:4: run.seed: the sweep chooses it; seeds stand under seeds");
  CHECK(
      in.refused(head + "[grid]\nrun.threads = [1, 2]\n")
      == "s.toml:4: run.threads: all points run in one process: give it under "
         "[set]");
  CHECK(in.refused("base = \"base.toml\"\nseeds = [1, 2, 1]\n"
                   + std::string{points})
        == "s.toml:2: seeds: 1 is there twice");
  CHECK(in.refused("seeds = [1]\n" + std::string{points})
        == "s.toml: base: missing: name the configuration of a run, e.g. base "
           "= \"tau2-telecom.toml\"");
  CHECK(in.refused("base = \"no.toml\"\nseeds = [1]\n" + std::string{points})
            .starts_with("s.toml:1: base: cannot open "));
  CHECK(in.refused(head) == "s.toml: no points: give a [grid] or [[points]]");
  CHECK(in.refused(head + points + points)
        == "s.toml:6: point a: is there twice, in s.toml:4 too");
  CHECK(in.refused(head + "[[points]]\nname = \"a/b\"\n")
            .starts_with("s.toml:4: point a/b: a name has letters"));
  CHECK(in.refused(head + "[budget]\nmax_hours = -1\n" + points)
        == "s.toml:4: max_hours: -1 is not a number from 0 to 1e9");
}

TEST_CASE("what breaks a rule is named with the line that sets it") {
  const sweep_folder in;
  const std::string at = head + "[set]\nmodels.catalog = \"none.toml\"\n"
                         + "search.iterations = 2\n[[points]]\nname = \"a\"\n";
  const auto catalog = in.refused(at);
  CHECK(catalog.find("--set") == std::string::npos);
  CHECK(catalog.starts_with("s.toml:4: point a: models.catalog = "));
  // Of a point's own option, and of one that nobody sets.
  CHECK(in.refused(head + "[[points]]\nname = \"a\"\n"
                   + "eval.max_per_concept = 1\neval.min_per_concept = 3\n")
            .starts_with("s.toml:5: point a: eval.max_per_concept = 1: "));
}

TEST_CASE("points that differ in their data are refused unless that is said") {
  const sweep_folder in;
  const auto grid = "[grid]\nenvironment.max_train_tasks = [4, 8]\n";
  CHECK(
      in.refused(head + grid)
      == "s.toml:4: environment.max_train_tasks: points would differ in their "
         "data: give it under [set], or say same_data = false");
  CHECK(in.load(head + "same_data = false\n" + grid));
}

TEST_CASE("halving is off unless its section says where points are cut") {
  const sweep_folder in;
  const auto points = "[set]\nsearch.iterations = 5\n[grid]\n"
                      "search.max_width = [3, 4]\n";
  const auto off = in.load(head + points);
  REQUIRE(off);
  CHECK_FALSE(off->halving);
  const auto usual = in.load(head + points + "[halving]\nafter = [2, 4]\n");
  REQUIRE(usual);
  REQUIRE(usual->halving);
  CHECK(usual->halving->after == std::vector<std::uint32_t>{2, 4});
  CHECK(usual->halving->keep == 0.5);
  CHECK(usual->halving->where == "s.toml:8");
  CHECK(in.load(head + points + "[halving]\nkeep = 0.25\nafter = [2]\n")
            ->halving->keep
        == 0.25);
}

TEST_CASE("a halving that cannot be is refused with file, line and key") {
  const sweep_folder in;
  const auto points = head
                      + "[set]\nsearch.iterations = 5\n[grid]\n"
                        "search.max_width = [3, 4]\n[halving]\n";
  CHECK(in.refused(points).starts_with("s.toml:7: after: missing: e.g. after"));
  CHECK(in.refused(head + "[budge]\n[grid]\nsearch.max_width = [3, 4]\n")
            .find("budge: unknown key")
        != std::string::npos);
  CHECK(in.load(head + "[set]\n[grid]\nsearch.max_width = [3, 4]\n"));
  CHECK(in.refused(points + "befor = 1\n") == "s.toml:8: befor: unknown key");
  CHECK(in.refused(points + "after = [2, 2]\n")
        == "s.toml:8: after: 2 is not above 2, the one before it");
  CHECK(in.refused(points + "after = [3, 2]\n")
        == "s.toml:8: after: 2 is not above 3, the one before it");
  CHECK(in.refused(points + "after = [2, 5]\n")
        == "s.toml:8: after: 5 is not below search.iterations = 5 of point "
           "max_width-3");
  CHECK(in.refused(points + "after = [0]\n")
        == "s.toml:8: after: 0 is not an integer from 1 to 10000");
  for (const auto* none : {"[]", "2"})
    CHECK(in.refused(points + "after = " + none + "\n")
          == "s.toml:8: after: expected a list of iterations, e.g. [2, 4]");
  CHECK(in.refused(points + "keep = 0.5\n")
            .starts_with("s.toml:8: after: missing"));
  for (const auto* keep : {"0", "1", "0.0", "1.0", "-0.5", "1.5", "\"half\""})
    CHECK(in.refused(points + "after = [2]\nkeep = " + keep + "\n")
          == fmt::format("s.toml:9: keep: {} is not a number above 0 and below "
                         "1",
                         keep));
  CHECK(in.refused(head + "[[points]]\nname = \"a\"\n[halving]\nafter = [1]\n")
            .starts_with("s.toml:6: halving: there is one point"));
  CHECK(in.refused(head
                   + "[[points]]\nname = \"a\"\n[[points]]\nname = \"b\"\n"
                     "search.strategies = []\n[halving]\nafter = [1]\n")
            .starts_with("s.toml:9: halving: point b has search.strategies = "
                         "[]"));
  CHECK(in.refused(head
                   + "[[points]]\nname = \"a\"\n[[points]]\nname = \"b\"\n"
                     "search.learner = \"agent_kb\"\n[halving]\nafter = "
                     "[1]\n")
            .starts_with("s.toml:9: halving: point b has search.learner = "
                         "\"agent_kb\""));
  for (const auto* key : {"search.max_concepts = 1", "eval.min_per_concept = 3",
                          "search.cluster_threshold = 0.5"})
    CHECK_THAT(in.refused(head
                          + "[[points]]\nname = \"a\"\n[[points]]\nname = "
                            "\"b\"\n"
                          + key + "\n[halving]\nafter = [1]\n"),
               Catch::StartsWith(
                   "s.toml:9: halving: points a and b differ in "
                   + std::string{key}.substr(0, std::string{key}.find(' '))));
}

TEST_CASE("a grid of a million points is refused without making them") {
  const sweep_folder in;
  std::string values = "1";
  for (int i = 2; i <= 100; ++i)
    values += fmt::format(", {}", i);
  CHECK(in.refused(head
                   + fmt::format("[grid]\nsearch.max_width = [{0}]\n"
                                 "search.max_depth = [{0}]\n"
                                 "search.iterations = [{0}]\n",
                                 values))
        == "s.toml: the points with their seeds are more than 10000 runs: "
           "leave out values");
}

} // namespace
} // namespace brewery
