#include "process/temporary_folder.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <csignal>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <vector>

using namespace brewery;
namespace fs = std::filesystem;

namespace {

result<temporary_folder> make_in(const scratch& at) {
  return temporary_folder::make_in(at.path(), "kind-");
}

/// As a killed process left it.
fs::path abandoned(const scratch& at, const std::string& name) {
  const auto out = at.path() / name;
  fs::create_directory(out);
  return out;
}

void touch(const fs::path& file) {
  std::ofstream{file} << "x";
}

std::size_t files_in(const fs::path& directory) {
  std::error_code gone; // while it is being removed
  std::size_t count = 0;
  for (fs::directory_iterator it{directory, gone}, end; !gone && it != end;
       it.increment(gone))
    ++count;
  return count;
}

/// In a process that is killed while it removes what others left.
void make_and_be_killed(const scratch& at, const fs::path& left) {
  const auto before = files_in(left);
  const auto child = ::fork();
  if (child == 0) {
    (void)make_in(at);
    ::_exit(0);
  }
  while (files_in(left) == before)
    if (::waitpid(child, nullptr, WNOHANG) != 0) return;
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

} // namespace

TEST_CASE("a temporary folder goes with its owner, all it holds included") {
  const scratch at;
  fs::path first;
  {
    const auto one = make_in(at);
    REQUIRE(one);
    first = one->path();
    CHECK(first.filename().string().starts_with("kind-"));
    CHECK(fs::status(first).permissions() == fs::perms::owner_all);
    fs::create_directories(first / "a/b");
    touch(first / "a/b/file");
    const auto two = make_in(at);
    REQUIRE(two);
    CHECK(two->path() != first);
    CHECK(fs::exists(first / "a/b/file")); // in use
  }
  CHECK_FALSE(fs::exists(first));
  CHECK(fs::is_empty(at.path()));
}

TEST_CASE("what killed processes left is removed, and nothing else") {
  const scratch at;
  const auto left = abandoned(at, "kind-killed");
  fs::create_directory(left / "data");
  const auto other = abandoned(at, "other-kind-1");
  const auto elsewhere = abandoned(at, "elsewhere");
  fs::create_directory_symlink(elsewhere, at.path() / "kind-link");
  touch(at.path() / "kind-file");
  const auto made = make_in(at);
  REQUIRE(made);
  CHECK_FALSE(fs::exists(left));
  CHECK(fs::exists(other));
  CHECK(fs::exists(elsewhere));
  CHECK(fs::exists(at.path() / "kind-file"));
}

TEST_CASE("whatever modes its content got, a folder is removed") {
  const scratch at;
  fs::path path;
  {
    const auto one = make_in(at);
    REQUIRE(one);
    path = one->path();
    fs::create_directory(path / "closed");
    touch(path / "closed/file");
    ::chmod((path / "closed").c_str(), 0);
    one->let_pass();
    CHECK(fs::status(path).permissions()
          == (fs::perms::owner_all | fs::perms::group_exec
              | fs::perms::others_exec));
  }
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("a removal that was killed is completed by the next process") {
  const scratch at;
  for (int round = 0; round < 10; ++round) {
    const auto left = abandoned(at, "kind-" + std::to_string(round));
    for (int file = 0; file < 1000; ++file)
      touch(left / std::to_string(file));
    make_and_be_killed(at, left);
    REQUIRE(make_in(at));
    CHECK(files_in(left) == 0);
  }
}

TEST_CASE("whoever removes what was left takes nobody's folder away") {
  const scratch at;
  std::atomic<int> lost{0};
  {
    std::vector<std::jthread> makers;
    for (int t = 0; t < 4; ++t)
      makers.emplace_back([&] {
        for (int i = 0; i < 200; ++i) {
          const auto made = make_in(at);
          lost += !made || !fs::exists(made->path());
        }
      });
  }
  CHECK(lost == 0);
}

TEST_CASE("a folder that was moved is whoever's it became") {
  const scratch at;
  fs::path kept;
  {
    auto one = make_in(at);
    REQUIRE(one);
    const auto moved = std::move(*one);
    kept = at.path() / "whole";
    fs::rename(moved.path(), kept);
  }
  CHECK(fs::exists(kept));
}

TEST_CASE("a place where no folder can be made is named") {
  const scratch at;
  const auto nowhere = temporary_folder::make_in(at.path() / "none", "kind-");
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error().message.find((at.path() / "none").string())
        != std::string::npos);
}
