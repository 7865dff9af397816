#include "process/child_process.hpp"
#include "process/run_program.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <poll.h>
#include <unistd.h>

using namespace brewery;
using namespace brewery::child;
using namespace std::chrono_literals;

namespace {

constexpr auto end_patience = 20s;

/// All that the child writes until it closes its output.
std::string output_of(const child_process& child) {
  std::string out;
  std::string part(4096, '\0');
  while (true) {
    pollfd ready{child.output(), POLLIN, 0};
    const std::chrono::milliseconds left{end_patience};
    if (::poll(&ready, 1, static_cast<int>(left.count())) <= 0)
      return out + " (and then nothing)";
    const auto got = ::read(child.output(), part.data(), part.size());
    if (got <= 0) return out;
    out.append(part, 0, static_cast<std::size_t>(got));
  }
}

} // namespace

TEST_CASE("a program found along PATH is told where, whatever its own PATH") {
  // Interpreters find their own files by that: a Python of a virtual
  // environment would take those of another one in its PATH.
  const scratch folder;
  std::filesystem::create_symlink("/bin/sh", folder.path() / "brew-kettle");
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", (folder.path().string() + ":" + before).c_str(), 1);
  child_command command;
  command.words = {"brew-kettle", "-c", "echo \"$0\""};
  command.variables = {{"PATH", "/usr/bin:/bin"}};
  auto child = child_process::start(command);
  ::setenv("PATH", before.c_str(), 1);
  REQUIRE(child);
  CHECK(output_of(*child) == (folder.path() / "brew-kettle").string() + "\n");
  CHECK(child->end(end_patience) == "it ended with exit status 0");
}

TEST_CASE("a program that has ended is not kept by what its children write") {
  child_command command;
  command.words = {"sh", "-c",
                   "echo done; while :; do echo x >&2; done & "
                   "exit 3"};
  command.variables = {{"PATH", "/usr/bin:/bin"}};
  const auto run = run_program(command, "", {10min, std::size_t{1} << 30U});
  REQUIRE(run);
  CHECK(run->ending == "it ended with exit status 3");
  CHECK(run->output == "done\n");
}
