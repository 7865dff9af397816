#include "net/http_server.hpp"
#include "tests/net/http_client.hpp"

#include <catch2/catch.hpp>

#include <arpa/inet.h>
#include <atomic>
#include <fcntl.h>
#include <filesystem>
#include <future>
#include <netinet/in.h>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

using namespace brewery;
using namespace brewery::test;

namespace {

std::unique_ptr<http_server> start(http_options options = {}) {
  auto server = http_server::start(
      options,
      {{"/healthz",
        [](const http_request&) {
          return http_response{200, "text/plain", "ok\n"};
        }},
       {"/echo",
        [](const http_request& request) {
          return http_response{200, "text/x",
                               request.path + "|" + request.query};
        }},
       {"/busy",
        [](const http_request&) {
          return http_response{503, "text/plain", "no"};
        }},
       {"/tree/*",
        [](const http_request& request) {
          return http_response{200,
                               "text/x",
                               "all|" + request.path + "|" + request.host + "|"
                                   + request.authorization,
                               {{"X-Kind", "tree"}}};
        }},
       {"/tree/leaf/*",
        [](const http_request& request) {
          return http_response{200, "text/x", "leaf|" + request.path};
        }},
       {"/tree/one",
        [](const http_request&) {
          return http_response{200, "text/x", "one"};
        }},
       {"/origin",
        [](const http_request& request) {
          return http_response{200, "text/x",
                               request.origin + "|" + request.fetch_site};
        }},
       {"/throws", [](const http_request&) -> http_response {
          throw std::runtime_error("broken handler");
        }}});
  if (!server) FAIL(server.error().message);
  return std::move(*server);
}

std::string get(const http_server& server, const std::string& target,
                const std::string& method = "GET") {
  return client{server.port()}
      .send(method + " " + target
            + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      .read_all();
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\r'));
}

} // namespace

TEST_CASE("a path is answered by its handler, with the query apart") {
  const auto server = start();
  const auto answer = get(*server, "/healthz");
  CHECK(first_line(answer) == "HTTP/1.1 200 OK");
  CHECK(has(answer, "Content-Type: text/plain\r\n"));
  CHECK(has(answer, "Content-Length: 3\r\n"));
  CHECK(has(answer, "\r\n\r\nok\n"));
  CHECK(has(get(*server, "/echo?a=1&b"), "\r\n\r\n/echo|a=1&b"));
  CHECK(has(get(*server, "/echo?"), "\r\n\r\n/echo|"));
  CHECK(first_line(get(*server, "/busy"))
        == "HTTP/1.1 503 Service Unavailable");
}

TEST_CASE("the longest beginning of a path answers, an exact path before it") {
  const auto server = start();
  CHECK(has(get(*server, "/tree/"), "\r\n\r\nall|/tree/|x|"));
  CHECK(has(get(*server, "/tree/a/b?c"), "\r\n\r\nall|/tree/a/b|x|"));
  CHECK(has(get(*server, "/tree/leaf/a"), "\r\n\r\nleaf|/tree/leaf/a"));
  CHECK(has(get(*server, "/tree/leaf"), "\r\n\r\nall|/tree/leaf|"));
  CHECK(has(get(*server, "/tree/one"), "\r\n\r\none"));
  CHECK(has(get(*server, "/tree/a"), "X-Kind: tree\r\n"));
  CHECK(first_line(get(*server, "/tree")) == "HTTP/1.1 404 Not Found");
  // A client that asks for the pattern gets no handler's secrets by it.
  CHECK(has(get(*server, "/tree/*"), "\r\n\r\nall|/tree/*|x|"));
}

TEST_CASE("a header that decides is not taken from a request with two of it") {
  const auto server = start();
  const auto answer = client{server->port()}
                          .send("GET /tree/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n"
                                "Authorization: c\r\nConnection: close\r\n\r\n")
                          .read_all();
  CHECK(has(answer, "\r\n\r\nall|/tree/||c"));
}

TEST_CASE("a request with two origins has one that is nobody's, not none") {
  const auto server = start();
  const auto with = [&](const std::string& headers) {
    return client{server->port()}
        .send("GET /origin HTTP/1.1\r\nHost: x\r\n" + headers
              + "Connection: close\r\n\r\n")
        .read_all();
  };
  CHECK(has(with(""), "\r\n\r\n|"));
  CHECK(has(with("Origin: http://x\r\nSec-Fetch-Site: cross-site\r\n"),
            "\r\n\r\nhttp://x|cross-site"));
  CHECK(has(with("Origin: http://x\r\nOrigin: http://x\r\n"), "\r\n\r\nnull|"));
}

TEST_CASE("HEAD gets the headers of GET without its body") {
  const auto server = start();
  const auto answer = get(*server, "/healthz", "HEAD");
  CHECK(first_line(answer) == "HTTP/1.1 200 OK");
  CHECK(has(answer, "Content-Length: 3\r\n"));
  CHECK(answer.substr(answer.size() - 4) == "\r\n\r\n");
}

TEST_CASE("unknown paths and other methods are refused") {
  const auto server = start();
  CHECK(first_line(get(*server, "/")) == "HTTP/1.1 404 Not Found");
  CHECK(first_line(get(*server, "/healthz/")) == "HTTP/1.1 404 Not Found");
  const auto posted = get(*server, "/healthz", "POST");
  CHECK(first_line(posted) == "HTTP/1.1 405 Method Not Allowed");
  CHECK(has(posted, "Allow: GET, HEAD\r\n"));
  CHECK(first_line(get(*server, "/healthz", "BREW"))
        == "HTTP/1.1 405 Method Not Allowed");
}

TEST_CASE(
    "a handler that throws is an internal error, and the server goes on") {
  const auto server = start();
  const auto answer = get(*server, "/throws");
  CHECK(first_line(answer) == "HTTP/1.1 500 Internal Server Error");
  CHECK(has(answer, "error: broken handler"));
  CHECK(first_line(get(*server, "/healthz")) == "HTTP/1.1 200 OK");
}

TEST_CASE("one connection carries many requests, also sent at once") {
  const auto server = start();
  client one{server->port()};
  const std::string request = "GET /echo?q HTTP/1.1\r\nHost: x\r\n\r\n";
  for (int i = 0; i < 3; ++i)
    CHECK(has(one.send(request).read_until("/echo|q"), "200 OK"));
  one.send(request + request);
  CHECK(has(one.read_until("/echo|q"), "200 OK"));
  CHECK(has(one.read_until("/echo|q"), "200 OK"));
}

TEST_CASE("a request that is no HTTP is answered with 400 and closed") {
  const auto server = start();
  for (const std::string garbage :
       {"\x16\x03\x01\x02\x01 TLS hello\r\n\r\n", "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n"}) {
    const auto answer = client{server->port()}.send(garbage).read_all();
    INFO(garbage);
    CHECK(first_line(answer) == "HTTP/1.1 400 Bad Request");
    CHECK_FALSE(has(answer, "[no close]"));
  }
  CHECK(first_line(get(*server, "/healthz")) == "HTTP/1.1 200 OK");
}

TEST_CASE("too large a request is refused without being read") {
  const auto server = start();
  const auto long_header =
      client{server->port()}
          .send("GET / HTTP/1.1\r\nX: " + std::string(8200, 'x'))
          .read_all();
  CHECK(first_line(long_header)
        == "HTTP/1.1 431 Request Header Fields Too Large");
  const auto body = client{server->port()}
                        .send("GET /healthz HTTP/1.1\r\nHost: x\r\n"
                              "Content-Length: 4000000000\r\n\r\n")
                        .read_all();
  CHECK(first_line(body) == "HTTP/1.1 413 Payload Too Large");
}

TEST_CASE("a method that is refused is refused with a body, too") {
  const auto server = start();
  for (const std::string method : {"POST", "PUT", "DELETE"})
    for (const std::string body :
         {"Content-Length: 10\r\n\r\n0123456789",
          "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"}) {
      INFO(method << " " << body);
      const auto answer =
          client{server->port()}
              .send(method + " /healthz HTTP/1.1\r\nHost: x\r\n" + body)
              .read_all();
      CHECK(first_line(answer) == "HTTP/1.1 405 Method Not Allowed");
      CHECK(has(answer, "Connection: close\r\n"));
    }
}

TEST_CASE("an absolute target names the path and the host, not the header") {
  const auto server = start();
  CHECK(has(get(*server, "http://127.0.0.1:80/tree/a?b"),
            "\r\n\r\nall|/tree/a|127.0.0.1:80|"));
  CHECK(has(get(*server, "HTTP://[::1]:80/tree/http://x/"),
            "\r\n\r\nall|/tree/http://x/|[::1]:80|"));
  CHECK(has(get(*server, "http://evil.example/tree/"),
            "\r\n\r\nall|/tree/|evil.example|"));
  CHECK(has(get(*server, "http://x/echo?http://y/z"),
            "\r\n\r\n/echo|http://y/z"));
  CHECK(first_line(get(*server, "http://x")) == "HTTP/1.1 404 Not Found");
  CHECK(first_line(get(*server, "http://x?/echo")) == "HTTP/1.1 404 Not Found");
  CHECK(first_line(get(*server, "ftp://x/echo")) == "HTTP/1.1 404 Not Found");
}

TEST_CASE("an address to listen on has a port, and IPv6 may have brackets") {
  const auto read = [](std::string_view where) {
    const auto out = options_to_listen(where);
    return out ? out->address + " " + std::to_string(out->port) : "none";
  };
  CHECK(read("127.0.0.1:9464") == "127.0.0.1 9464");
  CHECK(read("[::1]:0") == "::1 0");
  CHECK(read("::1:9464") == "::1 9464");
  for (const char* bad : {"", "9464", ":9464", "[]:9464", "[::1]", "127.0.0.1:",
                          "127.0.0.1:94640", "127.0.0.1:-1", "127.0.0.1:9 "})
    CHECK(read(bad) == "none");
}

TEST_CASE("a client that never finishes its request is dropped") {
  http_options options;
  options.idle_timeout = std::chrono::milliseconds{50};
  const auto server = start(options);
  CHECK(client{server->port()}.send("GET /healthz HT").read_all().empty());
  CHECK(client{server->port()}.read_all().empty());
}

TEST_CASE("a client that asks takes the place of one that is silent") {
  http_options options;
  options.connections_max = 2;
  const auto server = start(options);
  const std::string request = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
  client first{server->port()};
  client second{server->port()};
  CHECK(has(first.send(request).read_until("ok\n"), "200 OK"));
  CHECK(has(second.send(request).read_until("ok\n"), "200 OK"));
  CHECK(has(client{server->port()}.send(request).read_until("ok\n"), "200 OK"));
  CHECK(first.read_all().empty()); // silent for longest
}

TEST_CASE("a hundred clients that say nothing shut out no probe") {
  const auto server = start();
  std::vector<std::unique_ptr<client>> silent;
  for (int i = 0; i < 100; ++i) {
    silent.push_back(std::make_unique<client>(server->port()));
    silent.back()->send("GET /hea");
  }
  for (int i = 0; i < 20; ++i) {
    client probe{server->port()};
    probe.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK(has(probe.read_until("ok\n"), "200 OK"));
  }
}

TEST_CASE("clients that take no answer shut out no probe") {
  // More than the kernel holds for a connection.
  const std::string large(std::size_t{32} << 20, 'x');
  http_options options;
  options.connections_max = 3;
  const auto server = http_server::start(
      options, {{"/large",
                 [&](const http_request&) {
                   return http_response{200, "text/x", large};
                 }},
                {"/healthz", [](const http_request&) {
                   return http_response{200, "text/x", "ok\n"};
                 }}});
  REQUIRE(server);
  std::vector<std::unique_ptr<client>> greedy;
  for (int i = 0; i < 3; ++i) {
    greedy.push_back(std::make_unique<client>((*server)->port()));
    greedy.back()->send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK(has(greedy.back()->read_until("xx"), "200 OK"));
  }
  for (int i = 0; i < 5; ++i) {
    client probe{(*server)->port()};
    probe.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK(has(probe.read_until("ok\n"), "200 OK"));
  }
}

TEST_CASE("the server stops at once with clients connected") {
  auto server = start();
  client idle{server->port()};
  client half{server->port()};
  half.send("GET /heal");
  client served{server->port()};
  CHECK(has(served.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
                .read_until("ok\n"),
            "200 OK"));
  const auto port = server->port();
  server.reset();
  CHECK(idle.read_all().empty());
  CHECK(half.read_all().empty());
  CHECK(served.read_all().empty());
  CHECK_FALSE(client{port}.connected());
}

TEST_CASE("stopping waits for a handler that is at work") {
  std::promise<void> entered;
  std::promise<void> release;
  std::atomic<bool> finished{false};
  auto server = http_server::start({}, {{"/", [&](const http_request&) {
                                           entered.set_value();
                                           release.get_future().wait();
                                           finished = true;
                                           return http_response{};
                                         }}});
  REQUIRE(server);
  client waiting{(*server)->port()};
  waiting.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  entered.get_future().wait();
  auto stopping = std::async(std::launch::async, [&] { server->reset(); });
  release.set_value();
  stopping.wait();
  CHECK(finished);
}

TEST_CASE("a port in use is one clear line") {
  const auto server = start();
  http_options options;
  options.port = server->port();
  const auto second = http_server::start(options, {});
  REQUIRE_FALSE(second);
  CHECK(second.error().code == ec::in_use);
  CHECK(second.error().message
        == "http server: cannot listen on 127.0.0.1 port "
               + std::to_string(server->port())
               + ": Address already in use; choose another port, or 0 for any "
                 "free one");
}

TEST_CASE("an address that is none, or not ours, is one clear line") {
  http_options options;
  options.address = "localhost:80";
  const auto named = http_server::start(options, {});
  REQUIRE_FALSE(named);
  CHECK(named.error().code == ec::invalid_argument);
  CHECK(has(named.error().message, "'localhost:80' is not an IP address"));
  options.address = "203.0.113.7";
  const auto foreign = http_server::start(options, {});
  REQUIRE_FALSE(foreign);
  CHECK(foreign.error().code == ec::io);
  CHECK(has(foreign.error().message, "cannot listen on 203.0.113.7"));
}

TEST_CASE("no descriptor of the server is inherited by child processes") {
  const auto server = start();
  client one{server->port()};
  one.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").read_until("ok\n");
  int sockets = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator{"/proc/self/fd"}) {
    const int fd = std::stoi(entry.path().filename().string());
    int type = 0;
    socklen_t size = sizeof type;
    if (::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0) continue;
    sockaddr_in local{};
    socklen_t length = sizeof local;
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&local), &length);
    if (local.sin_family != AF_INET || ntohs(local.sin_port) != server->port())
      continue;
    ++sockets;
    CHECK((::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
  }
  CHECK(sockets == 2);
}
