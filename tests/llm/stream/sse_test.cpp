#include "llm/format/sse.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace brewery;

namespace {

using event_list = std::vector<std::pair<std::string, std::string>>;

event_list events_in(const std::vector<std::string>& pieces) {
  event_list out;
  const auto take = [&](const sse_event& event) {
    out.emplace_back(event.name, event.data);
  };
  sse_reader reader;
  for (const auto& piece : pieces)
    reader.feed(piece, take);
  reader.finish(take);
  return out;
}

} // namespace

TEST_CASE("event_list are read as the standard has them") {
  struct row {
    std::string text;
    event_list expected;
  };
  for (const auto& [text, expected] : std::vector<row>{
           {"data: a\n\ndata: b\n\n", {{"", "a"}, {"", "b"}}},
           {"data: a\r\n\r\ndata: b\r\n\r\n", {{"", "a"}, {"", "b"}}},
           {"data: a\r\rdata: b\r\r", {{"", "a"}, {"", "b"}}},
           {"data:a\n\n", {{"", "a"}}},
           {"data:  a\n\n", {{"", " a"}}},
           {"data: a\ndata: b\n\n", {{"", "a\nb"}}},
           {"data\n\n", {{"", ""}}},
           {": ping\n\ndata: a\n\n: ping\n\n", {{"", "a"}}},
           {"event: error\ndata: x\n\ndata: y\n\n",
            {{"error", "x"}, {"", "y"}}},
           {"event: lonely\n\n", {}},
           {"id: 7\nretry: 10\nother: 1\ndata: a\n\n", {{"", "a"}}},
           {"\xef\xbb\xbf"
            "data: a\n\n",
            {{"", "a"}}},
           {"error: {}\n\n", {{"error", "{}"}}},
           {"data: no blank line", {{"", "no blank line"}}},
           {"", {}},
           {"\n\n\r\n", {}}}) {
    INFO(text);
    CHECK(events_in({text}) == expected);
  }
}

TEST_CASE("where the pieces of a stream end does not matter") {
  const std::string text =
      ": hi\r\nevent: e\r\ndata: a\xc3\xa4\r\n\r\ndata: b\n"
      "data: c\n\ndata: d\r\r\ndata: e";
  const auto whole = events_in({text});
  REQUIRE(whole.size() == 4);
  for (std::size_t at = 0; at <= text.size(); ++at)
    CHECK(events_in({text.substr(0, at), text.substr(at)}) == whole);
  std::vector<std::string> bytes;
  for (const char c : text)
    bytes.emplace_back(1, c);
  CHECK(events_in(bytes) == whole);
}
