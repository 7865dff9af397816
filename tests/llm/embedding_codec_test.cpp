#include "llm/format/embedding_codec.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

const embedding_request two{"e", {"a", "b"}, 0};

std::string data(const std::string& items) {
  return "{\"data\":[" + items + "],\"usage\":{\"prompt_tokens\":4}}";
}

} // namespace

TEST_CASE("vectors are in the order of the texts, whatever the reply's") {
  for (const auto* items :
       {R"({"index":1,"embedding":[3,4]},{"index":0,"embedding":[1,2.5]})",
        R"({"index":0,"embedding":[1,2.5]},{"index":1,"embedding":[3,4]})",
        R"({"embedding":[1,2.5]},{"embedding":[3,4]})"}) {
    const auto got = decode_embedding(data(items), two);
    REQUIRE(got);
    CHECK(got->vectors == std::vector<std::vector<double>>{{1, 2.5}, {3, 4}});
    CHECK(got->usage.prompt == 4);
  }
}

TEST_CASE("a reply that does not fit the request is malformed") {
  for (const auto& [says, body] :
       std::vector<std::pair<std::string, std::string>>{
           {"is not JSON", "{"},
           {"data is missing", "{}"},
           {"data is missing", "[]"},
           {"has 1 entries for 2 texts", data(R"({"embedding":[1]})")},
           {"data[1] is a second one for text 0",
            data(R"({"index":0,"embedding":[1]},{"index":0,"embedding":[2]})")},
           {"data[1] has index 2",
            data(R"({"index":0,"embedding":[1]},{"index":2,"embedding":[2]})")},
           {"data[0].index is -1",
            data(R"({"index":-1,"embedding":[1]},{"embedding":[2]})")},
           {"the vector of text 1 has 1 numbers, expected 2",
            data(R"({"embedding":[1,2]},{"embedding":[2]})")},
           {"data[0] has no embedding",
            data(R"({"embedding":[]},{"embedding":[2]})")},
           {"data[1] has no embedding",
            data(R"({"embedding":[2]},{"embedding":"AAAA"})")},
           {"data[0] has a string among",
            data(R"({"embedding":["1"]},{"embedding":[2]})")},
           {"is not JSON", data(R"({"embedding":[1e999]},{"embedding":[2]})")},
       }) {
    INFO(body);
    const auto got = decode_embedding(body, two);
    REQUIRE_FALSE(got);
    INFO(got.error().message);
    CHECK(got.error().code == ec::malformed);
    CHECK(got.error().message.find(says) != std::string::npos);
  }
}

TEST_CASE("dimensions that were asked for are insisted on") {
  auto request = two;
  request.dimensions = 3;
  CHECK(encode_embedding(request)->find("\"dimensions\":3")
        != std::string::npos);
  CHECK_FALSE(decode_embedding(
      data(R"({"embedding":[1,2]},{"embedding":[2,3]})"), request));
  CHECK(decode_embedding(data(R"({"embedding":[1,2,3]},{"embedding":[2,3,4]})"),
                         request));
}

TEST_CASE("no text, or an empty one, is refused") {
  CHECK(encode_embedding({"e", {}, 0}).error().code == ec::invalid_argument);
  CHECK(encode_embedding({"e", {"a", ""}, 0}).error().message
        == "embedding request: text 1 is empty");
  CHECK(*encode_embedding(two) == R"({"input":["a","b"],"model":"e"})");
}
