#include "tests/fixtures/scratch.hpp"
#include "web/export/unfinished_folder.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using web::unfinished_folder;
namespace fs = std::filesystem;

TEST_CASE("two that write to one name have folders of their own") {
  const scratch at;
  const auto first = unfinished_folder::make(at.path() / "page");
  REQUIRE(first);
  const auto second = unfinished_folder::make(at.path() / "page");
  REQUIRE(second);
  CHECK(first->path() != second->path());
  CHECK(fs::is_directory(first->path()));
  CHECK(fs::is_directory(second->path()));
}

TEST_CASE("a folder that was left unfinished is removed, no other one is") {
  const scratch at;
  fs::path left;
  {
    const auto killed = unfinished_folder::make(at.path() / "page");
    REQUIRE(killed);
    left = killed->path();
  }
  fs::create_directory(left / "data");
  const auto of_another = unfinished_folder::make(at.path() / "page2");
  REQUIRE(of_another);
  fs::create_directory(at.path() / ".page.new");
  REQUIRE(unfinished_folder::make(at.path() / "page"));
  CHECK_FALSE(fs::exists(left));
  CHECK(fs::exists(of_another->path()));
  CHECK(fs::exists(at.path() / ".page.new"));
}

TEST_CASE("a place where no folder can be made is named") {
  const scratch at;
  const auto nowhere = unfinished_folder::make(at.path() / "none" / "page");
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error().message.find((at.path() / "none").string())
        != std::string::npos);
}
