/// Which servers are trusted, straight and through a proxy.

#include "base/file.hpp"
#include "tests/fixtures/scratch.hpp"
#include "tests/llm/support.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

/// A server with this certificate, and a provider that trusts `authority`.
struct tls_case {
  tls_case(const certificate& shown, const certificate_authority& trusted)
      : peer([](const peer_request&) { return good_reply(); },
             {shown, false, false}),
        options(provider_at(peer.url())) {
    options.ca_file = trusted.write(folder.path());
    options.retry.most_retries = 2;
  }

  scratch folder;
  http_peer peer;
  provider options;
};

std::string refusal_of(const tls_case& one) {
  const auto got = ask(*client_of(one.options));
  REQUIRE_FALSE(got.answer);
  CHECK(got.answer.error().code == ec::io);
  CHECK(got.outcomes == std::vector{attempt_outcome::refused});
  CHECK(one.peer.requests().empty());
  return got.answer.error().message;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// Answers CONNECT with a tunnel to `port`; 407 without the right password.
peer_handler proxy_to(std::uint16_t port) {
  return [port](const peer_request& request) {
    peer_reply out;
    const auto key = request.headers.find("proxy-authorization");
    if (key == request.headers.end()
        || key->second != "Basic dXNlcjpwYXNzd29yZA==") {
      out.status = 407;
      return out;
    }
    out.raw = "HTTP/1.1 200 Connection established\r\n\r\n";
    out.tunnel_to = port;
    return out;
  };
}

} // namespace

TEST_CASE("a certificate of a trusted authority for this host is accepted") {
  const certificate_authority authority;
  tls_case one{authority.issue({"localhost"}), authority};
  const auto client = client_of(one.options);
  for (int i = 0; i < 5; ++i) {
    const auto got = ask(*client);
    INFO((got.answer ? "" : got.answer.error().message));
    REQUIRE(got.answer);
    CHECK(got.report.attempts == 1);
  }
  CHECK(one.peer.connections() == 1);
}

TEST_CASE("an address is accepted if the certificate names it") {
  const certificate_authority authority;
  tls_case good{authority.issue({"127.0.0.1"}), authority};
  good.options.base_url =
      "https://127.0.0.1:" + std::to_string(good.peer.port());
  CHECK(ask(*client_of(good.options)).answer);
  tls_case bad{authority.issue({"localhost"}), authority};
  bad.options.base_url = "https://127.0.0.1:" + std::to_string(bad.peer.port());
  CHECK(has(refusal_of(bad), "IP address mismatch"));
}

TEST_CASE("a certificate for another host is refused, without a retry") {
  const certificate_authority authority;
  CHECK(has(refusal_of({authority.issue({"elsewhere.example"}), authority}),
            "hostname mismatch"));
  // Not a wildcard over two levels, nor the name in the subject alone.
  CHECK(has(refusal_of({authority.issue({"*.localhost"}), authority}),
            "hostname mismatch"));
}

TEST_CASE("an expired certificate, or one not yet valid, is refused") {
  const certificate_authority authority;
  CHECK(
      has(refusal_of({authority.issue({"localhost"}, -7200, -3600), authority}),
          "expired"));
  CHECK(has(refusal_of({authority.issue({"localhost"}, 3600, 7200), authority}),
            "not yet valid"));
}

TEST_CASE("a certificate of another authority is refused") {
  const certificate_authority theirs;
  const certificate_authority ours;
  const auto why = refusal_of({theirs.issue({"localhost"}), ours});
  CHECK((has(why, "unable to get local issuer")
         || has(why, "certificate signature failure")));
  CHECK(has(why, "check base_url, and ca_file"));
}

TEST_CASE("the system's authorities do not vouch for ours") {
  const certificate_authority authority;
  tls_case one{authority.issue({"localhost"}), authority};
  one.options.ca_file.clear();
  refusal_of(one);
}

TEST_CASE("https at a server that speaks http is said at once") {
  http_peer peer{[](const peer_request&) { return good_reply(); }};
  const auto got = ask(*client_of(
      provider_at("https://localhost:" + std::to_string(peer.port()))));
  REQUIRE_FALSE(got.answer);
  CHECK(has(got.answer.error().message, "TLS handshake failed"));
  CHECK(got.report.maybe_charged == 0);
}

TEST_CASE("faults under TLS are what they are without") {
  const certificate_authority authority;
  const auto [ending, after] = GENERATE(
      std::pair{peer_ending::close, 0}, std::pair{peer_ending::reset, 0},
      std::pair{peer_ending::close, 100}, std::pair{peer_ending::reset, 100});
  scratch folder;
  std::atomic<int> served{0};
  http_peer peer{[&, end = ending, at = after](const peer_request&) {
                   auto out = good_reply();
                   if (++served > 1) return out;
                   out.ending = end;
                   out.stop_after = static_cast<std::size_t>(at);
                   return out;
                 },
                 {authority.issue({"localhost"}), false, false}};
  auto options = provider_at(peer.url());
  options.ca_file = authority.write(folder.path());
  const auto got = ask(*client_of(options));
  REQUIRE(got.answer);
  CHECK(got.outcomes
        == std::vector{attempt_outcome::maybe_processed,
                       attempt_outcome::answered});
}

TEST_CASE("https goes through a proxy in a tunnel, and is checked the same") {
  const certificate_authority authority;
  tls_case good{authority.issue({"localhost"}), authority};
  http_peer proxy{proxy_to(good.peer.port())};
  const auto through = [&](tls_case& one, const std::string& who) {
    one.options.proxy =
        secret{"http://" + who + "@127.0.0.1:" + std::to_string(proxy.port())};
  };
  through(good, "user:password");
  const auto client = client_of(good.options);
  for (int i = 0; i < 2; ++i) {
    const auto got = ask(*client);
    INFO((got.answer ? "" : got.answer.error().message));
    REQUIRE(got.answer);
  }
  CHECK(proxy.requests().size() == 1);
  CHECK(proxy.requests().at(0).method == "CONNECT");
  CHECK(proxy.requests().at(0).target
        == "localhost:" + std::to_string(good.peer.port()));
  // The server sees nothing that was meant for the proxy.
  CHECK(good.peer.requests().at(0).headers.count("proxy-authorization") == 0);
  CHECK(good.peer.requests().at(0).target == "/chat/completions");

  through(good, "user:wrong");
  const auto denied = ask(*client_of(good.options));
  REQUIRE_FALSE(denied.answer);
  CHECK(denied.answer.error().code == ec::unauthorized);
  CHECK(has(denied.answer.error().message, "HTTP 407"));

  tls_case other{authority.issue({"elsewhere.example"}), authority};
  http_peer second{proxy_to(other.peer.port())};
  other.options.proxy =
      secret{"http://user:password@127.0.0.1:" + std::to_string(second.port())};
  CHECK(has(refusal_of(other), "hostname mismatch"));
}

TEST_CASE("a ca_file that is missing or none is refused at the start") {
  scratch folder;
  auto options = provider_at("https://localhost:1");
  options.ca_file = folder.path() / "gone.pem";
  const auto missing = model_client::start({options});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ec::not_found);
  CHECK(has(missing.error().message, "model server 'local': ca_file"));
  options.ca_file = folder.path() / "empty.pem";
  REQUIRE(write_file_atomically(options.ca_file, "no certificate"));
  const auto empty = model_client::start({options});
  REQUIRE_FALSE(empty);
  CHECK(empty.error().code == ec::invalid_config);
}
