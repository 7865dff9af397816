/// What `--env` takes, and how it says what it does not take.

#include "run/setup/offered_environment.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <fstream>

using namespace brewery;
using Catch::Contains;

namespace {

std::string offer_file(const scratch& folder, const std::string& text) {
  const auto path = folder.path() / "offer.toml";
  std::ofstream{path} << text;
  return path.string();
}

} // namespace

TEST_CASE("an offer is a kind and where its data or program is") {
  const auto toy = parse_offer("toy");
  REQUIRE(toy);
  CHECK(toy->kind == "toy");
  CHECK(toy->options.data.empty());
  CHECK(parse_offer("plant")->kind == "plant");

  const scratch folder;
  const auto data = std::filesystem::relative(folder.path());
  const auto telecom = parse_offer("tau2-telecom=" + data.string());
  REQUIRE(telecom);
  CHECK(telecom->options.kind == "tau2-telecom");
  CHECK(telecom->options.data == std::filesystem::current_path() / data);

  // What follows the first sign of equality is the command as it is.
  const auto lock = parse_offer("external=python3 lock.py --level=2");
  REQUIRE(lock);
  CHECK(lock->options.external.command
        == std::vector<std::string>{"python3 lock.py --level=2"});
  CHECK(lock->options.data.empty());
}

TEST_CASE("an offer that says too little is refused with what to write") {
  const std::vector<std::pair<std::string, std::string>> refused{
      {"", "unknown environment ''"},
      {"=data", "unknown environment ''"},
      {"tau3-telecom=data", "unknown environment 'tau3-telecom'; there are"},
      {"Toy", "unknown environment 'Toy'"},
      {"tau2-telecom", "the data directory is missing: tau2-telecom=DIRECTORY"},
      {"tau2-retail=", "the data directory is missing: tau2-retail=DIRECTORY"},
      {"spreadsheet", "the data directory is missing: spreadsheet=DIRECTORY"},
      {"osworld", "the data directory is missing: osworld=DIRECTORY"},
      {"tau2-official",
       "the data directory is missing: tau2-official=DIRECTORY"},
      {"external", "external=COMMAND or external=FILE.toml"},
      {"external=", "external=COMMAND or external=FILE.toml"},
  };
  for (const auto& [text, why] : refused) {
    INFO(text);
    const auto offer = parse_offer(text);
    REQUIRE_FALSE(offer);
    CHECK(offer.error().code == ec::invalid_argument);
    CHECK_THAT(offer.error().message,
               Contains("--env " + text + ":") && Contains(why));
  }
}

TEST_CASE("an offer of a directory or a file that is not there is refused") {
  const scratch folder;
  const auto nowhere = (folder.path() / "nowhere").string();
  for (const auto* kind :
       {"tau2-telecom", "tau2-official", "spreadsheet", "osworld"}) {
    const auto text = std::string{kind} + "=" + nowhere;
    INFO(text);
    const auto offer = parse_offer(text);
    REQUIRE_FALSE(offer);
    CHECK(offer.error().code == ec::not_found);
    CHECK(offer.error().message == "--env " + text + ": no such directory");
  }
  // The file, and not a program of that name.
  for (const auto* kind : {"external", "toy", "tau2-telecom"}) {
    const auto offer = parse_offer(std::string{kind} + "=" + nowhere + ".toml");
    REQUIRE_FALSE(offer);
    CHECK_THAT(offer.error().message,
               Contains("cannot read configuration " + nowhere + ".toml"));
  }
  CHECK(parse_offer("external=python3 lock.py --options nowhere.toml"));
}

TEST_CASE("an environment that has no data takes none") {
  for (const auto* kind : {"toy", "plant"}) {
    const auto offer = parse_offer(std::string{kind} + "=tasks");
    REQUIRE_FALSE(offer);
    CHECK(offer.error().code == ec::invalid_argument);
    CHECK_THAT(offer.error().message,
               Contains(std::string{"--env "} + kind + "=tasks: " + kind
                        + " has no data"));
  }
}

TEST_CASE("one process offers one benchmark of a kind") {
  const auto both = parse_offers({"toy", "external=python3 lock.py"});
  REQUIRE(both);
  CHECK(both->size() == 2);
  const auto twice = parse_offers({"external=a.py", "toy", "external=b.py"});
  REQUIRE_FALSE(twice);
  CHECK(twice.error().message.find("--env external=b.py") != std::string::npos);
}

TEST_CASE("an offer by file is the environment of that file") {
  const scratch folder;
  const auto file = offer_file(
      folder, "[run]\nseed = 9\n[environment]\nkind = \"external\"\n"
              "[environment.external]\ncommand = [\"lock\", \"--fast\"]\n"
              "start_timeout_ms = 7000\n");
  const auto offer = parse_offer("external=" + file);
  REQUIRE(offer);
  CHECK(offer->options.external.command
        == std::vector<std::string>{"lock", "--fast"});
  CHECK(offer->options.external.child.start_timeout_ms == 7000);
}

TEST_CASE("a file is offered only as what it is for") {
  const scratch folder;
  const auto file = offer_file(folder, "[environment]\nkind = \"toy\"\n");
  const auto offer = parse_offer("external=" + file);
  REQUIRE_FALSE(offer);
  CHECK(offer.error().code == ec::invalid_argument);
  CHECK_THAT(offer.error().message, Contains("is for the environment 'toy'"));
}

TEST_CASE("a file that cannot be used is refused with its first problem") {
  const scratch folder;
  const auto unknown =
      offer_file(folder, "[environment]\nkind = \"toy\"\ndate = \"x\"\n");
  const auto offer = parse_offer("toy=" + unknown);
  REQUIRE_FALSE(offer);
  CHECK_THAT(offer.error().message, Contains("offer.toml") && Contains("date"));

  const auto nowhere =
      offer_file(folder, "[environment]\nkind = \"tau2-telecom\"\n"
                         "data = \"/nowhere\"\n");
  const auto missing = parse_offer("tau2-telecom=" + nowhere);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ec::not_found);
  CHECK_THAT(missing.error().message, Contains("no such directory"));
}
