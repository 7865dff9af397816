#include "base/encodings.hpp"
#include "net/http_access.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace brewery;

namespace {

constexpr const char* secret = "0123456789abcdef";

http_request from_host(const std::string& host,
                       const std::string& authorization = {}) {
  return {"/", "", host, authorization};
}

unsigned status(const http_access& access, const http_request& request) {
  const auto refused = refusal_of(access, request);
  return refused ? refused->status : 200;
}

} // namespace

TEST_CASE(
    "on loopback only names of this machine, with its port, are answered") {
  const http_access access{8420, true, {}};
  for (const char* host :
       {"localhost:8420", "LocalHost:8420", "127.0.0.1:8420", "[::1]:8420"})
    CHECK(status(access, from_host(host)) == 200);
  for (const char* host :
       {"", "localhost", "127.0.0.1", "localhost:84200", "localhost:842",
        "evil.example:8420", "localhost.evil.example:8420", "127.0.0.1:8421",
        "::1:8420", "localhost:8420,evil.example", "127.0.0.1:8420@evil"})
    CHECK(status(access, from_host(host)) == 421);
}

TEST_CASE("pages of other origins are refused, those of a proxy are not") {
  const auto from = [](const std::string& host, const std::string& origin) {
    auto request = from_host(host);
    request.origin = origin;
    return request;
  };
  const http_access near{8420, true, {}};
  CHECK(status(near, from("localhost:8420", "http://localhost:8420")) == 200);
  for (const char* origin : {"null", "http://evil.example", "http://localhost",
                             "http://127.0.0.1:8420", "http://localhost:84200"})
    CHECK(status(near, from("localhost:8420", origin)) == 403);
  const http_access far{8420, false, {}};
  CHECK(status(far, from("brewery.example", "https://brewery.example")) == 200);
}

TEST_CASE("a page of another site may lead to the page and ask for nothing") {
  const auto from = [](const char* site, const char* path) {
    auto request = from_host("localhost:8420");
    request.path = path;
    request.fetch_site = site;
    return request;
  };
  const http_access access{8420, true, {}};
  for (const char* site : {"", "none", "same-origin", "same-site"})
    CHECK(status(access, from(site, "/api/runs")) == 200);
  for (const char* site : {"cross-site", "Cross-Site"})
    CHECK(status(access, from(site, "/api/runs")) == 403);
  CHECK(status(access, from("cross-site", "/")) == 200);
}

TEST_CASE("the port of HTTP itself may be left out") {
  const http_access access{80, true, {}};
  CHECK(status(access, from_host("localhost")) == 200);
  CHECK(status(access, from_host("localhost:80")) == 200);
}

TEST_CASE("a token is asked for, as bearer or as a password") {
  const http_access access{8420, false, secret};
  const std::string token{secret};
  CHECK(status(access, from_host("any.example", "Bearer " + token)) == 200);
  CHECK(status(access,
               from_host("any.example", "Basic " + base64("brewery:" + token)))
        == 200);
  CHECK(status(access, from_host("any.example", "bearer " + token)) == 200);
  for (const std::string& wrong : std::vector<std::string>{
           "", token, "Bearer " + token + " ", "bearer" + token,
           "Bearer " + token.substr(1), "Bearer ",
           "Basic " + base64("other:" + token), "Basic " + base64(token),
           "Basic brewery:" + token})
    CHECK(status(access, from_host("any.example", wrong)) == 401);
  const auto refused = refusal_of(access, from_host("any.example"));
  REQUIRE(refused);
  CHECK(refused->headers.front().first == "WWW-Authenticate");
}

TEST_CASE("a token on loopback does not replace the check of the host") {
  const http_access access{8420, true, secret};
  const auto bearer = std::string{"Bearer "} + secret;
  CHECK(status(access, from_host("localhost:8420", bearer)) == 200);
  CHECK(status(access, from_host("localhost:8420")) == 401);
  CHECK(status(access, from_host("evil.example:8420", bearer)) == 421);
}

TEST_CASE("a token that can be guessed or not be sent is refused") {
  CHECK(can_be_token(secret));
  CHECK_FALSE(can_be_token(""));
  CHECK_FALSE(can_be_token("0123456789abcde"));
  CHECK_FALSE(can_be_token("0123456789 abcdef"));
  CHECK_FALSE(can_be_token("0123456789\nabcdef"));
  CHECK_FALSE(can_be_token("0123456789abcdeé"));
}

TEST_CASE("loopback is what the check of the host knows") {
  CHECK(is_loopback("127.0.0.1"));
  CHECK(is_loopback("::1"));
  for (const char* other : {"0.0.0.0", "::", "127.0.0.2", "10.0.0.1", ""})
    CHECK_FALSE(is_loopback(other));
}
