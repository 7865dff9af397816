#include "llm/call_key.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <set>

using namespace brewery;

namespace {

model_call a_call() {
  chat_request chat;
  chat.model = "m";
  chat.messages = {{chat_role::system, "Be brief.", {}, {}, ""},
                   {chat_role::user, "Hello", {}, {}, ""}};
  chat.temperature = {0.5};
  return {{"job"}, 3, "agent", {chat}, {}};
}

std::string key(const model_call& call) {
  return key_of(call, print_of(call));
}

using change = std::function<void(model_call&)>;

const std::vector<change> changes{
    [](auto& c) { c.chat[0].model = "n"; },
    [](auto& c) { c.chat[0].messages[1].content += "!"; },
    [](auto& c) { c.chat[0].messages[1].role = chat_role::assistant; },
    [](auto& c) { c.chat[0].messages.pop_back(); },
    [](auto& c) {
      c.chat[0].messages[0].images = {{"image/png", "x"}};
    },
    [](auto& c) { c.chat[0].messages[1].tool_call_id = "1"; },
    [](auto& c) {
      c.chat[0].messages[1].tool_calls = {{"1", "f", "{}"}};
    },
    [](auto& c) {
      c.chat[0].tools = {{"f", "", "{}"}};
    },
    [](auto& c) { c.chat[0].tool_choice = "required"; },
    [](auto& c) { c.chat[0].schema = "{}"; },
    [](auto& c) { c.chat[0].schema_name = "s"; },
    [](auto& c) { c.chat[0].temperature = {0.6}; },
    [](auto& c) { c.chat[0].temperature = {}; },
    [](auto& c) { c.chat[0].seed = {0}; },
    [](auto& c) { c.chat[0].max_tokens = 1; },
    [](auto& c) { c.chat[0].reasoning_effort = "low"; },
};

} // namespace

TEST_CASE("whatever can change the answer changes the key") {
  std::set<std::string> keys{key(a_call())};
  for (const auto& apply : changes) {
    auto call = a_call();
    apply(call);
    CHECK(keys.insert(key(call)).second);
  }
  CHECK(keys.size() == changes.size() + 1);
}

TEST_CASE("who pays does not change the key") {
  auto call = a_call();
  call.role = "judge";
  CHECK(key(call) == key(a_call()));
}

TEST_CASE("a request that samples is the same only at the same place") {
  for (const auto& temperature :
       {std::vector<double>{0.5}, std::vector<double>{}}) {
    auto here = a_call(), there = a_call(), later = a_call();
    for (auto* call : {&here, &there, &later})
      call->chat[0].temperature = temperature;
    there.job = {"another"};
    later.number = 4;
    CHECK(key(here) == key(here));
    CHECK(key(here) != key(there));
    CHECK(key(here) != key(later));
  }
}

TEST_CASE("a request that does not sample is the same everywhere") {
  auto here = a_call(), there = a_call();
  for (auto* call : {&here, &there})
    call->chat[0].temperature = {0.0};
  there.job = {"another"};
  there.number = 9;
  CHECK(key(here) == key(there));
  const model_call one{{"a"}, 0, "embedder", {}, {{"e", {"x", "y"}, 0}}};
  const model_call two{{"b"}, 1, "embedder", {}, {{"e", {"x", "y"}, 0}}};
  const model_call other{{"b"}, 1, "embedder", {}, {{"e", {"xy", ""}, 0}}};
  CHECK(key(one) == key(two));
  CHECK(key(one) != key(other));
}

TEST_CASE("the first difference is named by its part") {
  const auto recorded = print_of(a_call());
  const auto difference = [&](const change& apply) {
    auto call = a_call();
    apply(call);
    return first_difference(recorded, print_of(call));
  };
  CHECK(first_difference(recorded, recorded).empty());
  CHECK(difference([](auto& c) { c.chat[0].temperature = {0.1}; })
        == "the model, its sampling or the reply's schema");
  CHECK(difference([](auto& c) {
          c.chat[0].tools = {{"f", "", "{}"}};
        })
        == "the tools");
  CHECK(difference([](auto& c) { c.chat[0].messages[1].content = "Bye"; })
        == "message 2 of 2");
  CHECK(difference([](auto& c) { c.chat[0].messages.push_back({}); })
        == "message 3 of 3");
  CHECK(difference([](auto& c) { c.chat[0].messages.pop_back(); })
        == "1 messages instead of 2");
}
