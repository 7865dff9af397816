// Compares native metrics and getters with OSWorld's own Python, bit for bit,
// on generated and mutated inputs. BREWERY_OSWORLD_CHECKOUT names a checkout,
// and BREWERY_OSWORLD_PYTHON a Python with lxml and cssselect if python3 has
// none; without a checkout the test says so.
#include "base/text.hpp"
#include "envs/osworld/grading/getters.hpp"
#include "envs/osworld/grading/metrics/metric.hpp"
#include "process/run_program.hpp"
#include "tests/envs/osworld/fake_guest.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

using namespace brewery;
using namespace brewery::osworld;

namespace {

constexpr int cases_wanted = 6'000;

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
std::string native_score(const json& item) {
  const auto got = shaped(item["result"]);
  const bool has_expected = !item["expected"].is_null();
  const auto expected =
      has_expected ? shaped(item["expected"]) : graded_value{};
  const auto score = native_metric(item["metric"].get<std::string>())(
      {got, has_expected ? &expected : nullptr, item["options"]});
  return score ? fmt::format("{:.17g}", *score) : "raises";
}

/// A guest with the world of one case after the other.
class scripted_guest {
public:
  /// A value as JSON with sorted keys, or "raises".
  std::string native_value(const json& item) {
    world_ = item["world"];
    files_ = world_.value("files", json::object());
    for (const auto& [name, content] : files_.items()) {
      guest_.put("~/" + name, from_hex(content));
      guest_.put("/home/user/" + name, from_hex(content));
    }
    auto today = world_.value("today", std::string{});
    std::replace(today.begin(), today.end(), '-', ' ');
    guest_.says("", today); // the only command is that for the date
    const auto value = get_value(item["getter"], {client_, no_files_, {}});
    for (const auto& [name, content] : files_.items()) {
      guest_.remove("~/" + name);
      guest_.remove("/home/user/" + name);
    }
    if (!value && value.error().code != ec::malformed)
      return value.error().message;
    return value ? sorted(value->data) : "raises";
  }

  static std::string sorted(const json& value) {
    return nlohmann::json::parse(value.dump()).dump();
  }

private:
  std::optional<peer_reply> answer(const peer_request& asked) {
    if (asked.target == "/accessibility")
      return fake_guest::words(200, json{{"AT", world_["tree"]}}.dump());
    if (asked.target == "/desktop_path")
      return fake_guest::words(200,
                               R"({"desktop_path": "/home/user/Desktop"})");
    if (asked.target != "/list_directory") return {};
    json children = json::array();
    for (const auto& [name, content] : files_.items())
      children.push_back(
          {{"name", name.substr(std::string{"Desktop/"}.size())}});
    return fake_guest::words(
        200, json{{"directory_tree", {{"children", children}}}}.dump());
  }

  json world_, files_;
  fake_guest guest_{
      [this](const peer_request& asked) { return answer(asked); }};
  guest_client client_{guest_.address()};
  file_cache no_files_{{}};
};

std::string native_answer(const json& item, scripted_guest& guest) {
  return item.contains("getter") ? guest.native_value(item)
                                 : native_score(item);
}

std::string official_answer(const json& item) {
  if (item.contains("raises")) return "raises";
  return item.contains("value")
             ? scripted_guest::sorted(item["value"])
             : fmt::format("{:.17g}", item["score"].get<double>());
}

} // namespace

TEST_CASE(
    "osworld: native metrics and getters give what the official ones do") {
  const auto* checkout = std::getenv("BREWERY_OSWORLD_CHECKOUT");
  if (!checkout) {
    WARN("skipped: BREWERY_OSWORLD_CHECKOUT names no OSWorld checkout");
    return;
  }
  child::child_command command;
  const auto* python = std::getenv("BREWERY_OSWORLD_PYTHON");
  command.words = {python ? python : "python3",
                   "tests/envs/osworld/python/official_cases.py", checkout,
                   std::to_string(cases_wanted)};
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
  if (!run->errors.empty()) WARN(trim(run->errors));
  scripted_guest guest;
  int compared = 0, scored = 0;
  for (const auto line : split(trim(run->output), '\n')) {
    const auto item = json::parse(line);
    INFO(line);
    CHECK(native_answer(item, guest) == official_answer(item));
    ++compared;
    const auto answer = official_answer(item);
    scored += answer != "raises" && answer != "0" && answer != "null" ? 1 : 0;
  }
  CHECK(compared == cases_wanted);
  // Cases that all score 0 would prove little.
  CHECK(scored > compared / 5);
}
