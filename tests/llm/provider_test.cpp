#include "llm/client/provider.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

provider good() {
  provider out;
  out.name = "p";
  out.base_url = "https://models.example/v1";
  return out;
}

} // namespace

TEST_CASE("an address is read as a user means it") {
  struct row {
    std::string text;
    bool tls;
    std::string host;
    int port;
    std::string target;
    std::string host_header;
  };
  for (const auto& [text, tls, host, port, target, header] : std::vector<row>{
           {"https://api.example/v1", true, "api.example", 443, "/v1/x",
            "api.example"},
           {"HTTP://Api.Example", false, "api.example", 80, "/x",
            "api.example"},
           {"http://localhost:8000/v1///", false, "localhost", 8000, "/v1/x",
            "localhost:8000"},
           {"https://h:443", true, "h", 443, "/x", "h"},
           {"http://h:443", false, "h", 443, "/x", "h:443"},
           {"http://[::1]:11434/v1", false, "::1", 11434, "/v1/x",
            "[::1]:11434"},
           {"https://[::1]", true, "::1", 443, "/x", "[::1]"},
           {"https://h/a?api-version=1&b=2", true, "h", 443,
            "/a/x?api-version=1&b=2", "h"},
       }) {
    INFO(text);
    const auto got = parse_url(text, "base_url");
    REQUIRE(got);
    CHECK(got->tls == tls);
    CHECK(got->host == host);
    CHECK(got->port == port);
    CHECK(got->target("/x") == target);
    CHECK(got->host_header() == header);
  }
}

TEST_CASE("an address that cannot be used says why") {
  for (const auto& [text, why] :
       std::vector<std::pair<std::string, std::string>>{
           {"", "does not start with http"},
           {"models.example/v1", "does not start with http"},
           {"ftp://h", "does not start with http"},
           {"http://", "host is not a name"},
           {"http://:80", "host is not a name"},
           {"http://a b", "space"},
           {"http://h\r\nX: y", "control character"},
           {"http://h:0", "port is not a number"},
           {"http://h:65536", "port is not a number"},
           {"http://h:8o", "port is not a number"},
           {"http://[::1", "bracket is not closed"},
           {"http://[::1]x", "only a port"},
           {"http://[zz]", "host is not a name"},
           {"http://h!x", "host is not a name"},
           {"http://user:p@ss@h", "must be written as %XX"},
           {"http://h/{model}", "must be written as %XX"},
           {"http://h/v1#x", "fragment"},
       }) {
    INFO(text);
    const auto got = parse_url(text, "base_url");
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ec::invalid_config);
    CHECK(got.error().message.find(why) != std::string::npos);
  }
}

TEST_CASE("an option out of range is refused with its name and value") {
  struct row {
    std::string says;
    void (*spoil)(provider&);
  };
  using std::chrono::milliseconds;
  CHECK(check(good()));
  for (const auto& [says, spoil] : std::vector<row>{
           {"idle timeout is 0 ms",
            [](auto& p) { p.timeouts.idle = milliseconds{0}; }},
           {"initial_concurrency is 600; it must be from 1 to max_concurrency "
            "(512)",
            [](auto& p) { p.initial_concurrency = 600; }},
           {"initial_concurrency is 0",
            [](auto& p) { p.initial_concurrency = 0; }},
           {"limit of a reply is 10 bytes",
            [](auto& p) { p.reply_bytes_most = 10; }},
           {"base_url holds a user name",
            [](auto& p) { p.base_url = "https://a:b@h"; }},
           {"header 'Content-Length' is set by Brewery",
            [](auto& p) {
              p.headers = {{"Content-Length", secret{"1"}}};
            }},
           {"header 'a b' has a name",
            [](auto& p) {
              p.headers = {{"a b", secret{"1"}}};
            }},
           {"header 'X' has a value with control",
            [](auto& p) {
              p.headers = {{"X", secret{"1\r\nY: 2"}}};
            }},
           {"header 'authorization' is given twice",
            [](auto& p) {
              p.api_key = secret{"k"};
              p.headers = {{"authorization", secret{"Bearer x"}}};
            }},
       }) {
    INFO(says);
    auto options = good();
    spoil(options);
    const auto got = check(options);
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ec::invalid_config);
    INFO(got.error().message);
    CHECK(got.error().message.starts_with("model server 'p': " + says));
  }
}
