#include "envs/spreadsheet/ports.hpp"
#include "envs/spreadsheet/python_modules.hpp"
#include "envs/spreadsheet/workspace.hpp"
#include "tests/envs/spreadsheet/fake_ports.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>

using namespace brewery;
using namespace brewery::spreadsheet;
using namespace brewery::test;

namespace {

std::string get(const fs::path& file) {
  const auto text = read_file(file);
  return text ? *text : "(none)";
}

struct place {
  scratch folder;
  fs::path input = folder.path() / "golden-side.xlsx";
  fs::path copy = folder.path() / "copy.xlsx";
  std::optional<workspace> made;

  place() {
    spill(input, "in");
    fs::create_directory(folder.path() / "root");
    auto work = workspace::make(folder.path() / "root", input);
    REQUIRE(work);
    made.emplace(std::move(*work));
  }
  [[nodiscard]] fs::path path(const char* name) const {
    return made->path() / name;
  }
};

} // namespace

TEST_CASE("a workspace has the input and is gone at the end") {
  place here;
  CHECK(get(here.path("input.xlsx")) == "in");
  const auto path = here.made->path();
  fs::create_directory(path / "closed");
  spill(path / "closed" / "file", "x");
  fs::permissions(path / "closed", fs::perms::none);
  here.made.reset();
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("only new and rewritten workbooks count as changed") {
  place here;
  CHECK(here.made->changed_workbooks()->empty());
  spill(here.path("output.xlsx"), "a");
  spill(here.path("notes.txt"), "a");
  spill(here.path("a.xlsx"), "a");
  fs::create_directory(here.path("folder.xlsx"));
  fs::create_symlink(here.input, here.path("link.xlsx"));
  ::mkfifo(here.path("pipe.xlsx").c_str(), S_IRWXU);
  CHECK(*here.made->changed_workbooks()
        == std::vector<std::string>{"output.xlsx", "a.xlsx"});
  CHECK(here.made->changed_workbooks()->empty());
  spill(here.path("input.xlsx"), "longer");
  CHECK(*here.made->changed_workbooks()
        == std::vector<std::string>{"input.xlsx"});
}

TEST_CASE("what replaces a workbook is no change by the code") {
  place here;
  spill(here.path("output.xlsx"), "before");
  REQUIRE(here.made->changed_workbooks()->size() == 1);
  spill(here.copy, "after");
  REQUIRE(here.made->replace("output.xlsx", here.copy));
  CHECK(get(here.path("output.xlsx")) == "after");
  CHECK(here.made->changed_workbooks()->empty());
}

TEST_CASE(
    "no name and no mode in a workspace keeps a workbook from replacement") {
  place here;
  spill(here.path("output.xlsx"), "before");
  SECTION("a directory with the name of a temporary file") {
    fs::create_directories(here.path(".brewery-replaced") / "more");
  }
  SECTION("a directory that may not be written") {
    fs::permissions(here.made->path(), fs::perms::owner_read);
  }
  SECTION("a directory that may not be read") {
    fs::permissions(here.made->path(), fs::perms::none);
  }
  REQUIRE(here.made->changed_workbooks()->size() == 1);
  spill(here.copy, "after");
  REQUIRE(here.made->replace("output.xlsx", here.copy));
  CHECK(get(here.path("output.xlsx")) == "after");
}

TEST_CASE("an answer is a plain file of its own, or none") {
  place here;
  const auto fetch = [&] { return here.made->fetch("output.xlsx", here.copy); };
  CHECK(*fetch() == workspace::fetched::missing);
  SECTION("a link to somebody else's file") {
    fs::create_symlink(here.input, here.path("output.xlsx"));
    CHECK(*fetch() == workspace::fetched::not_a_file);
  }
  SECTION("a pipe that nobody writes to") {
    ::mkfifo(here.path("output.xlsx").c_str(), S_IRWXU);
    CHECK(*fetch() == workspace::fetched::not_a_file);
  }
  SECTION("a directory") {
    fs::create_directory(here.path("output.xlsx"));
    CHECK(*fetch() == workspace::fetched::not_a_file);
  }
  SECTION("a file without end") {
    spill(here.path("output.xlsx"), "x");
    fs::resize_file(here.path("output.xlsx"), std::uintmax_t{1} << 33);
    CHECK(*fetch() == workspace::fetched::too_large);
  }
  SECTION("a file") {
    spill(here.path("output.xlsx"), "answer");
    CHECK(*fetch() == workspace::fetched::copied);
    CHECK(get(here.copy) == "answer");
  }
}

TEST_CASE("one limit of workbooks holds in every service") {
  const auto& modules = python_modules();
  const auto guard =
      std::find_if(modules.begin(), modules.end(), [](const auto& one) {
        return one.name == "workbook_guard";
      });
  REQUIRE(guard != modules.end());
  const auto line =
      fmt::format("MAX_FILE_BYTES = {} << 20\n", workbook_bytes_max >> 20);
  CHECK(std::string_view{guard->text}.find(line) != std::string_view::npos);
  place here;
  spill(here.path("output.xlsx"), "x");
  for (const std::uintmax_t more : {0u, 1u}) {
    fs::resize_file(here.path("output.xlsx"), workbook_bytes_max + more);
    CHECK(
        *here.made->fetch("output.xlsx", here.copy)
        == (more ? workspace::fetched::too_large : workspace::fetched::copied));
  }
}

TEST_CASE("nobody else lists workspaces, and only root lets others pass") {
  const scratch folder;
  service_settings settings;
  settings.directory = folder.path();
  const auto made = make_services(settings);
  REQUIRE(made);
  const auto mode_of = [](const fs::path& place) {
    return fs::status(place).permissions();
  };
  const auto wanted = ::geteuid() == 0
                          ? fs::perms::owner_all | fs::perms::group_exec
                                | fs::perms::others_exec
                          : fs::perms::owner_all;
  const auto workspaces = made->kernels->workspaces();
  CHECK(mode_of(workspaces) == wanted);
  CHECK((mode_of(workspaces.parent_path()) & fs::perms::others_all)
        == (wanted & fs::perms::others_all));
}

TEST_CASE("what became a link meanwhile is not written through") {
  place here;
  spill(here.path("output.xlsx"), "before");
  REQUIRE(here.made->changed_workbooks()->size() == 1);
  fs::remove(here.path("output.xlsx"));
  fs::create_symlink(here.input, here.path("output.xlsx"));
  spill(here.copy, "after");
  REQUIRE(here.made->replace("output.xlsx", here.copy));
  CHECK(get(here.input) == "in");
}
