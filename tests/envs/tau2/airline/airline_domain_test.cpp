#include "tests/envs/tau2/airline/small_airline.hpp"
#include "tests/envs/tau2/vectors.hpp"

#include <chrono>
#include <limits>
#include <set>

using namespace brewery;
using namespace brewery::tau2;
using namespace brewery::test;

namespace {

std::string load_problem(const json& file) {
  const auto loaded = parse_airline({"db.json", file.dump()});
  return loaded ? "loaded" : to_string(loaded.error());
}

} // namespace

TEST_CASE("the airline has 14 described tools, all the agent's") {
  small_airline desk;
  std::set<std::string> names;
  for (const tool_spec& spec : desk.domain().tools("assistant")) {
    INFO(spec.name);
    CHECK(spec.requestor == "assistant");
    CHECK(names.insert(spec.name).second);
    CHECK_FALSE(spec.description.empty());
    for (const auto& p : spec.parameters) {
      CHECK_FALSE(p.type.empty());
      CHECK(p.items == (p.type == "array" ? "object" : ""));
      CHECK_FALSE(p.description.empty());
    }
  }
  CHECK(names.size() == 14);
  CHECK(desk.domain().tools("user").empty());
}

TEST_CASE("unknown tools, sides and arguments are told as by the reference") {
  small_airline desk;
  CHECK(desk.text("book", json::object()) == "Error: Tool 'book' not found.");
  CHECK(desk.text("cancel_reservation", json::object())
        == "Error: AirlineTools.cancel_reservation() missing 1 required "
           "positional argument: 'reservation_id'");
  CHECK(desk.text("list_all_airports", {{"all", 1}})
        == "Error: AirlineTools.list_all_airports() got an unexpected keyword "
           "argument 'all'");
  const auto of_user =
      make_tool_call(desk.domain(), desk.state(), play_mode::with_user, "user",
                     "list_all_airports", json::object());
  REQUIRE_FALSE(of_user);
  CHECK(of_user.error().message == "User tools not available");
  CHECK_FALSE(desk.state().run_function({"assistant", "calculate", {}}));
}

TEST_CASE("airline tasks may name the agent's tools and nothing else") {
  small_airline desk;
  const auto words = desk.domain().vocabulary();
  CHECK(words.tool({"assistant", "cancel_reservation", {}, {}}).empty());
  CHECK(words.tool({"assistant", "cancel_reservations", {}, {}})
            .find("did you mean \"cancel_reservation\"?")
        != std::string::npos);
  CHECK(words.tool({"user", "cancel_reservation", {}, {}}).find("has no tools")
        != std::string::npos);
  CHECK_FALSE(words.set_up({"assistant", "calculate", {}}).empty());
  CHECK_FALSE(words.assertion({"assistant", "calculate", {}}).empty());
}

TEST_CASE("a clone and its origin do not see each other's changes") {
  small_airline desk;
  const auto copy = desk.state().clone();
  (void)desk.ask("cancel_reservation", {{"reservation_id", "R1"}});
  CHECK(copy->same(*desk.domain().initial()));
  CHECK_FALSE(copy->same(desk.state()));
  CHECK(copy->agent_hash() != desk.state().agent_hash());
  CHECK(copy->user_hash().empty());
  (void)copy->use_tool("assistant", "cancel_reservation",
                       {{"reservation_id", "R1"}});
  CHECK(copy->same(desk.state()));
}

TEST_CASE("loading drops unknown members and adds what is missing") {
  json file = small_airline_file();
  const std::string before = small_airline{file}.state().agent_hash();
  file["reservations"]["R1"]["colour"] = "red";
  file["reservations"]["R1"]["status"] = nullptr;
  file["users"]["ada_1"]["payment_methods"]["gift_1"]["amount"] = "120.0";
  file["flights"]["X1"]["dates"]["2024-05-20"]["prices"]["economy"] = 100.0;
  CHECK(small_airline{file}.state().agent_hash() == before);
}

TEST_CASE("a record that cannot be used is named with its member") {
  const auto broken = [](const json::json_pointer& where, const json& value) {
    json file = small_airline_file();
    file[where] = value;
    return load_problem(file);
  };
  using at = json::json_pointer;
  for (const auto& [where, value, expected] :
       std::vector<std::tuple<at, json, std::vector<std::string>>>{
           {at{"/reservations/R1/flights/0/price"},
            "cheap",
            {"reservations", "R1", "flights.0.price", "valid integer"}},
           {at{"/users/ada_1/payment_methods/gift_1/source"},
            "coin",
            {"users", "ada_1", "payment_methods.gift_1.source", "'coin'"}},
           {at{"/flights/X1/dates/2024-05-20/status"},
            "late",
            {"flights", "X1", "dates.2024-05-20.status", "'late'"}},
           {at{"/users/ada_1/name"}, 7, {"users", "ada_1", "name", "not 7"}}}) {
    const std::string problem = broken(where, value);
    INFO(problem);
    CHECK(problem.find("db.json") != std::string::npos);
    for (const auto& part : expected)
      CHECK(problem.find(part) != std::string::npos);
    CHECK(problem.find('\n') == std::string::npos);
  }
  json file = small_airline_file();
  file["reservations"]["R1"].erase("cabin");
  CHECK(load_problem(file).find("cabin: Field required") != std::string::npos);
}

TEST_CASE("every airline tool answers arguments of any type without a crash") {
  const std::vector<json> values{"ada_1",
                                 "R1",
                                 "X1",
                                 "",
                                 "economy",
                                 0,
                                 -1,
                                 2.5,
                                 true,
                                 nullptr,
                                 json::array({1}),
                                 json::array({json::object()}),
                                 json::array(),
                                 json{{"flight_number", "X1"}},
                                 std::numeric_limits<std::int64_t>::max(),
                                 std::numeric_limits<std::uint64_t>::max(),
                                 1e308};
  small_airline desk;
  for (const tool_spec& spec : desk.domain().tools("assistant")) {
    for (const json& first : values) {
      for (const json& rest : values) {
        const auto state = desk.state().clone();
        json arguments = json::object();
        for (const auto& p : spec.parameters)
          arguments[p.name] = arguments.empty() ? first : rest;
        const auto value = state->use_tool("assistant", spec.name, arguments);
        INFO(spec.name << arguments.dump());
        CHECK(state->agent_hash().size() == 64);
        if (spec.kind != tool_kind::write) CHECK(state->same(desk.state()));
        if (value) CHECK(std::holds_alternative<std::string>(*value));
      }
    }
  }
}

TEST_CASE("the official airline's tables load") {
  const auto data = tau2_data();
  if (data.empty()) return;
  const auto loaded = load_airline(data / "tau2/domains/airline");
  REQUIRE(loaded);
  CHECK((*loaded)->initial()->agent_hash()
        == "7d1714e959830778e6b38d63428b660ef6c9009261f0adaa178adb97bfb469d6");
  CHECK_FALSE(load_airline(data / "tau2/domains"));
}
