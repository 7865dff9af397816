#include "process/descriptor_limit.hpp"
#include "process/run_program.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("the limit of descriptors is raised, but not that of children") {
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  REQUIRE(before.rlim_max > 256);
  const rlimit low{256, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &low) == 0);
  for (int times = 0; times < 2; ++times) // the second changes nothing
    raise_descriptor_limit();
  rlimit raised{};
  ::getrlimit(RLIMIT_NOFILE, &raised);
  CHECK(raised.rlim_cur == before.rlim_max);
  child::child_command shell;
  shell.words = {"sh", "-c", "ulimit -n"};
  const auto said = child::run_program(shell, "", {});
  REQUIRE(said);
  CHECK(said->output == "256\n");
  ::setrlimit(RLIMIT_NOFILE, &before);
}
