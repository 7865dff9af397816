// Compares native metrics with OSWorld's own Python, bit for bit, on generated
// and mutated inputs. BREWERY_OSWORLD_CHECKOUT names a checkout; without it the
// test says so.
#include "base/text.hpp"
#include "envs/osworld/grading/metrics/metric.hpp"
#include "process/run_program.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <cstdlib>

using namespace brewery;
using namespace brewery::osworld;

namespace {

constexpr int cases_wanted = 3'300;

std::string from_hex(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    out += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  return out;
}

graded_value shaped(const json& value) {
  if (value.contains("file"))
    return graded_value::of_file(from_hex(value["file"]));
  return value.contains("data") ? graded_value::of_data(value["data"])
                                : graded_value{};
}

/// "0.5", or "raises".
std::string native_answer(const json& item) {
  const auto got = shaped(item["result"]);
  const bool has_expected = !item["expected"].is_null();
  const auto expected =
      has_expected ? shaped(item["expected"]) : graded_value{};
  const auto score = native_metric(item["metric"].get<std::string>())(
      {got, has_expected ? &expected : nullptr, item["options"]});
  return score ? fmt::format("{:.17g}", *score) : "raises";
}

std::string official_answer(const json& item) {
  return item.contains("score")
             ? fmt::format("{:.17g}", item["score"].get<double>())
             : "raises";
}

} // namespace

TEST_CASE("osworld: native metrics score as the official ones") {
  const auto* checkout = std::getenv("BREWERY_OSWORLD_CHECKOUT");
  if (!checkout) {
    WARN("skipped: BREWERY_OSWORLD_CHECKOUT names no OSWorld checkout");
    return;
  }
  child::child_command command;
  command.words = {"python3", "tests/envs/osworld/python/official_cases.py",
                   checkout, std::to_string(cases_wanted)};
  command.directory = BREWERY_SOURCE_DIR;
  command.variables = {{"PATH", std::getenv("PATH")},
                       {"PYTHONDONTWRITEBYTECODE", "1"}};
  const auto run =
      child::run_program(command, "",
                         {.deadline = std::chrono::minutes{5},
                          .output_bytes_most = std::size_t{1} << 28});
  REQUIRE(run);
  INFO(run->errors);
  REQUIRE(run->succeeded());
  int compared = 0, scored = 0;
  for (const auto line : split(trim(run->output), '\n')) {
    const auto item = json::parse(line);
    INFO(line);
    CHECK(native_answer(item) == official_answer(item));
    ++compared;
    scored += item.contains("score") && item["score"] != 0 ? 1 : 0;
  }
  CHECK(compared == cases_wanted);
  // Cases that all score 0 would prove little.
  CHECK(scored > compared / 5);
}
