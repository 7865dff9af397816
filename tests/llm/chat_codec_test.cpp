#include "llm/format/chat_codec.hpp"
#include "tests/fixtures/model_server.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cmath>

using namespace brewery;
/// Keys are sorted: equal values have equal bytes, whoever wrote them.
using sorted_json = nlohmann::json;

namespace {

chat_request asking(const std::string& text) {
  chat_request out;
  out.model = "m";
  out.messages.push_back({chat_role::user, text, {}, {}, {}});
  return out;
}

sorted_json written(const chat_request& request,
                    const chat_dialect& dialect = {}) {
  const auto text = encode_chat(request, dialect);
  if (!text) FAIL(text.error().message);
  return sorted_json::parse(*text);
}

std::string reply_with(const std::string& message,
                       const std::string& finish = "\"stop\"") {
  return "{\"choices\":[{\"message\":" + message
         + ",\"finish_reason\":" + finish + "}]}";
}

} // namespace

TEST_CASE("a request holds what was asked and nothing else") {
  CHECK(written(asking("hello"))
        == sorted_json::parse(R"({"model":"m","messages":[
             {"role":"user","content":"hello"}]})"));
}

TEST_CASE("tools, calls and their answers are written as OpenAI has them") {
  auto request = asking("go");
  request.messages.insert(request.messages.begin(),
                          {chat_role::system, "rules", {}, {}, {}});
  request.messages.push_back(
      {chat_role::assistant,
       "",
       {},
       {{"c1", "look", "{\"at\":1}"}, {"c2", "wait", ""}},
       {}});
  request.messages.push_back({chat_role::tool, "seen", {}, {}, "c1"});
  request.tools.push_back({"look", "Looks.", "{\"type\":\"object\"}"});
  request.tools.push_back({"wait", "", ""});
  request.tool_choice = "required";
  CHECK(written(request) == sorted_json::parse(R"({"model":"m","messages":[
      {"role":"system","content":"rules"},
      {"role":"user","content":"go"},
      {"role":"assistant","content":"","tool_calls":[
        {"id":"c1","type":"function","function":{"name":"look",
          "arguments":"{\"at\":1}"}},
        {"id":"c2","type":"function","function":{"name":"wait",
          "arguments":"{}"}}]},
      {"role":"tool","tool_call_id":"c1","content":"seen"}],
    "tools":[
      {"type":"function","function":{"name":"look","description":"Looks.",
        "parameters":{"type":"object"}}},
      {"type":"function","function":{"name":"wait","description":""}}],
    "tool_choice":"required"})"));
}

TEST_CASE("images are data URLs after the text") {
  auto request = asking("what is it?");
  request.messages[0].images.push_back({"image/png", "\x89PNG"});
  CHECK(written(request)["messages"][0]["content"] == sorted_json::parse(R"([
      {"type":"text","text":"what is it?"},
      {"type":"image_url","image_url":{
        "url":"data:image/png;base64,iVBORw==","detail":"high"}}])"));
}

TEST_CASE("a request with a screenshot has these bytes") {
  auto request = asking("step 1");
  request.messages[0].images.push_back({"image/png", "\x89PNG\r\n"});
  request.messages.push_back({chat_role::assistant, "```DONE```", {}, {}, {}});
  request.messages.push_back(
      {chat_role::user, "", {{"image/png", "b"}}, {}, {}});
  request.temperature = 1.0;
  request.max_tokens = 1500;
  const auto bytes = encode_chat(request, {});
  REQUIRE(bytes);
  CHECK(*bytes
        == R"({"max_tokens":1500,"messages":[{"content":[)"
           R"({"text":"step 1","type":"text"},{"image_url":{"detail":"high",)"
           R"("url":"data:image/png;base64,iVBORw0K"},"type":"image_url"}],)"
           R"("role":"user"},{"content":"```DONE```","role":"assistant"},)"
           R"({"content":[{"image_url":{"detail":"high",)"
           R"("url":"data:image/png;base64,Yg=="},"type":"image_url"}],)"
           R"("role":"user"}],"model":"m","temperature":1.0})");
}

TEST_CASE("sampling, schema and limits go by what the server knows") {
  auto request = asking("x");
  request.temperature = {0.5};
  request.seed = {7};
  request.max_tokens = 100;
  request.schema_name = "answer";
  request.schema = R"({"type":"object"})";
  auto all = written(request);
  CHECK(all["temperature"] == 0.5);
  CHECK(all["seed"] == 7);
  CHECK(all["max_tokens"] == 100);
  CHECK(all["response_format"] == sorted_json::parse(R"({"type":"json_schema",
      "json_schema":{"name":"answer","strict":true,
        "schema":{"type":"object"}}})"));
  const auto less = written(request, {schema_form::none, false, "num_predict"});
  CHECK_FALSE(less.contains("seed"));
  CHECK_FALSE(less.contains("response_format"));
  CHECK_FALSE(less.contains("max_tokens"));
  CHECK(less["num_predict"] == 100);
}

TEST_CASE("a schema keeps its order and loses its bounds where it must") {
  auto request = asking("x");
  request.schema = R"({"type":"object","properties":{"why":{"type":"string",)"
                   R"("maxLength":9},"score":{"enum":[0,1]}}})";
  const auto full = encode_chat(request, {});
  REQUIRE(full);
  CHECK(full->find("\"schema\":" + request.schema) != std::string::npos);
  const auto plain = encode_chat(request, {schema_form::plain, true, ""});
  REQUIRE(plain);
  CHECK(plain->find(R"("schema":{"type":"object","properties":{"why":)"
                    R"({"type":"string"},"score":{}}})")
        != std::string::npos);
}

TEST_CASE("a reasoning model gets max_completion_tokens and no temperature") {
  auto request = asking("x");
  request.max_tokens = 100;
  request.reasoning_effort = "low";
  const auto out = written(request);
  CHECK(out["reasoning_effort"] == "low");
  CHECK(out["max_completion_tokens"] == 100);
  CHECK_FALSE(out.contains("max_tokens"));
  CHECK_FALSE(out.contains("temperature"));
}

TEST_CASE("the limit of a reply has the name that model and server know") {
  auto request = asking("x");
  request.max_tokens = 9;
  CHECK(written(request).contains("max_tokens"));
  request.model = "gpt-5-mini";
  CHECK(written(request).contains("max_completion_tokens"));
  CHECK(written(request, {schema_form::full, true, "max_tokens"})
            .contains("max_tokens"));
}

TEST_CASE("a seed beyond what servers read stays a positive integer") {
  auto request = asking("x");
  request.seed = {0xffff'ffff'ffff'ffffu};
  CHECK(written(request)["seed"] == 0x7fff'ffff'ffff'ffff);
}

TEST_CASE("text that is not UTF-8 is sent with a replacement") {
  CHECK(written(asking("a\xff"
                       "b"))["messages"][0]["content"]
        == "a\xef\xbf\xbd"
           "b");
}

TEST_CASE("a request that cannot be sent says where and why") {
  struct row {
    std::string says;
    void (*spoil)(chat_request&);
  };
  for (const auto& [says, spoil] : std::vector<row>{
           {"messages is empty", [](auto& r) { r.messages.clear(); }},
           {"tools[0] 'f': parameters is not JSON",
            [](auto& r) {
              r.tools.push_back({"f", "", "{"});
            }},
           {"tools[0] 'f': parameters is a list of 0",
            [](auto& r) {
              r.tools.push_back({"f", "", "[]"});
            }},
           {"schema is not JSON", [](auto& r) { r.schema = "?"; }},
           {"tool_choice is 'f'",
            [](auto& r) {
              r.tools.push_back({"f", "", ""});
              r.tool_choice = "f";
            }},
           {"messages[0] has an image of type 'text/html'",
            [](auto& r) {
              r.messages[0].images.push_back({"text/html", "x"});
            }},
           {"messages[0] answers a tool call but does not say which",
            [](auto& r) { r.messages[0].role = chat_role::tool; }},
           {"messages[0] has tool calls; only an assistant's",
            [](auto& r) { r.messages[0].tool_calls.push_back({}); }},
           {"temperature is not a number",
            [](auto& r) { r.temperature = {std::nan("")}; }}}) {
    INFO(says);
    auto request = asking("x");
    spoil(request);
    const auto got = encode_chat(request, {});
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ec::invalid_argument);
    CHECK(got.error().message.find("chat request: " + says) == 0);
  }
}

// -- replies
// ----------------------------------------------------------------------

TEST_CASE("a whole reply is read with its counts") {
  const auto got = decode_chat(R"({"id":"x","model":"m-2024","choices":[
      {"index":0,"message":{"role":"assistant","content":"Hi.",
        "refusal":null,"annotations":[]},"finish_reason":"stop"}],
      "usage":{"prompt_tokens":100,"completion_tokens":50,"total_tokens":150,
        "prompt_tokens_details":{"cached_tokens":64,"audio_tokens":0},
        "completion_tokens_details":{"reasoning_tokens":32}}})");
  REQUIRE(got);
  CHECK(
      *got
      == chat_reply{"Hi.", {}, chat_finish::stop, {100, 64, 50, 32}, "m-2024"});
}

TEST_CASE("what servers do differently means the same") {
  using finish = chat_finish;
  struct row {
    std::string body;
    chat_reply expected;
  };
  const chat_tool_call call{"c", "f", "{\"a\":1}"};
  for (const auto& [body, expected] : std::vector<row>{
           {reply_with(R"({"content":"x"})", "\"eos\""),
            {"x", {}, finish::other, {}, {}}},
           {reply_with(R"({"content":"x"})", "null"),
            {"x", {}, finish::other, {}, {}}},
           {reply_with(R"({"content":"x"})", "\"length\""),
            {"x", {}, finish::length, {}, {}}},
           {reply_with(R"({"content":null})", "\"length\""),
            {"", {}, finish::length, {}, {}}},
           {reply_with(R"({"content":""})"), {"", {}, finish::stop, {}, {}}},
           {reply_with(R"({"content":[{"type":"text","text":"a"},
              {"type":"text","text":"b"}]})"),
            {"ab", {}, finish::stop, {}, {}}},
           // Arguments as an object; "stop" after calls.
           {reply_with(R"({"content":null,"tool_calls":[{"id":"c",
              "function":{"name":"f","arguments":{"a":1}}}]})"),
            {"", {call}, finish::tool_calls, {}, {}}},
           {reply_with(R"({"tool_calls":[{"id":"c","type":"function",
              "function":{"name":"f","arguments":"{\"a\":1}"}}]})",
                       "\"tool_calls\""),
            {"", {call}, finish::tool_calls, {}, {}}},
           // No id, no arguments.
           {reply_with(R"({"content":"","tool_calls":[{
              "function":{"name":"f"}}]})"),
            {"", {{"call_0", "f", "{}"}}, finish::tool_calls, {}, {}}},
           // As the model wrote them: not JSON.
           {reply_with(R"({"tool_calls":[{"id":"c","function":{"name":"f",
              "arguments":"{a:"}}]})"),
            {"", {{"c", "f", "{a:"}}, finish::tool_calls, {}, {}}},
       }) {
    INFO(body);
    const auto got = decode_chat(body);
    INFO((got ? "" : got.error().message));
    REQUIRE(got);
    CHECK(*got == expected);
  }
}

TEST_CASE("a reply without content is an empty reply that keeps its counts") {
  for (const auto* message :
       {R"({"content":null})", "{}", R"({"content":null,"tool_calls":[]})",
        R"({"content":null,"reasoning_content":"Hm."})"}) {
    INFO(message);
    const auto got =
        decode_chat(std::string{R"({"choices":[{"message":)"} + message
                    + R"(,"finish_reason":"stop"}],"usage":)"
                      R"({"prompt_tokens":9,"completion_tokens":4}})");
    REQUIRE(got);
    CHECK(*got == chat_reply{"", {}, chat_finish::stop, {9, 0, 4, 0}, ""});
  }
}

TEST_CASE("counts that leave a part out are made whole") {
  const auto got = decode_chat(R"({"choices":[{"message":{"content":"x"},
      "finish_reason":"stop"}],"usage":{"prompt_tokens":10,
      "completion_tokens":5,"prompt_tokens_details":{"cached_tokens":90},
      "completion_tokens_details":{"reasoning_tokens":20}}})");
  REQUIRE(got);
  CHECK(got->usage == token_usage{100, 90, 25, 20});
}

TEST_CASE("tokens that only the total counts are of the reply") {
  struct row {
    std::string counts;
    token_usage expected;
  };
  for (const auto& [counts, expected] : std::vector<row>{
           {R"("prompt_tokens":10,"completion_tokens":5,"total_tokens":115)",
            {10, 0, 105, 100}},
           // The reasoning that the details count, beside the reply.
           {R"("prompt_tokens":10,"completion_tokens":50,"total_tokens":80,)"
            R"("completion_tokens_details":{"reasoning_tokens":20})",
            {10, 0, 70, 20}},
           {R"("prompt_tokens":10,"completion_tokens":5,"total_tokens":3)",
            {10, 0, 5, 0}},
           {R"("prompt_tokens":10,"completion_tokens":5,"total_tokens":-1)",
            {10, 0, 5, 0}},
           {R"("prompt_tokens":10,"completion_tokens":5,"total_tokens":"x")",
            {10, 0, 5, 0}},
           {R"("prompt_tokens":10,"completion_tokens":5,"total_tokens":1e15)",
            {10, 0, 5, 0}},
           {R"("prompt_tokens":10,"total_tokens":20)", {10, 0, 0, 0}},
       }) {
    INFO(counts);
    const auto got =
        decode_chat(std::string{R"({"choices":[{"message":{"content":"x"},)"
                                R"("finish_reason":"stop"}],"usage":{)"}
                    + counts + "}}");
    REQUIRE(got);
    CHECK(got->usage == expected);
  }
}

TEST_CASE("counts that no reply can have count nothing") {
  for (const auto* usage :
       {R"({"prompt_tokens":930000000000,"completion_tokens":5})",
        R"({"prompt_tokens":10,"completion_tokens":1000000001})"}) {
    INFO(usage);
    const auto got =
        decode_chat(std::string{R"({"choices":[{"message":{"content":"x"},)"
                                R"("finish_reason":"stop"}],"usage":)"}
                    + usage + "}");
    REQUIRE(got);
    CHECK(got->usage == token_usage{});
  }
}

TEST_CASE("cached tokens are read as OpenAI and as DeepSeek count them") {
  for (const auto* counts :
       {R"("prompt_tokens_details":{"cached_tokens":64})",
        R"("prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":36)",
        R"("prompt_cache_hit_tokens":64,)"
        R"("prompt_tokens_details":{"cached_tokens":64})"}) {
    const auto got =
        decode_chat(std::string{R"({"choices":[{"message":{"content":"x"},)"
                                R"("finish_reason":"stop"}],"usage":{)"
                                R"("prompt_tokens":100,"completion_tokens":2,)"}
                    + counts + "}}");
    REQUIRE(got);
    CHECK(got->usage == token_usage{100, 64, 2, 0});
  }
}

TEST_CASE("a broken reply is malformed, with the path") {
  for (
      const auto& [says, body] :
      std::vector<std::pair<std::string, std::string>>{
          {"is not JSON", ""},
          {"is not JSON", "{\"choices\":[{\"mess"},
          {"is not JSON", "{} {}"},
          {"nested deeper", std::string(1000, '[')},
          {"it is a list of 0", "[]"},
          {"choices is missing or empty", "{}"},
          {"choices is missing or empty", R"({"choices":{}})"},
          {"choices is missing or empty", R"({"choices":[]})"},
          {"choices[0] has no message", R"({"choices":[7]})"},
          {"choices[0] has no message", R"({"choices":[{"message":"x"}]})"},
          {"message.content is a number", reply_with(R"({"content":7})")},
          {"message.content[] is a string", reply_with(R"({"content":["x"]})")},
          {"message.tool_calls is an object of 0",
           reply_with(R"({"tool_calls":{}})")},
          {"tool_calls[0] has no function",
           reply_with(R"({"tool_calls":[{}]})")},
          {"tool_calls[0] does not name its function",
           reply_with(R"({"tool_calls":[{"function":{}}]})")},
          {"tool_calls[0].function.arguments is a list of 0",
           reply_with(
               R"({"tool_calls":[{"function":{"name":"f","arguments":[]}}]})")},
          {"finish_reason is a number", reply_with(R"({"content":"x"})", "1")},
          {"usage is a string",
           R"({"choices":[{"message":{"content":"x"}}],"usage":"x"})"},
          {"usage.prompt_tokens is -1",
           R"({"choices":[{"message":{"content":"x"}}],
                "usage":{"prompt_tokens":-1}})"},
          {"usage.prompt_tokens is 1e+300",
           R"({"choices":[{"message":{"content":"x"}}],
                "usage":{"prompt_tokens":1e300}})"},
      }) {
    INFO(body.substr(0, 200));
    const auto got = decode_chat(body);
    REQUIRE_FALSE(got);
    INFO(got.error().message);
    CHECK(got.error().code == ec::malformed);
    CHECK(got.error().message.find(says) != std::string::npos);
  }
}

TEST_CASE("half a character alone is U+FFFD in a reply") {
  for (const auto& [written, means] :
       std::vector<std::pair<std::string, std::string>>{
           {R"(a\ud83cb)", "a\ufffdb"},
           {R"(\udf38\uD83C)", "\ufffd\ufffd"},
           {R"(\ud83c\ud83c\udf38)", "\ufffd\U0001f338"},
           {R"(\\ud83c \udf38)", "\\ud83c \ufffd"},
           {R"(\\\ud83c)", "\\\ufffd"},
       }) {
    INFO(written);
    const auto got =
        decode_chat(reply_with(R"({"content":")" + written + R"("})"));
    REQUIRE(got);
    CHECK(got->content == means);
  }
  CHECK_FALSE(decode_chat(reply_with(R"({"content":"\ud83"})")));
}

TEST_CASE("a filter's stop and a model's refusal are refused content") {
  for (const auto& body :
       {reply_with(R"({"content":"half a"})", "\"content_filter\""),
        reply_with(R"({"content":null,"refusal":"I will not."})")}) {
    const auto got = decode_chat(body);
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ec::refused_content);
  }
}

TEST_CASE("the scripted model reads what the client writes, and the reverse") {
  auto request = asking("x");
  request.messages.push_back(
      {chat_role::assistant, "", {}, {{"c", "f", "{}"}}, {}});
  request.messages.push_back({chat_role::tool, "y", {}, {}, "c"});
  request.tools.push_back({"f", "F.", "{\"type\":\"object\"}"});
  request.tool_choice = "auto";
  request.schema_name = "s";
  request.schema = "{\"type\":\"object\"}";
  request.temperature = {0.25};
  request.seed = {3};
  request.max_tokens = 9;
  CHECK(parse_chat_request(*encode_chat(request, {})) == request);
  const chat_reply reply{"",
                         {{"c", "f", "{\"a\":1}"}},
                         chat_finish::tool_calls,
                         {9, 4, 5, 2},
                         "m"};
  CHECK(*decode_chat(chat_body(reply)) == reply);
}
