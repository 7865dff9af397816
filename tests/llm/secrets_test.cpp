/// A key is nowhere but in the request's headers, whatever goes wrong.

#include "base/file.hpp"
#include "base/rng.hpp"
#include "tests/fixtures/scratch.hpp"
#include "tests/llm/support.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <mutex>

using namespace brewery;
using std::chrono::milliseconds;

namespace {

/// Any eight characters in a row of it would be a leak.
bool leaks(const std::string& text, const std::string& hidden) {
  for (std::size_t i = 0; i + 8 <= hidden.size(); ++i)
    if (text.find(hidden.substr(i, 8)) != std::string::npos) return true;
  return false;
}

std::string random_key(rng& draw) {
  static constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
      "-_./+=\"\\";
  std::string out = "sk-";
  const auto length = 20 + draw.below(200);
  for (std::uint64_t i = 0; i < length; ++i)
    out += letters[draw.below(letters.size())];
  return out;
}

std::string escaped(const std::string& text, bool as_numbers) {
  std::string out;
  char number[8];
  for (const char c : text) {
    std::snprintf(number, sizeof number, "\\u%04x", static_cast<unsigned>(c));
    if (as_numbers)
      out += number;
    else
      out += (c == '"' || c == '\\') ? std::string{'\\', c} : std::string{c};
  }
  return out;
}

/// A reply that repeats what it was sent, in all the places it can.
peer_reply echo_key(rng& draw, const std::string& key) {
  const auto said = escaped(key, draw.below(2) == 1);
  const auto padding = std::string(draw.below(260), 'x');
  static constexpr unsigned statuses[] = {200, 400, 401, 404, 429, 500, 503};
  const std::string bodies[] = {
      padding + key,
      "{\"error\":{\"message\":\"" + padding + said + "\"}}",
      "{\"error\":{\"message\":\"\",\"code\":\"" + padding + said + "\"}}",
      "{\"error\":\"" + padding + " " + said + "\"}",
      "{\"detail\":[{\"msg\":\"" + padding + said + "\"}]}",
      "{\"choices\":[{\"message\":{\"content\":null,\"refusal\":\"" + padding
          + said + "\"}}]}",
      "{\"choices\":[{\"message\":{\"content\":7,\"" + said + "\":1}}]}",
      "{\"choices\":[{}],\"usage\":{\"prompt_tokens\":\"" + said + "\"}}",
      "{\"x\":\"" + padding + said,
      "<html>" + key + "</html>",
      "{\"statusCode\":401,\"message\":\"" + said + "\"}",
      "\"" + padding + said + "\"",
  };
  peer_reply out;
  out.status = statuses[draw.below(std::size(statuses))];
  out.body = bodies[draw.below(std::size(bodies))];
  out.headers = {{"X-Echo", escaped(key, false)}};
  if (draw.below(6) == 0) {
    out.raw = "HTTP/1.1 " + key + "\r\n";
    out.ending = peer_ending::close;
  }
  return out;
}

} // namespace

TEST_CASE("no text of an error, an event or an answer holds a secret") {
  const auto seed = static_cast<std::uint64_t>(GENERATE(range(1, 6)));
  INFO("seed " << seed);
  rng draw{rng_key(seed, "secrets")};
  const auto key = random_key(draw);
  const auto team = random_key(draw);
  std::mutex mutex;
  std::string visible; // everything anybody is shown
  http_peer peer{[&](const peer_request&) {
    const std::lock_guard lock{mutex};
    return echo_key(draw, draw.below(2) == 0 ? key : team);
  }};
  auto options = provider_at(peer.url());
  options.api_key = secret{key};
  options.headers = {{"X-Team", secret{"Token " + team}}};
  options.retry.most_retries = 1;
  const auto client =
      client_of(options, {1, seed, [&](const call_event& event) {
                            const std::lock_guard lock{mutex};
                            visible += event.result.why.message + "\n";
                          }});
  std::size_t failed = 0;
  for (int i = 0; i < 60; ++i) {
    const auto got = ask(*client);
    const std::lock_guard lock{mutex};
    failed += !got.answer;
    visible += got.answer ? std::get<chat_reply>(got.answer->reply).content
                          : got.answer.error().message;
  }
  CHECK(failed > 30);
  CHECK(visible.find("[secret]") != std::string::npos);
  INFO(visible);
  CHECK_FALSE(leaks(visible, key));
  CHECK_FALSE(leaks(visible, team));
}

TEST_CASE("a model that repeats the key is not quoted") {
  http_peer peer{[](const peer_request& request) {
    return good_reply("The key is " + request.headers.at("authorization"));
  }};
  auto options = provider_at(peer.url());
  options.api_key = secret{"sk-very-secret-key"};
  const auto got = ask(*client_of(options));
  REQUIRE(got.answer);
  CHECK(std::get<chat_reply>(got.answer->reply).content
        == "The key is Bearer [secret]");
}

TEST_CASE("words of other headers, and stand-ins for a key, stay in answers") {
  http_peer peer{[](const peer_request&) {
    return good_reply("EMPTY is a brewery-title");
  }};
  auto options = provider_at(peer.url());
  options.api_key = secret{"EMPTY"};
  options.headers = {{"X-Title", secret{"brewery-title"}}};
  const auto got = ask(*client_of(options));
  REQUIRE(got.answer);
  CHECK(std::get<chat_reply>(got.answer->reply).content
        == "EMPTY is a brewery-title");
}

TEST_CASE("a key in the query of an address is in no error") {
  http_peer peer{[](const peer_request& request) {
    peer_reply out;
    out.status = 404;
    out.body = "no such path: " + request.target;
    return out;
  }};
  const auto got =
      ask(*client_of(provider_at(peer.url() + "/v1?key=hunter2hunter2")));
  REQUIRE_FALSE(got.answer);
  CHECK(got.answer.error().message.find("no such path: /v1/")
        != std::string::npos);
  CHECK_FALSE(leaks(got.answer.error().message, "hunter2hunter2"));
  const auto wrong = check(provider_at("htp://h/v1?key=hunter2hunter2"));
  REQUIRE_FALSE(wrong);
  CHECK_FALSE(leaks(wrong.error().message, "hunter2hunter2"));
}

TEST_CASE("a proxy's password is in no error") {
  for (const auto* url : {"http://127.0.0.1:1", "https://127.0.0.1:1"}) {
    http_peer proxy{[](const peer_request&) {
      peer_reply out;
      out.status = 407;
      out.body =
          "no entry for user:hunter2hunter2 dXNlcjpodW50ZXIyaHVudGVyMg==";
      return out;
    }};
    auto options = provider_at(url);
    options.proxy = secret{"http://user:hunter2hunter2@127.0.0.1:"
                           + std::to_string(proxy.port())};
    options.retry.most_retries = 0;
    const auto got = ask(*client_of(options));
    REQUIRE_FALSE(got.answer);
    INFO(got.answer.error().message);
    CHECK_FALSE(leaks(got.answer.error().message, "hunter2hunter2"));
    CHECK_FALSE(
        leaks(got.answer.error().message, "dXNlcjpodW50ZXIyaHVudGVyMg=="));
  }
}

TEST_CASE("a proxy that cannot be used is refused without its password") {
  for (const auto* text :
       {"ftp://user:hunter2hunter2@proxy:1", "http://user:hunter2hunter2@:1",
        "https://user:hunter2hunter2@proxy:1",
        "http://user:hunter2hunter2@proxy:99999",
        "user:hunter2hunter2@proxy"}) {
    auto options = provider_at("http://localhost:1");
    options.proxy = secret{text};
    const auto got = check(options);
    REQUIRE_FALSE(got);
    INFO(got.error().message);
    CHECK(got.error().message.starts_with("model server 'local': proxy"));
    CHECK_FALSE(leaks(got.error().message, "hunter2hunter2"));
  }
}

// -- where keys come from
// ---------------------------------------------------------

TEST_CASE("a key is read from the environment or a private file") {
  ::setenv("BREWERY_TEST_KEY", " sk-from-environment\n", 1);
  const auto from_environment = secret_from_environment("BREWERY_TEST_KEY");
  ::unsetenv("BREWERY_TEST_KEY");
  REQUIRE(from_environment);
  CHECK(from_environment->reveal() == "sk-from-environment");
  CHECK(secret_from_environment("BREWERY_TEST_KEY").error().code
        == ec::not_found);

  const scratch folder;
  const auto file = folder.path() / "key";
  REQUIRE(write_file_atomically(file, "sk-from-file\n"));
  std::filesystem::permissions(file, std::filesystem::perms::owner_read);
  REQUIRE(secret_from_file(file));
  CHECK(secret_from_file(file)->reveal() == "sk-from-file");
  CHECK(secret_from_file(folder.path() / "gone").error().code == ec::not_found);
}

TEST_CASE("a key file that others can read is refused") {
  const scratch folder;
  const auto file = folder.path() / "key";
  REQUIRE(write_file_atomically(file, "sk-from-file\n"));
  using perms = std::filesystem::perms;
  for (const auto more : {perms::group_read, perms::others_read}) {
    std::filesystem::permissions(file, perms::owner_read | more);
    const auto got = secret_from_file(file);
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ec::io);
    CHECK(got.error().message.find("chmod 600") != std::string::npos);
  }
}

TEST_CASE("a key that would break a header is refused without being shown") {
  const scratch folder;
  const auto file = folder.path() / "key";
  for (const auto* text : {"", "  \n", "sk-one-two\nInjected: yes",
                           "sk-one-two\x01three", "sk-one-tw\xc3\xb6"}) {
    REQUIRE(write_file_atomically(file, text));
    std::filesystem::permissions(file,
                                 std::filesystem::perms::owner_read
                                     | std::filesystem::perms::owner_write);
    const auto got = secret_from_file(file);
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ec::malformed);
    CHECK(got.error().message.find("sk-one") == std::string::npos);
  }
}
