#include "tests/envs/tau2/small_store.hpp"

#include <set>

using namespace brewery;
using namespace brewery::tau2;
using namespace brewery::test;

namespace {

std::string binding(const std::string& name, const json& arguments) {
  const auto& kit = agent_functions();
  const auto bound = kit.bind(*kit.find(name), arguments);
  return bound ? "bound" : bound.error().message;
}

} // namespace

TEST_CASE("missing and unexpected arguments are told in Python's words") {
  CHECK(binding("resume_line", {{"customer_id", "C1"}})
        == "TelecomTools.resume_line() missing 1 required positional argument: "
           "'line_id'");
  CHECK(binding("suspend_line", {{"customer_id", "C1"}})
        == "TelecomTools.suspend_line() missing 2 required positional "
           "arguments: 'line_id' and 'reason'");
  CHECK(binding("suspend_line", json::object())
        == "TelecomTools.suspend_line() missing 3 required positional "
           "arguments: 'customer_id', 'line_id', and 'reason'");
  CHECK(binding("suspend_line", {{"foo", 1}, {"bar", 2}})
        == "TelecomTools.suspend_line() got an unexpected keyword argument "
           "'foo'");
  CHECK(binding("suspend_line", {{"self", 1}})
        == "TelecomTools.suspend_line() got multiple values for argument "
           "'self'");
  CHECK(binding("suspend_line", json::array()).find("must be an object")
        != std::string::npos);
}

TEST_CASE("arguments may be nested 100 deep and no deeper") {
  json value = 1;
  for (int i = 0; i < 100; ++i)
    value = json::array({std::move(value)});
  CHECK(binding("resume_line", {{"customer_id", value}, {"line_id", 1}})
        == "bound");
  value = json::array({std::move(value)});
  CHECK(binding("resume_line", {{"customer_id", value}, {"line_id", 1}})
        == "TelecomTools.resume_line() arguments are nested too deeply");
}

TEST_CASE("arguments with a default may be left out") {
  CHECK(binding("get_bills_for_customer", {{"customer_id", "C1"}}) == "bound");
  CHECK(binding("get_bills_for_customer", {{"limit", 1}})
        == "TelecomTools.get_bills_for_customer() missing 1 required "
           "positional argument: 'customer_id'");
}

TEST_CASE("the kits have 13 and 30 tools, each described") {
  std::size_t counts[2] = {0, 0};
  std::set<std::string> found_names;
  for (const auto* kit : {&agent_functions(), &user_functions()}) {
    const bool user = kit == &user_functions();
    for (const auto& f : kit->functions()) {
      INFO(f.spec.name);
      CHECK(f.run != nullptr);
      CHECK(f.spec.requestor == (user ? "user" : "assistant"));
      CHECK(kit->find(f.spec.name) == &f);
      CHECK(found_names.insert(f.spec.name).second);
      if (f.purpose != function_kind::tool) {
        CHECK(kit->find_tool(f.spec.name) == nullptr);
        continue;
      }
      ++counts[user];
      CHECK_FALSE(f.spec.description.empty());
      for (const auto& p : f.spec.parameters) {
        CHECK_FALSE(p.type.empty());
        CHECK_FALSE(p.description.empty());
      }
    }
  }
  CHECK(counts[0] == 13);
  CHECK(counts[1] == 30);
}

TEST_CASE("a read tool leaves both hashes alone, whatever it is given") {
  auto state = small_state();
  const auto agent = agent_hash(state), user = user_hash(state);
  for (const auto* kit : {&agent_functions(), &user_functions()}) {
    for (const auto& f : kit->functions()) {
      if (f.purpose != function_kind::tool || f.spec.kind != tool_kind::read)
        continue;
      for (const json& value : {json("C1"), json("messaging"), json(1),
                                json(nullptr), json::array(), json::object()}) {
        json arguments = json::object();
        for (const auto& p : f.spec.parameters)
          arguments[p.name] = value;
        (void)kit->call(f, state, arguments);
        INFO(f.spec.name << arguments.dump());
        CHECK(agent_hash(state) == agent);
        CHECK(user_hash(state) == user);
      }
    }
  }
}

TEST_CASE("every tool answers arguments of any type without a crash") {
  const std::vector<json> values{"C1",
                                 "L1",
                                 "",
                                 0,
                                 -1,
                                 2.5,
                                 true,
                                 nullptr,
                                 json::array({1}),
                                 json{{"apn_name", "internet"}},
                                 std::numeric_limits<std::int64_t>::max()};
  for (const auto* kit : {&agent_functions(), &user_functions()}) {
    for (const auto& f : kit->functions()) {
      for (const json& first : values) {
        for (const json& rest : values) {
          auto state = small_state();
          json arguments = json::object();
          for (const auto& p : f.spec.parameters)
            arguments[p.name] = arguments.empty() ? first : rest;
          const auto value = kit->call(f, state, arguments);
          INFO(f.spec.name << arguments.dump());
          if (f.purpose == function_kind::assertion && value)
            CHECK(std::holds_alternative<bool>(*value));
          CHECK(agent_hash(state).size() == 64);
          CHECK(user_hash(state).size() == 64);
        }
      }
    }
  }
}
