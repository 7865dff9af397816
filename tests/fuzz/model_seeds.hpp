#pragma once
/// What the fuzzer of model_target.hpp starts from.

#include <string>
#include <utility>
#include <vector>

namespace brewery::fuzz {

/// The first byte: 0 chat, 1 embedding, 2 refusal and its status, 3 schema,
/// 4 stream.
inline std::vector<std::pair<std::string, std::string>> model_seeds() {
  std::vector<std::pair<std::string, std::string>> out;
  const auto keep = [&](const char* name, std::string bytes) {
    out.emplace_back(name, std::move(bytes));
  };
  const std::string none(1, '\0');
  keep("chat", none + R"({"model":"m","choices":[{"message":{"content":
"Hi.","refusal":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,
"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":4},
"completion_tokens_details":{"reasoning_tokens":2}}})");
  keep("chat-calls", none + R"({"choices":[{"message":{"content":null,
"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":
"{\"a\":1}"}},{"function":{"name":"g","arguments":{"b":[]}}}]},
"finish_reason":"tool_calls"}]})");
  keep("chat-parts", none + R"({"choices":[{"message":{"content":[
{"type":"text","text":"a"}]},"finish_reason":"content_filter"}]})");
  keep("embedding", "\1"
                    R"({"data":[{"index":1,"embedding":[1,2]},
{"index":0,"embedding":[0.5,-3e2]}],"usage":{"prompt_tokens":2}})");
  // 100 + 2 * 150 is 400, and so on.
  keep("refusal", "\2\x96"
                  R"({"error":{"message":"bad key sk-0123456789abcdef",
"type":"x","code":"context_length_exceeded"}})");
  keep("refusal-rate", "\2\xa4"
                       "12 {\"detail\":[{\"msg\":1}]}");
  keep("refusal-in-200", "\2\x32"
                         R"({"error":{"code":503}})");
  keep("refusal-azure", "\2\x96"
                        R"({"error":{"code":"content_filter",
"innererror":{"code":"ResponsibleAIPolicyViolation"}},"statusCode":401})");
  const std::string schema =
      R"({"type":"object","properties":{"a":{"type":["integer","null"],)"
      R"("minimum":0},"b":{"type":"array","items":{"enum":["x",1]},)"
      R"("maxItems":2},"c":{"type":"string","maxLength":3}},)"
      R"("required":["a"],"additionalProperties":false})";
  keep("schema", "\3" + schema + "\n{\"a\":1,\"b\":[\"x\"]}");
  keep("schema-fenced",
       "\3" + schema + "\nSure:\n```json\n{\"a\":null,\"c\":\"yz\"}\n```\n.");
  keep("schema-chatter",
       "\3" + schema + "\n<think>{</think>No {\"b\":2}, but {\"a\":7}!");
  keep("stream", "\4"
                 ": ping\r\n\r\n"
                 R"(data: {"model":"m","choices":[{"index":0,"delta":{)"
                 R"("role":"assistant","content":""},"finish_reason":null}]})"
                 "\r\n\r\n"
                 R"(data: {"choices":[{"delta":{"content":"a",)"
                 R"("reasoning_content":"b"},"finish_reason":"stop"}],)"
                 R"("usage":{"prompt_tokens":3,"completion_tokens":2}})"
                 "\r\n\r\ndata: [DONE]\r\n\r\n");
  keep("stream-calls",
       "\4"
       R"(data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c",)"
       R"("function":{"name":"f","arguments":"{"}}]}}]})"
       "\n\n"
       R"(data: {"choices":[{"delta":{"tool_calls":[{"function":{)"
       R"("arguments":"}"}},{"index":0,"id":"d","function":{"name":"g",)"
       R"("arguments":{"x":1}}}]},"finish_reason":"tool_calls"}]})"
       "\n\n");
  keep("stream-error", "\4"
                       "event: error\ndata: {\"error\":{\"code\":503}}\n\n");
  return out;
}

} // namespace brewery::fuzz
