#include "llm/format/server_error.hpp"

#include <catch2/catch.hpp>

using namespace brewery;
using enum attempt_outcome;

namespace {

attempt_result classified(unsigned status, const std::string& body) {
  return classify(status, {{"Retry-After", "3"}}, read_complaint(body), 0);
}

} // namespace

TEST_CASE("the refusals of many servers mean what they say") {
  struct row {
    std::string server;
    unsigned status;
    std::string body;
    attempt_outcome outcome;
    ec code;
  };
  for (
      const auto& [server, status, body, outcome, code] : std::vector<row>{
          {"OpenAI, context", 400,
           R"({"error":{"message":"This model's maximum context length is 8192 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}})",
           refused, ec::context_too_long},
          {"OpenAI, key", 401,
           R"({"error":{"message":"Incorrect API key provided","type":"invalid_request_error","param":null,"code":"invalid_api_key"}})",
           refused, ec::unauthorized},
          {"OpenAI, rate", 429,
           R"({"error":{"message":"Rate limit reached","type":"tokens","param":null,"code":"rate_limit_exceeded"}})",
           rate_limited, ec::rate_limited},
          {"OpenAI, no money", 429,
           R"({"error":{"message":"You exceeded your current quota","type":"insufficient_quota","param":null,"code":"insufficient_quota"}})",
           refused, ec::unauthorized},
          {"OpenAI, model", 404,
           R"({"error":{"message":"The model `x` does not exist","type":"invalid_request_error","param":null,"code":"model_not_found"}})",
           refused, ec::not_found},
          {"Azure, filter", 400,
           R"({"error":{"message":"The response was filtered","type":null,"param":"prompt","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation"}}})",
           refused, ec::refused_content},
          {"Azure, rate", 429,
           R"({"error":{"code":"429","message":"Requests have exceeded call rate limit"}})",
           rate_limited, ec::rate_limited},
          {"Azure, gateway", 401,
           R"({"statusCode":401,"message":"Access denied due to invalid subscription key"})",
           refused, ec::unauthorized},
          {"vLLM, context", 400,
           R"({"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000","type":"BadRequestError","param":null,"code":400})",
           refused, ec::context_too_long},
          {"vLLM, model", 404,
           R"({"object":"error","message":"The model `x` does not exist.","type":"NotFoundError","param":null,"code":404})",
           refused, ec::not_found},
          {"llama.cpp, context", 400,
           R"({"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}})",
           refused, ec::context_too_long},
          {"llama.cpp, loading", 503,
           R"({"error":{"code":503,"message":"Loading model","type":"unavailable_error"}})",
           overloaded, ec::rate_limited},
          {"llama.cpp, old, context", 500,
           R"({"error":{"code":500,"message":"Input is too long for the context size","type":"server_error"}})",
           refused, ec::context_too_long},
          {"Ollama, model", 404, R"({"error":"model 'x' not found"})", refused,
           ec::not_found},
          {"Anthropic's dialect, busy", 529,
           R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})",
           overloaded, ec::rate_limited},
          {"FastAPI", 422, R"({"detail":[{"loc":["body"],"msg":"missing"}]})",
           refused, ec::invalid_argument},
          {"Gemini, a list", 400,
           R"([{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"seed\": Cannot find field.","status":"INVALID_ARGUMENT","details":[]}}])",
           refused, ec::invalid_argument},
          {"DeepSeek, no money", 402,
           R"({"error":{"message":"Insufficient Balance"}})", refused,
           ec::unauthorized},
          {"nginx", 502, "<html><h1>502 Bad Gateway</h1></html>",
           maybe_processed, ec::io},
          {"Cloudflare, timeout", 524, "<html>", maybe_processed, ec::io},
          {"plain text", 500, "Internal Server Error", server_error, ec::io},
          {"nothing", 500, "", server_error, ec::io},
          {"too many bytes", 413, "", refused, ec::context_too_long},
          {"a redirect", 308, "", refused, ec::invalid_config},
          {"OpenRouter, in 200", 200,
           R"({"error":{"message":"Provider returned error","code":429}})",
           rate_limited, ec::rate_limited},
          {"in 200, of no kind", 200, R"({"error":"out of memory"})",
           server_error, ec::io},
          {"in 200, context", 200,
           R"({"object":"error","message":"maximum context length is 10","code":400})",
           refused, ec::context_too_long},
          // Words that mean something else where they stand.
          {"a key for a context window", 401,
           R"({"error":{"message":"no access to the long context window"}})",
           refused, ec::unauthorized},
      }) {
    INFO(server);
    const auto got = classified(status, body);
    INFO(got.why.message);
    CHECK(got.outcome == outcome);
    CHECK(got.why.code == code);
    CHECK(got.status == status);
    CHECK(got.why.message.starts_with("HTTP " + std::to_string(status)));
    CHECK(got.retry_after.has_value() == (outcome != refused));
  }
}

TEST_CASE("the message is the server's own, in one line and short") {
  CHECK(classified(400, R"({"error":{"message":"a\nb\u001b[2J"}})").why.message
        == "HTTP 400: a?b?[2J");
  CHECK(classified(400, R"({"error":"no"})").why.message == "HTTP 400: no");
  CHECK(classified(400, R"({"detail":"no"})").why.message == "HTTP 400: no");
  CHECK(classified(500, "<html><body>").why.message == "HTTP 500");
  CHECK(classified(400, R"({"error":{"type":"x_error"}})").why.message
        == "HTTP 400: x_error");
  CHECK(classified(400, std::string(5000, 'x')).why.message.size() < 300);
}

TEST_CASE("an error inside a success is told from an answer") {
  CHECK(is_error_body(R"({"error":{"message":"x"}})"));
  CHECK(is_error_body(R"({"object":"error","message":"x"})"));
  CHECK(is_error_body(R"({"detail":"x"})"));
  CHECK_FALSE(is_error_body(R"({"choices":[],"error":null})"));
  CHECK_FALSE(is_error_body(R"({"choices":[{}],"error":{"message":"x"}})"));
  CHECK_FALSE(is_error_body(R"({"data":[],"detail":"x"})"));
  CHECK_FALSE(is_error_body("{"));
  CHECK_FALSE(is_error_body("7"));
}

TEST_CASE("a refused schema is told with the key that changes what is sent") {
  for (
      const auto& [status, body] :
      std::vector<std::pair<unsigned, std::string>>{
          {400,
           R"({"error":{"message":"Invalid schema for response_format 'ratings': In context=('properties', 'reason'), 'maxLength' is not permitted.","type":"invalid_request_error","param":"response_format","code":null}})"},
          {400,
           R"({"error":{"type":"invalid_request_error","message":"output_format.schema: For 'integer' type, property 'minimum' is not supported"}})"},
          {400,
           R"([{"error":{"code":400,"message":"Unknown name \"maxItems\" at 'generation_config.response_schema': Cannot find field.","status":"INVALID_ARGUMENT"}}])"},
          {400,
           R"({"error":{"code":400,"message":"failed to parse grammar","type":"invalid_request_error"}})"},
          {422,
           R"({"detail":"body.response_format.type: Input should be 'text' or 'json_object'"})"},
      }) {
    const auto got = classified(status, body);
    INFO(got.why.message);
    CHECK(got.outcome == refused);
    CHECK(got.why.code == ec::invalid_argument);
    CHECK(got.why.message.find("set json_schema = \"plain\"")
          != std::string::npos);
  }
  // Schemas of tools are another matter.
  const auto tools = classified(
      400, R"({"error":{"message":"Invalid schema for function 'look'"}})");
  CHECK(tools.why.message.find("json_schema") == std::string::npos);
}

TEST_CASE("a refused field is answered with the key that leaves it out") {
  struct row {
    std::string body, says;
  };
  for (
      const auto& [body, says] : std::vector<row>{
          {R"({"error":{"message":"Unsupported value: 'temperature' does not support 0.1 with this model. Only the default (1) value is supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}})",
           "; set temperature = false for this model in the catalog"},
          {R"({"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}})",
           "; set max_tokens_field for this server"},
          {R"([{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"seed\": Cannot find field.","status":"INVALID_ARGUMENT"}}])",
           "; set seed = false for this server in the catalog"},
          {R"({"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted","input":123}]})",
           "; set seed = false for this server in the catalog"},
          {R"({"error":{"message":"Unrecognized request argument supplied: reasoning_effort"}})",
           "; leave out reasoning_effort of the role"}}) {
    INFO(body);
    const auto got = classified(400, body);
    CHECK(got.outcome == refused);
    CHECK(got.why.message.find(says) != std::string::npos);
  }
  // A field that is only mentioned is not blamed.
  CHECK(classified(400, R"({"error":{"message":"temperature is above 2"}})")
            .why.message.find("catalog")
        == std::string::npos);
}
