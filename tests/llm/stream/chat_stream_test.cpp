/// Streams as servers send them, and what they are joined to.

#include "base/rng.hpp"
#include "llm/format/chat_codec.hpp"
#include "llm/format/chat_stream.hpp"
#include "tests/fixtures/model_server.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

chat_stream joined(const std::string& text) {
  chat_stream out;
  out.take(text);
  out.end();
  return out;
}

chat_reply reply_of(const std::string& text) {
  const auto stream = joined(text);
  INFO(stream.broken());
  REQUIRE(stream.whole());
  auto out = decode_chat(stream.body());
  INFO((out ? "" : out.error().message));
  REQUIRE(out);
  return *out;
}

std::string event_of(const std::string& json) {
  return "data: " + json + "\n\n";
}

std::string delta(const std::string& text, const std::string& finish = "null") {
  return event_of(R"({"choices":[{"index":0,"delta":)" + text
                  + R"(,"finish_reason":)" + finish + "}]}");
}

const std::string done_event = "data: [DONE]\n\n";

struct recorded {
  std::string server;
  std::string text;
  chat_reply expected;
};

/// From the servers' documentation and from issues that quote them, shortened.
std::vector<recorded> recordings() {
  using finish = chat_finish;
  const chat_tool_call weather{"call_1", "get_weather", R"({"city":"Paris"})"};
  return {
      {"OpenAI",
       event_of(
           R"({"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,)"
           R"("model":"gpt-4o-mini","system_fingerprint":"fp_1","choices":[)"
           R"({"index":0,"delta":{"role":"assistant","content":"",)"
           R"("refusal":null},"logprobs":null,"finish_reason":null}],)"
           R"("usage":null,"obfuscation":"x"})")
           + delta(R"({"content":"Hel"})") + delta(R"({"content":"lo"})")
           + delta("{}", R"("stop")")
           + event_of(R"({"model":"gpt-4o-mini","choices":[],"usage":{)"
                      R"("prompt_tokens":19,"completion_tokens":10,)"
                      R"("total_tokens":29,"prompt_tokens_details":{)"
                      R"("cached_tokens":8,"audio_tokens":0},)"
                      R"("completion_tokens_details":{"reasoning_tokens":4}}})")
           + done_event,
       {"Hello", {}, finish::stop, {19, 8, 10, 4}, "gpt-4o-mini"}},
      {"OpenAI, two calls",
       delta(R"({"role":"assistant","content":null,"tool_calls":[{"index":0,)"
             R"("id":"call_1","type":"function","function":{)"
             R"("name":"get_weather","arguments":""}}]})")
           + delta(R"({"tool_calls":[{"index":0,"function":{)"
                   R"("arguments":"{\"city\":"}}]})")
           + delta(R"({"tool_calls":[{"index":0,"function":{)"
                   R"("arguments":"\"Paris\"}"}}]})")
           + delta(R"({"tool_calls":[{"index":1,"id":"call_2","type":)"
                   R"("function","function":{"name":"f","arguments":""}}]})")
           + delta(R"({"tool_calls":[{"index":1,"function":{)"
                   R"("arguments":"{}"}}]})")
           + delta("{}", R"("tool_calls")") + done_event,
       {"", {weather, {"call_2", "f", "{}"}}, finish::tool_calls, {}, {}}},
      {"vLLM with reasoning, usage in each piece",
       event_of(
           R"({"model":"q","choices":[{"index":0,"delta":{"role":"assistant",)"
           R"("content":""},"logprobs":null,"finish_reason":null}],)"
           R"("usage":{"prompt_tokens":9,"completion_tokens":0}})")
           + delta(R"({"reasoning_content":"Let me"})")
           + delta(R"({"reasoning":" see"})")
           + event_of(R"({"choices":[{"index":0,"delta":{"content":"4"},)"
                      R"("logprobs":null,"finish_reason":"stop","stop_reason":)"
                      R"(null}],"usage":{"prompt_tokens":9,)"
                      R"("completion_tokens":7}})")
           + done_event,
       {"4", {}, finish::stop, {9, 0, 7, 0}, "q"}},
      {"vLLM, an id of its own for each part",
       delta(R"({"tool_calls":[{"id":"call_1","type":"function","index":0,)"
             R"("function":{"name":"get_weather"}}]})")
           + delta(R"({"tool_calls":[{"id":"chatcmpl-tool-8","type":)"
                   R"("function","index":0,"function":{"name":null,)"
                   R"("arguments":"{\"city\":\"Paris\"}"}}]})")
           + delta(R"({"content":""})", R"("tool_calls")") + done_event,
       {"", {weather}, finish::tool_calls, {}, {}}},
      {"llama.cpp: timings beside the counts",
       delta(R"({"role":"assistant","content":null})")
           + delta(R"({"content":"I"})") + delta(R"({"content":"'m glad"})")
           + delta("{}", R"("length")")
           + event_of(R"({"choices":[],"created":1795375612,"model":"smol",)"
                      R"("system_fingerprint":"b1-0c1e570","object":)"
                      R"("chat.completion.chunk","usage":{)"
                      R"("completion_tokens":3,"prompt_tokens":32,)"
                      R"("total_tokens":35,"prompt_tokens_details":{)"
                      R"("cached_tokens":31}},"timings":{"cache_n":31}})")
           + done_event,
       {"I'm glad", {}, finish::length, {32, 31, 3, 0}, "smol"}},
      {"llama-cpp-python: id and name in each part, CRLF, no usage",
       ": ping - 2026-01-01 00:00:00\r\n\r\n"
       R"(data: {"id":"chatcmpl-1","model":"smol","choices":[{"index":0,)"
       R"("delta":{"role":"assistant","content":null,"function_call":null,)"
       R"("tool_calls":[{"index":0,"id":"call_1","type":"function",)"
       R"("function":{"name":"get_weather","arguments":"{\"city\":"}}]},)"
       R"("finish_reason":null}]})"
       "\r\n\r\n"
       R"(data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,)"
       R"("id":"call_1","type":"function","function":{"name":"get_weather",)"
       R"("arguments":"\"Paris\"}"}}]},"finish_reason":null}]})"
       "\r\n\r\n"
       R"(data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]})"
       "\r\n\r\ndata: [DONE]\r\n\r\n",
       {"", {weather}, finish::tool_calls, {}, "smol"}},
      {"Ollama: whole calls, each of index 0, \"stop\"",
       delta(R"({"role":"assistant","content":"","tool_calls":[{"id":"call_1",)"
             R"("index":0,"type":"function","function":{"name":"get_weather",)"
             R"("arguments":"{\"city\":\"Paris\"}"}}]})")
           + delta(R"({"role":"assistant","content":"","tool_calls":[{"id":)"
                   R"("call_2","index":0,"type":"function","function":{"name":)"
                   R"("get_weather","arguments":"{\"city\":\"Rome\"}"}}]})")
           + delta(R"({"role":"assistant","content":""})", R"("stop")")
           + done_event,
       {"",
        {weather, {"call_2", "get_weather", R"({"city":"Rome"})"}},
        finish::tool_calls,
        {},
        {}}},
      {"Claude, a call of index 1 alone",
       event_of(
           R"({"id":"msg_01","choices":[{"index":0,"delta":{"role":)"
           R"("assistant","content":""}}],"created":1749521843,"model":)"
           R"("claude-sonnet-4-20250514","object":"chat.completion.chunk",)"
           R"("usage":{}})")
           + delta(R"({"content":"I'm Claude,"})")
           + delta(R"({"tool_calls":[{"index":1,"id":"toolu_01","type":)"
                   R"("function","function":{"name":"sql_query",)"
                   R"("arguments":""}}]})")
           + delta(R"({"tool_calls":[{"index":1,"function":{)"
                   R"("arguments":"{\"query\": 1}"}}]})")
           + delta("{}", R"("tool_calls")")
           + event_of(R"({"choices":[],"usage":{"prompt_tokens":426,)"
                      R"("completion_tokens":92,"total_tokens":518}})")
           + done_event,
       {"I'm Claude,",
        {{"toolu_01", "sql_query", R"({"query": 1})"}},
        finish::tool_calls,
        {426, 0, 92, 0},
        "claude-sonnet-4-20250514"}},
      {"Gemini's compatible endpoint: no index, counts in each piece",
       event_of(
           R"({"choices":[{"delta":{"role":"assistant","tool_calls":[{)"
           R"("extra_content":{"google":{"thought_signature":"Eo"}},)"
           R"("function":{"arguments":"{\"city\":\"Paris\"}","name":)"
           R"("get_weather"},"id":"call_1","type":"function"}]},"index":0}],)"
           R"("model":"gemini-3.8-flash","object":"chat.completion.chunk",)"
           R"("usage":{"completion_tokens":5,"prompt_tokens":7,)"
           R"("total_tokens":12}})")
           + event_of(
               R"({"choices":[{"delta":{"role":"assistant","tool_calls":[{)"
               R"("function":{"arguments":"{}","name":"f"},"id":"call_2",)"
               R"("type":"function"}]},"index":0}],"usage":{)"
               R"("completion_tokens":9,"prompt_tokens":7}})")
           + event_of(R"({"choices":[{"delta":{"role":"assistant"},)"
                      R"("finish_reason":"stop","index":0}],"usage":{)"
                      R"("completion_tokens":9,"prompt_tokens":7}})")
           + done_event,
       {"",
        {weather, {"call_2", "f", "{}"}},
        finish::tool_calls,
        {7, 0, 9, 0},
        "gemini-3.8-flash"}},
      {"a proxy of Gemini: parts without index and id",
       delta(R"({"tool_calls":[{"id":"call_1","function":{"name":)"
             R"("get_weather","arguments":""}}]})")
           + delta(R"({"tool_calls":[{"id":"","type":"","function":{)"
                   R"("arguments":"{\"city\":\"Paris\"}"}}]})",
                   R"("stop")")
           + done_event,
       {"", {weather}, finish::tool_calls, {}, {}}},
      {"DeepSeek: reasoning, comments, cache counts",
       ": keep-alive\n\n: keep-alive\n\n"
           + delta(R"({"role":"assistant","content":null,)"
                   R"("reasoning_content":"First"})")
           + delta(R"({"content":"42","reasoning_content":null})")
           + event_of(
               R"({"choices":[{"index":0,"delta":{"content":""},)"
               R"("finish_reason":"stop"}],"usage":{"prompt_tokens":100,)"
               R"("completion_tokens":20,"prompt_cache_hit_tokens":64,)"
               R"("prompt_cache_miss_tokens":36}})")
           + done_event,
       {"42", {}, finish::stop, {100, 64, 20, 0}, {}}},
      {"Azure: a first piece of filter results",
       event_of(R"({"choices":[],"model":"","prompt_filter_results":[{}]})")
           + delta(R"({"content":"x"})") + delta("{}", R"("stop")")
           + done_event,
       {"x", {}, finish::stop, {}, {}}},
      {"Mistral: content in parts",
       delta(R"({"content":[{"type":"thinking","thinking":[]}]})")
           + delta(R"({"content":[{"type":"text","text":"x"}]})", R"("stop")")
           + done_event,
       {"x", {}, finish::stop, {}, {}}},
      {"no [DONE], no blank line at the end",
       delta(R"({"content":"x"})")
           + R"(data: {"choices":[{"delta":{},"finish_reason":"stop"}]})",
       {"x", {}, finish::stop, {}, {}}},
  };
}

} // namespace

TEST_CASE("recorded streams are joined to the reply of each server") {
  for (const auto& [server, text, expected] : recordings()) {
    INFO(server);
    CHECK(reply_of(text) == expected);
  }
}

TEST_CASE("a recorded stream means the same wherever it is cut into packets") {
  for (const auto& [server, text, expected] : recordings()) {
    INFO(server);
    const auto body = joined(text).body();
    for (std::size_t at = 0; at <= text.size(); ++at) {
      chat_stream stream;
      stream.take(text.substr(0, at));
      stream.take(text.substr(at));
      stream.end();
      if (stream.body() != body) FAIL("cut at " << at);
    }
  }
}

TEST_CASE("a stream is whole from its finish_reason on, and not before") {
  for (const auto& [server, text, expected] : recordings()) {
    INFO(server);
    const auto finish = text.rfind("\"finish_reason\":\"");
    for (std::size_t at = 0; at <= text.size(); ++at) {
      chat_stream stream;
      stream.take(text.substr(0, at));
      if (stream.whole() && at <= finish) FAIL("whole at " << at);
      if (!stream.broken().empty()) FAIL(stream.broken());
    }
  }
}

TEST_CASE("a streamed reply has 1024 tool calls at most") {
  const auto calls = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += delta(R"({"tool_calls":[{"index":)" + std::to_string(i)
                    + R"(,"id":"c)" + std::to_string(i)
                    + R"(","function":{"name":"f","arguments":"{}"}}]})");
    return text + delta("{}", R"("tool_calls")") + done_event;
  };
  CHECK(reply_of(calls(1024)).tool_calls.size() == 1024);
  const auto more = joined(calls(2000));
  CHECK_FALSE(more.whole());
  CHECK(more.broken()
        == "piece 1025 of the stream begins tool call 1025, and a reply has at "
           "most 1024");
}

TEST_CASE("a streamed reply equals the reply that comes at once") {
  const std::uint64_t seed = 20260611;
  rng draw{seed};
  const std::vector<std::string> texts{"",
                                       "a",
                                       "two words",
                                       "{\"a\":[1,2]}",
                                       "\n\n\"",
                                       "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80!",
                                       "data: [DONE]\n\n"};
  const auto text = [&] { return texts[draw.below(texts.size())]; };
  for (int i = 0; i < 500; ++i) {
    INFO("seed " << seed << ", round " << i);
    chat_reply reply;
    reply.content = text() + text();
    for (auto n = draw.below(4); n > 0; --n)
      reply.tool_calls.push_back(
          {"c" + std::to_string(n), "f" + std::to_string(n % 2), text()});
    reply.finish =
        reply.tool_calls.empty() ? chat_finish::stop : chat_finish::tool_calls;
    if (draw.below(4) == 0) reply.finish = chat_finish::length;
    reply.usage = {draw.below(90) + 10, draw.below(10), draw.below(90) + 10,
                   draw.below(10)};
    reply.model = "m";
    const auto once = decode_chat(chat_body(reply));
    REQUIRE(once);
    const auto body = stream_body(reply, draw.below(7) + 1);
    chat_stream stream;
    for (std::size_t at = 0; at < body.size();) {
      const auto size = draw.below(60) + 1;
      stream.take(std::string_view{body}.substr(at, size));
      at += size;
    }
    stream.end();
    REQUIRE(stream.whole());
    const auto streamed = decode_chat(stream.body());
    REQUIRE(streamed);
    CHECK(*streamed == *once);
  }
}

TEST_CASE("a stream of reasoning alone is an empty reply with its counts") {
  const auto reply = reply_of(
      delta(R"({"role":"assistant","content":null})")
      + delta(R"({"reasoning_content":"Hm."})") + delta("{}", R"("stop")")
      + event_of(R"({"choices":[],"usage":{"prompt_tokens":9,)"
                 R"("completion_tokens":4}})")
      + done_event);
  CHECK(reply == chat_reply{"", {}, chat_finish::stop, {9, 0, 4, 0}, ""});
}

TEST_CASE("the first words are told from signs of life") {
  using stage = sink_stage;
  struct row {
    std::string text;
    stage expected;
  };
  for (const auto& [text, expected] : std::vector<row>{
           {"", stage::waiting},
           {": OPENROUTER PROCESSING\n\n", stage::waiting},
           {"event: ping\ndata: {\"type\":\"ping\"}\n\n", stage::waiting},
           {delta(R"({"role":"assistant","content":""})"), stage::waiting},
           {event_of(R"({"choices":[],"usage":null})"), stage::waiting},
           {delta(R"({"content":"x"})"), stage::speaking},
           {delta(R"({"reasoning_content":"x"})"), stage::speaking},
           {delta(R"({"reasoning":"x"})"), stage::speaking},
           {delta(R"({"refusal":"x"})"), stage::speaking},
           {delta(R"({"tool_calls":[{"index":0,"function":{"name":"f"}}]})"),
            stage::speaking},
           {delta("{}", R"("stop")"), stage::speaking},
           {delta("{}", R"("stop")") + done_event, stage::ended}}) {
    INFO(text);
    chat_stream stream;
    stream.take(text);
    CHECK(stream.stage() == expected);
  }
}

TEST_CASE("an error in place of a piece is the reply") {
  for (const auto& error : std::vector<std::string>{
           event_of(
               R"({"error":{"message":"busy","type":"overloaded_error"}})"),
           "event: error\n"
               + event_of(R"({"type":"error","error":{"message":"busy"}})"),
           "event: error\n" + event_of(R"({"message":"busy"})"),
           "error: {\"code\":500,\"message\":\"busy\"}\n\n",
           event_of(R"({"object":"error","message":"busy","code":400})"),
           event_of(R"({"id":"gen-1","error":{"code":502,"message":"busy"},)"
                    R"("choices":[{"index":0,"delta":{"content":""},)"
                    R"("finish_reason":"error"}]})")}) {
    INFO(error);
    for (const auto& before : {std::string{}, delta(R"({"content":"x"})")}) {
      const auto stream = joined(before + error + delta(R"({"content":"y"})"));
      CHECK(stream.failed());
      CHECK(stream.whole());
      CHECK(stream.spoke() == !before.empty());
      CHECK(stream.body().find("busy") != std::string::npos);
    }
  }
}

TEST_CASE("a piece that cannot be read breaks the stream, without quoting it") {
  for (const auto& text : std::vector<std::string>{
           event_of("{\"choices\""), event_of("sk-0123456789"), event_of("[1]"),
           event_of("\"sk-0123456789\""), event_of(R"({"model":7})"),
           delta("7"), delta(R"({"content":7})"), delta(R"({"tool_calls":7})"),
           delta(R"({"tool_calls":[{"id":7}]})"), delta("{}", "7")}) {
    INFO(text);
    const auto stream = joined(delta("{}") + text + done_event);
    CHECK(stream.broken().starts_with("piece 2 of the stream "));
    CHECK(stream.broken().find("sk-") == std::string::npos);
    CHECK_FALSE(stream.whole());
  }
}

TEST_CASE("a character that is cut between two pieces is joined") {
  const auto reply = reply_of(
      delta(R"({"content":"a \ud83c"})") + delta("{}")
      + delta(R"({"content":"\udf38 b\ud83d"})")
      + delta(R"({"content":"\ude00"})")
      + delta(R"({"tool_calls":[{"index":0,"id":"c","function":{"name":"f",)"
              R"("arguments":"{\"a\":\"\ud83c"}}]})")
      + delta(R"({"tool_calls":[{"index":0,"function":{)"
              R"("arguments":"\udf38\"}"}}]})")
      + delta("{}", R"("tool_calls")") + done_event);
  CHECK(reply.content == "a \U0001f338 b\U0001f600");
  CHECK(reply.tool_calls.at(0).arguments == "{\"a\":\"\U0001f338\"}");
}

TEST_CASE("half a character without its other half is U+FFFD in a stream") {
  const auto content = [](const std::string& first, const std::string& second) {
    return reply_of(delta(R"({"content":")" + first + R"("})")
                    + delta(R"({"content":")" + second + R"("})")
                    + delta("{}", R"("stop")") + done_event)
        .content;
  };
  CHECK(content(R"(a\ud83c)", "b") == "a\ufffdb");
  CHECK(content("a", R"(\udf38b)") == "a\ufffdb");
  CHECK(content(R"(a\udf38)", R"(\ud83cb)") == "a\ufffd\ufffdb");
  CHECK(content(R"(a\ud83cb)", R"(\udf38)") == "a\ufffdb\ufffd");
}

TEST_CASE("a server that ends a stream in order but too soon is not whole") {
  // llama-cpp-python does it when the next request arrives.
  const auto stream = joined(delta(R"({"content":"Once upon"})") + done_event);
  CHECK(stream.done());
  CHECK_FALSE(stream.whole());
}

TEST_CASE("JSON in answer to a request for a stream is taken as it is") {
  chat_reply reply;
  reply.content = "x";
  const auto body = chat_body(reply);
  chat_stream stream;
  stream.take("\n" + body.substr(0, 10));
  CHECK_FALSE(stream.whole());
  stream.take(body.substr(10));
  stream.end();
  CHECK(stream.is_plain());
  CHECK(stream.whole());
  CHECK(decode_chat(stream.body())->content == "x");
}

TEST_CASE("a request for a stream is the request with its fields") {
  chat_request request;
  request.model = "m";
  request.messages.push_back({chat_role::user, "x", {}, {}, {}});
  const auto plain = *encode_chat(request, {});
  CHECK(with_stream(plain, stream_mode::off) == plain);
  const auto streamed = with_stream(plain, stream_mode::plain);
  CHECK(streamed == "{\"stream\":true," + plain.substr(1));
  CHECK(with_stream(plain, stream_mode::with_usage)
        == R"({"stream":true,"stream_options":{"include_usage":true},)"
               + plain.substr(1));
  CHECK(parse_chat_request(streamed) == request);
}

TEST_CASE("a stream is known by its first field, whatever it is called") {
  CHECK(looks_like_stream("\n\ndata: {}\n\n"));
  CHECK(looks_like_stream(": ping\n\n"));
  CHECK(looks_like_stream("event: error\n"));
  CHECK_FALSE(looks_like_stream(""));
  CHECK_FALSE(looks_like_stream("{\"data\":1}"));
  CHECK_FALSE(looks_like_stream("<html>data:"));
}
