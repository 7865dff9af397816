#include "llm/accounts/call_key.hpp"

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
  return {{"job"}, 3, "agent", chat};
}

std::string key(const model_call& call) {
  return key_of(call, print_of(call));
}

using change = std::function<void(model_call&)>;

const std::vector<change> changes{
    [](auto& c) { std::get<chat_request>(c.request).model = "n"; },
    [](auto& c) {
      std::get<chat_request>(c.request).messages[1].content += "!";
    },
    [](auto& c) {
      std::get<chat_request>(c.request).messages[1].role = chat_role::assistant;
    },
    [](auto& c) { std::get<chat_request>(c.request).messages.pop_back(); },
    [](auto& c) {
      std::get<chat_request>(c.request).messages[0].images = {
          {"image/png", "x"}};
    },
    [](auto& c) {
      std::get<chat_request>(c.request).messages[1].tool_call_id = "1";
    },
    [](auto& c) {
      std::get<chat_request>(c.request).messages[1].tool_calls = {
          {"1", "f", "{}"}};
    },
    [](auto& c) {
      std::get<chat_request>(c.request).tools = {{"f", "", "{}"}};
    },
    [](auto& c) { std::get<chat_request>(c.request).tool_choice = "required"; },
    [](auto& c) { std::get<chat_request>(c.request).schema = "{}"; },
    [](auto& c) { std::get<chat_request>(c.request).schema_name = "s"; },
    [](auto& c) { std::get<chat_request>(c.request).temperature = {0.6}; },
    [](auto& c) { std::get<chat_request>(c.request).temperature = {}; },
    [](auto& c) { std::get<chat_request>(c.request).seed = {0}; },
    [](auto& c) { std::get<chat_request>(c.request).reasoning_effort = "low"; },
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

TEST_CASE("who pays and the limit of the reply do not change the key") {
  auto call = a_call();
  call.role = "judge";
  std::get<chat_request>(call.request).max_tokens = 1;
  CHECK(key(call) == key(a_call()));
}

TEST_CASE("a request that samples is the same only at the same place") {
  for (const auto& temperature :
       {std::optional<double>{0.5}, std::optional<double>{}}) {
    auto here = a_call(), there = a_call(), later = a_call();
    for (auto* call : {&here, &there, &later})
      std::get<chat_request>(call->request).temperature = temperature;
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
    std::get<chat_request>(call->request).temperature = {0.0};
  there.job = {"another"};
  there.number = 9;
  CHECK(key(here) == key(there));
  const model_call one{
      {"a"}, 0, "embedder", embedding_request{"e", {"x", "y"}, 0}};
  const model_call two{
      {"b"}, 1, "embedder", embedding_request{"e", {"x", "y"}, 0}};
  const model_call other{
      {"b"}, 1, "embedder", embedding_request{"e", {"xy", ""}, 0}};
  CHECK(key(one) == key(two));
  CHECK(key(one) != key(other));
}
