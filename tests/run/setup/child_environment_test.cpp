/// How an environment that is a program is started.

#include "run/setup/child_environment.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>

using namespace brewery;
using Catch::Contains;

namespace {

using word_list = std::vector<std::string>;

environment_options program(const word_list& command) {
  environment_options out;
  out.kind = "external";
  out.external.command = command;
  return out;
}

} // namespace

TEST_CASE("a command of one text is divided as a shell does it") {
  const std::vector<std::pair<std::string, word_list>> divided{
      {"lock", {"lock"}},
      {"  lock\t--fast ", {"lock", "--fast"}},
      {"lock \"a b\" 'c d'", {"lock", "a b", "c d"}},
      {"lock a\\ b", {"lock", "a b"}},
      {"lock 'a\\b' \"a\\\"b\"", {"lock", "a\\b", "a\"b"}},
      {"lock '' x", {"lock", "", "x"}},
      {"lo\"ck\"' it'", {"lock it"}},
      {"lock $HOME *", {"lock", "$HOME", "*"}}, // nothing else is a shell's
  };
  for (const auto& [text, words] : divided) {
    INFO(text);
    const auto read = command_words({text}, "x.command");
    REQUIRE(read);
    CHECK(*read == words);
  }
}

TEST_CASE("a command of several words stays as it is") {
  const word_list words{"my lock", "a 'b"};
  CHECK(*command_words(words, "x.command") == words);
}

TEST_CASE("a command that names no program or does not close is refused") {
  for (const auto* text : {"", "  ", "''", "'' x"}) {
    const auto read = command_words({text}, "x.command");
    INFO(text);
    REQUIRE_FALSE(read);
    CHECK(read.error().code == ec::invalid_config);
    CHECK_THAT(read.error().message, Contains("names no program"));
  }
  for (const auto* text : {"lock 'x", "lock \"x"}) {
    const auto read = command_words({text}, "x.command");
    REQUIRE_FALSE(read);
    CHECK_THAT(read.error().message, Contains("x.command = "));
  }
}

TEST_CASE("a program sees the variables that are named, and few others") {
  ::setenv("BREWERY_TEST_KEY", "secret", 1);
  ::setenv("BREWERY_TEST_OTHER", "x", 1);
  auto options = program({"cat"});
  options.external.child.pass_env = {"BREWERY_TEST_KEY"};
  const auto child = child_options(options);
  REQUIRE(child);
  std::map<std::string, std::string> seen{child->command.variables.begin(),
                                          child->command.variables.end()};
  CHECK(seen["BREWERY_TEST_KEY"] == "secret");
  CHECK(seen.contains("PATH"));
  CHECK_FALSE(seen.contains("BREWERY_TEST_OTHER"));
}

TEST_CASE("a program that is not there is the error of its option") {
  auto options = program({"brewery-no-such-program", "--fast"});
  const auto refusal = [&] {
    const auto child = child_options(options);
    REQUIRE_FALSE(child);
    CHECK(child.error().code == ec::not_found);
    return child.error().message;
  };
  CHECK(refusal()
        == "environment.external.command = \"brewery-no-such-program\": there "
           "is no program \"brewery-no-such-program\" in PATH");
  options.external.command = {"/nowhere/lock"};
  CHECK(refusal()
        == "environment.external.command = \"/nowhere/lock\": the program "
           "/nowhere/lock cannot be started: No such file or directory");
  options.kind = "tau2-official";
  options.tau2_official.python = "brewery-no-such-python";
  CHECK_THAT(refusal(), Contains("environment.tau2_official.python = "
                                 "\"brewery-no-such-python\": "));
}

TEST_CASE("the Python package is found beside the program") {
  namespace fs = std::filesystem;
  const scratch at;
  const auto sources = at.path() / "sources";
  const auto checkout = at.path() / "moved";
  const auto prefix = at.path() / "prefix";
  const auto found = [&](const fs::path& program) {
    return python_package({.built_from = sources,
                           .installed = "../share/brewery/envs/python",
                           .program = program});
  };
  const auto built = checkout / "build" / "release" / "cli" / "brewery";
  const auto installed = prefix / "bin" / "brewery";
  fs::create_directories(built.parent_path());
  fs::create_directories(installed.parent_path());
  CHECK(found(built).empty());
  CHECK(found(installed).empty());
  CHECK(found({}).empty());

  SECTION("a checkout that was moved still has it") {
    const auto package = checkout / "envs" / "python";
    fs::create_directories(package / "brewery_env");
    CHECK(found(built) == package);
    CHECK(found(installed).empty());
    // What the program was built from goes first.
    fs::create_directories(sources / "brewery_env");
    CHECK(found(built) == sources);
  }
  SECTION("what was installed with the program goes first") {
    const auto package = prefix / "share" / "brewery" / "envs" / "python";
    fs::create_directories(package / "brewery_env");
    fs::create_directories(sources / "brewery_env");
    CHECK(found(installed) == package);
    CHECK(found(built) == sources);
  }
}

TEST_CASE("a variable that is to be passed and not set is named") {
  ::unsetenv("BREWERY_TEST_NONE");
  auto options = program({"lock"});
  options.external.child.pass_env = {"BREWERY_TEST_NONE"};
  const auto child = child_options(options);
  REQUIRE_FALSE(child);
  CHECK(child.error().code == ec::invalid_config);
  CHECK_THAT(child.error().message, Contains("environment.external.pass_env")
                                        && Contains("\"BREWERY_TEST_NONE\""));
}
