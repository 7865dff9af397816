#include "base/rng.hpp"
#include "base/text.hpp"
#include "base/toml_reader.hpp"
#include "config/option.hpp"
#include "config/print.hpp"
#include "tests/config/fixture.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <iterator>

using namespace brewery;
using namespace brewery::test;

namespace {

/// Strings that quoting could get wrong.
const std::vector<std::string> awkward{
    "",     "a b",       "\"quoted\"",   "back\\slash", "line\nbreak", "tab\t",
    "\x01", "caf\u00e9", "# no comment", "a=b",         "[x]",         "'''"};

std::string read(const std::string& name) {
  std::ifstream in{std::string{BREWERY_SOURCE_DIR} + "/config/" + name};
  INFO("missing config/" << name);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>{in}, {}};
}

option_value draw_value(const option& item, rng& random) {
  const double low = item.min.value_or(-1e9);
  const double high = item.max.value_or(1e9);
  switch (item.kind) {
  case option_kind::boolean:
    return random.below(2) == 1;
  case option_kind::integer_or_word:
    if (random.below(2) == 1)
      return item.choices[random.below(item.choices.size())];
    [[fallthrough]];
  case option_kind::integer:
    return static_cast<std::int64_t>(
        low + std::floor(random.uniform() * (high - low + 1)));
  case option_kind::number:
    return low + random.uniform() * (high - low);
  case option_kind::path:
    return "/p/" + std::to_string(random.below(100));
  case option_kind::choice:
    return item.choices[random.below(item.choices.size())];
  case option_kind::list: {
    auto words = item.choices;
    random.shuffle(words);
    words.resize(random.below(words.size() + 1));
    return words;
  }
  default:
    return awkward[random.below(awkward.size())];
  }
}

} // namespace

TEST_CASE("what is printed loads back to the same configuration") {
  const auto seed = GENERATE(range(0, 200));
  INFO("seed " << seed);
  rng random{rng_key(static_cast<std::uint64_t>(seed), "round trip")};
  config value;
  for (const auto& section : schema())
    for (const auto& item : section.options)
      item.set(value, draw_value(item, random));
  // Rules between options may be broken by such values; reading must not be.
  const auto text = to_toml(value);
  CAPTURE(text);
  const auto loaded = parse_config(text, request());
  CHECK(loaded.value == value);
  for (const auto& message : messages(loaded))
    CHECK(message.find("expected an") == std::string::npos);
  CHECK(to_toml(loaded.value) == text);
}

TEST_CASE("origins are comments, so the text still loads") {
  const auto loaded = load("[run]\nseed = 3\n", {"run.threads=2"});
  const auto text = to_toml(loaded.value, loaded.origins);
  CHECK(text.find("\nseed = 3  # from conf/a.toml:2\n") != std::string::npos);
  CHECK(text.find("\nthreads = 2  # from --set\n") != std::string::npos);
  CHECK(text.find("\nname = \"\"  # from default\n") != std::string::npos);
  CHECK(parse_config(text, request()).value == loaded.value);
}

TEST_CASE("every option is printed with its sentence and range") {
  const auto text = to_toml(config{});
  for (const auto& section : schema()) {
    CHECK(text.find("\n[" + section.name + "]\n") != std::string::npos);
    for (const auto& item : section.options) {
      INFO(item.key());
      CHECK(text.find('\n' + item.name + " = ") != std::string::npos);
      const auto words = split(item.sentence, ' ');
      CHECK(text.find(std::string{words[0]} + ' ' + std::string{words[1]})
            != std::string::npos);
    }
  }
  for (const auto line : split(text, '\n'))
    CHECK(line.size() <= 80);
}

TEST_CASE("numbers are printed in their shortest exact form") {
  CHECK(write_toml(0.1) == "0.1");
  CHECK(write_toml(1.0) == "1.0");
  CHECK(write_toml(std::sqrt(2.0)) == "1.4142135623730951");
  CHECK(write_toml(1e-7) == "1e-07");
  CHECK(write_toml(std::int64_t{-3}) == "-3");
  CHECK(write_toml(std::vector<std::string>{"a", "\""}) == R"(["a", "\""])");
}

TEST_CASE("JSON has every option under its section") {
  const auto parsed = nlohmann::json::parse(to_json(config{}));
  CHECK(to_json(config{}).find('\n') == std::string::npos);
  for (const auto& section : schema())
    for (const auto& item : section.options) {
      INFO(item.key());
      const auto at = "/" + replace_all(item.key(), ".", "/");
      CHECK(parsed.contains(nlohmann::json::json_pointer{at}));
    }
  CHECK(parsed["search"]["strategies"] == nlohmann::json{"mcts"});
  CHECK(parsed["eval"]["similarity"] == 0.2);
}

TEST_CASE("the example file is up to date and sets nothing") {
  const auto text = read("brewery.example.toml");
  CHECK(text == example_toml());
  CHECK(parse_config(text, request({"environment.kind=toy"})).origins.size()
        == 1);
}

TEST_CASE("the example file without its comment signs is the default") {
  const auto example = example_toml();
  std::string text;
  for (const auto line : split(example, '\n'))
    text += std::string{line.starts_with('#') && !line.starts_with("# ")
                            ? line.substr(1)
                            : line}
            + '\n';
  auto loaded = parse_config(text, request());
  // Only here a path is relative to the file.
  CHECK(loaded.value.run.runs_dir == "/site/conf/runs");
  loaded.value.run.runs_dir = config{}.run.runs_dir;
  CHECK(loaded.value == config{});
  CHECK(loaded.origins.size() >= 40);
}

TEST_CASE("the table of options is up to date and has every option") {
  const auto text = read("OPTIONS.md");
  CHECK(text == options_markdown());
  for (const auto& section : schema())
    for (const auto& item : section.options) {
      INFO(item.key());
      CHECK(text.find("| `" + item.name + "` |") != std::string::npos);
    }
}
