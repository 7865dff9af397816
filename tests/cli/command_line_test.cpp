/// Names on a command line, and the lines that answer them.

#include "cli/configuration.hpp"
#include "cli/json_line.hpp"
#include "cli/locate.hpp"
#include "cli/terminal.hpp"
#include "cli/usage.hpp"
#include "store/run_directory.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <fstream>

using namespace brewery;
using Catch::Contains;

namespace {

/// `brewery` with `run` and `kb list`, `kb show`.
struct command_tree {
  CLI::App app{"Learns.", "brewery"};
  CLI::App* kb = app.add_subcommand("kb", "Documents.");
  int width = 0;

  command_tree() {
    app.require_subcommand(1);
    app.add_subcommand("run", "Runs.")->add_option("--width", width);
    kb->add_subcommand("list", "Lists.");
    kb->add_subcommand("show", "Shows.");
  }
  std::string unknown(const std::vector<std::string>& words) {
    return unknown_command(app, words);
  }
};

} // namespace

TEST_CASE("a misspelt command is answered with the one that was meant") {
  command_tree c;
  CHECK(c.unknown({"rnu"}) == "unknown command \"rnu\"; did you mean \"run\"?");
  CHECK(c.unknown({"kb", "lst"})
        == "unknown command \"kb lst\"; did you mean \"kb list\"?");
}

TEST_CASE("a word near no command is answered with all there are") {
  command_tree c;
  CHECK(c.unknown({"kb", "0123456789"})
        == "unknown command \"kb 0123456789\"; commands are list, show");
}

TEST_CASE("what stands where no command is expected is no unknown command") {
  command_tree c;
  CHECK(c.unknown({}).empty());
  CHECK(c.unknown({"run"}).empty());
  CHECK(c.unknown({"run", "anything"}).empty()); // an argument
  CHECK(c.unknown({"--hepl"}).empty());
  CHECK(c.unknown({"kb", "--json", "lst"}).empty());
}

TEST_CASE("bad usage is one line with the help of the command reached") {
  command_tree c;
  try {
    c.app.parse(std::vector<std::string>{"wide", "--width", "run"});
    FAIL("was accepted");
  } catch (const CLI::ParseError& problem) {
    const auto text = usage_message(c.app, problem, {"wide", "--width", "run"});
    CHECK_THAT(text, Contains("; see `brewery run --help`"));
    CHECK(text.find('\n') == std::string::npos);
  }
}

TEST_CASE("a misspelt option is answered with the one that was meant") {
  command_tree c;
  const auto answer = [&](const std::vector<std::string>& words) {
    try {
      c.app.parse(std::vector<std::string>{words.rbegin(), words.rend()});
    } catch (const CLI::ParseError& problem) {
      return usage_message(c.app, problem, words);
    }
    return std::string{"accepted"};
  };
  CHECK_THAT(answer({"run", "--widht", "3"}),
             Contains("unknown option --widht; did you mean --width?; see "
                      "`brewery run --help`"));
  CHECK_THAT(answer({"run", "--widht=3"}), Contains("--width?"));
  CHECK_THAT(answer({"--hepl"}), Contains("did you mean --help?"));
  CHECK_THAT(answer({"kb", "list", "--zzzzzzzz"}),
             Contains("unknown option --zzzzzzzz; see `brewery kb list"));
}

TEST_CASE("help COMMAND is COMMAND --help") {
  using words = std::vector<std::string>;
  CHECK(help_words({"help"}) == words{"--help"});
  CHECK(help_words({"help", "kb", "list"}) == words{"kb", "list", "--help"});
  CHECK(help_words({"run", "help"}) == words{"run", "help"});
}

TEST_CASE("a JSON line names its event first") {
  CHECK(json_line("hit", {{"rank", 1}}) == "{\"event\":\"hit\",\"rank\":1}\n");
}

TEST_CASE("a value is one line of JSON, whatever bytes it holds") {
  nlohmann::ordered_json value{{"z", "a\nb"}, {"a", "\xff"}};
  const auto line = json_line(value);
  CHECK(line == "{\"z\":\"a\\nb\",\"a\":\"\xEF\xBF\xBD\"}\n");
  CHECK(nlohmann::json::accept(line));
}

TEST_CASE("a run is found by its id, or by a path that is written as one") {
  const scratch root;
  const auto made = run_directory::create(root.path(), "night");
  REQUIRE(made);
  std::ofstream{made->config()} << "# a run\n";
  const auto at = root.path() / "night";
  CHECK(*locate_run("night", root.path()) == at);
  CHECK(*locate_run(at.string(), "/nowhere") == at);
  CHECK(locate_run(at.string() + "s", root.path()).error().code
        == ec::not_found);
  const auto near = locate_run("nihgt", root.path());
  REQUIRE_FALSE(near);
  CHECK(near.error().code == ec::not_found);
  CHECK_THAT(near.error().message, Contains("night"));
}

TEST_CASE("a knowledge base is a folder, or the one of a run") {
  const scratch root;
  const auto made = run_directory::create(root.path(), "night");
  REQUIRE(made);
  std::ofstream{made->config()} << "# a run\n";
  std::filesystem::create_directories(made->documents());
  CHECK(*locate_kb("night", root.path()) == made->documents());
  CHECK(*locate_kb(made->path().string(), "/nowhere") == made->documents());
  const auto plain = root.path() / "plain";
  std::filesystem::create_directory(plain);
  CHECK(*locate_kb(plain.string(), root.path()) == plain);
  const auto none = locate_kb("nihgt", root.path());
  REQUIRE_FALSE(none);
  CHECK_THAT(none.error().message,
             Contains("no directory nihgt; ") && Contains("night"));
}

TEST_CASE("a configuration with a problem ends the command as bad usage") {
  const scratch root;
  const auto file = (root.path() / "a.toml").string();
  std::ofstream{file} << "[environment]\nkind = \"toy\"\n";
  CHECK(usable_config_from({.file = file, .overrides = {}}).code == exit_ok);
  CHECK(usable_config_from({.file = file, .overrides = {"run.sede=1"}}).code
        == exit_usage);
  CHECK(usable_config_from(
            {.file = file, .overrides = {"environment.kind=tau2-telecom"}})
            .code
        == exit_usage); // no data
  CHECK(usable_config_from({.file = file + "x", .overrides = {}}).code
        == exit_usage);
}

TEST_CASE("a directory of runs that is named is taken as it is") {
  CHECK(runs_directory("some/runs") == "some/runs");
}

TEST_CASE("an option before its command is told where it stands") {
  command_tree c;
  const std::vector<std::string> words{"--width", "3", "run"};
  try {
    c.app.parse(std::vector<std::string>{words.rbegin(), words.rend()});
    FAIL("was parsed");
  } catch (const CLI::ParseError& problem) {
    CHECK_THAT(usage_message(c.app, problem, words),
               Contains("--width stands behind the command: `brewery run "
                        "--width`"));
  }
}

TEST_CASE("help goes on below where its text began") {
  const auto words = [](std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i)
      out += " word";
    return out.substr(1);
  };
  CHECK(fitted_help("Short.\n\n  -h  Help\n") == "Short.\n\n  -h  Help\n");
  CHECK(fitted_help(words(17) + '\n') == words(16) + "\nword\n");
  // A paragraph is filled anew.
  CHECK(fitted_help(words(10) + '\n' + words(7) + "\n\nEnd.\n")
        == words(16) + "\nword\n\nEnd.\n");
  const std::string option = "  --width FLOAT" + std::string(15, ' ');
  CHECK(fitted_help(option + words(11) + '\n')
        == option + words(10) + '\n' + std::string(30, ' ') + "word\n");
  CHECK(fitted_help("  brewery " + words(15) + '\n')
        == "  brewery " + words(13) + " \\\n      " + words(2) + '\n');
  const std::string whole(90, 'x');
  CHECK(fitted_help(whole + '\n') == whole + '\n');
}
