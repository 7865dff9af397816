#include "llm/accounts/call_key.hpp"
#include "llm/accounts/request_text.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>

using namespace brewery;

namespace {

model_call first_call() {
  chat_request chat;
  chat.model = "small";
  chat.messages = {{chat_role::system, "Be brief.", {}, {}, ""},
                   {chat_role::user, "Hello, who is it?", {}, {}, ""}};
  chat.tools = {{"look", "Looks.", "{}"}};
  chat.temperature = {0.5};
  chat.seed = {7};
  return {{"job"}, 3, "agent", chat};
}

std::string text_of(const model_call& call, const std::string& hash) {
  for (const auto& part : parts_of(call, print_of(call)))
    if (part.hash == hash) return part.content.text;
  return {};
}

/// What is said of a call that differs from `first_call` by a change.
std::string said(const std::function<void(chat_request&)>& edit) {
  const auto recorded = first_call();
  auto asked = first_call();
  edit(std::get<chat_request>(asked.request));
  const auto where = first_difference(print_of(recorded), print_of(asked));
  const auto before = text_of(recorded, where.recorded);
  return difference_text(where, &before, text_of(asked, where.asked));
}

} // namespace

TEST_CASE("every hash of a print has its part as text") {
  const auto call = first_call();
  const auto print = print_of(call);
  std::vector<std::string> wanted{print.settings, print.tools};
  wanted.insert(wanted.end(), print.messages.begin(), print.messages.end());
  std::vector<std::string> found;
  for (const auto& part : parts_of(call, print))
    found.push_back(part.hash);
  CHECK(found == wanted);
  const model_call texts{
      {"a"}, 0, "embedder", embedding_request{"e", {"x"}, 0}};
  CHECK(parts_of(texts, print_of(texts)).back().content.text == "x");
}

TEST_CASE("a setting that differs is named with both values") {
  CHECK(said([](auto& chat) { chat.temperature = {0.9}; })
        == "temperature 0.5 -> 0.9");
  CHECK(said([](auto& chat) { chat.temperature = {}; })
        == "temperature 0.5 -> (none)");
  CHECK(said([](auto& chat) { chat.model = "large"; })
        == "model small -> large");
  CHECK(said([](auto& chat) { chat.reasoning_effort = "low"; })
        == "reasoning_effort (none) -> low");
  CHECK(said([](auto& chat) { chat.seed = {8}; }) == "seed 7 -> 8");
  CHECK(said([](auto& chat) {
          chat.schema = R"({"type": "object", "properties": {"a": {}}})"
                        + std::string(99, ' ');
        })
        == "schema: recorded \"(none)\", now \"{\"type\": \"object\", "
           "\"properties\": {\"a\": {}}}...\"");
}

TEST_CASE("a message that differs is shown around its first other character") {
  CHECK(
      said([](auto& chat) { chat.messages[1].content = "Hello, what is it?"; })
      == "message 2 of 2: recorded \"Hello, who is it?\", now \"Hello, what "
         "is it?\"");
  CHECK(said([](auto& chat) {
          chat.messages[0].content = "Be brief.\n" + std::string(200, 'x');
        })
        == "message 1 of 2: recorded \"Be brief.\", now \"Be brief. "
               + std::string(59, 'x') + "...\"");
  CHECK(
      said([](auto& chat) {
        chat.messages[1].tool_calls = {{"c1", "look", "{}"}};
      })
      == "message 2 of 2: recorded \"Hello, who is it?\", now \"Hello, who is "
         "it? calls look({}) as c1\"");
}

TEST_CASE("tools that differ are shown") {
  CHECK(said([](auto& chat) { chat.tools[0].description = "Sees."; })
        == "tools: recorded \"look: Looks. {}\", now \"look: Sees. {}\"");
}

TEST_CASE("a message that only one request has is shown") {
  CHECK(said([](auto& chat) {
          chat.messages.push_back({chat_role::user, "More", {}, {}, ""});
        })
        == "message 3 of 3: not in the recorded call, now \"More\"");
  CHECK(said([](auto& chat) { chat.messages.pop_back(); })
        == "message 2 of 2: recorded \"Hello, who is it?\", not in this call");
}

TEST_CASE("without the recorded text, what is asked is shown") {
  auto asked = first_call();
  std::get<chat_request>(asked.request).messages[1].content = "Bye";
  const auto where = first_difference(print_of(first_call()), print_of(asked));
  CHECK(difference_text(where, nullptr, "Bye")
        == "message 2 of 2: now \"Bye\"");
}

TEST_CASE("equal requests have no difference") {
  const auto print = print_of(first_call());
  CHECK(first_difference(print, print).where.empty());
  CHECK(likeness(print, print) == 4);
}

TEST_CASE("settings that differ in the seed only count as equal") {
  const auto settings = [](const std::function<void(chat_request&)>& edit) {
    auto call = first_call();
    edit(std::get<chat_request>(call.request));
    return text_of(call, print_of(call).settings);
  };
  const auto before = settings([](auto&) {});
  CHECK(equal_but_for_seed(before,
                           settings([](auto& chat) { chat.seed = {8}; })));
  CHECK_FALSE(equal_but_for_seed(
      before, settings([](auto& chat) { chat.temperature = {0.6}; })));
  CHECK_FALSE(equal_but_for_seed("Hello", "Hello"));
}

TEST_CASE("an excerpt cuts no character in two") {
  const auto said_of = said([](auto& chat) {
    chat.messages[1].content = std::string{"Hello, who is it?"};
    for (int i = 0; i < 80; ++i)
      chat.messages[1].content += "\xc3\xa4";
  });
  CHECK(said_of.find("\xef\xbf\xbd") == std::string::npos);
}
