/// Where figures are served, and what is no address.

#include "run/metrics_endpoint.hpp"

#include <catch2/catch.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace brewery;
using Catch::Contains;

namespace {

/// The whole response; the server closes after it.
std::string fetched(std::uint16_t port, const std::string& path) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(::connect(socket, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0);
  const timeval limit{30, 0}; // a server that hangs fails the test
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  const auto request =
      "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  REQUIRE(::send(socket, request.data(), request.size(), MSG_NOSIGNAL)
          == static_cast<ssize_t>(request.size()));
  std::string out;
  char block[4096];
  for (;;) {
    const auto count = ::recv(socket, block, sizeof block, 0);
    if (count <= 0) break;
    out.append(block, static_cast<std::size_t>(count));
  }
  ::close(socket);
  return out;
}

/// A worker that has not begun.
struct idle_worker {
  worker_process process{[] {
    worker_process_inputs in;
    in.profile.slots = 3;
    return in;
  }()};
  std::shared_ptr<process_metrics> metrics =
      std::make_shared<process_metrics>();
};

} // namespace

TEST_CASE("without an address nothing is served") {
  const idle_worker worker;
  const auto none = serve_worker("", worker.process, worker.metrics);
  REQUIRE(none);
  CHECK_FALSE(*none);
}

TEST_CASE("what is no host and port is refused with an example") {
  const idle_worker worker;
  for (const auto* text : {"9464", ":9464", "127.0.0.1:", "127.0.0.1:x",
                           "127.0.0.1:94640", "127.0.0.1:-1", "127.0.0.1:9 "}) {
    INFO(text);
    const auto refused = serve_worker(text, worker.process, worker.metrics);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ec::invalid_config);
    CHECK_THAT(refused.error().message,
               Contains(text) && Contains("127.0.0.1:9464"));
  }
}

TEST_CASE("an address of IPv6 is taken in brackets") {
  const auto served = can_serve("[::1]:0");
  // Else it is malformed; a machine may have no IPv6.
  CHECK((served || served.error().code == ec::io));
}

TEST_CASE("a worker serves its figures and says what it waits for") {
  const idle_worker worker;
  const auto server =
      serve_worker("127.0.0.1:0", worker.process, worker.metrics);
  REQUIRE(server);
  const auto port = (*server)->port();
  CHECK_THAT(fetched(port, "/metrics"), Contains("200 OK"));
  CHECK_THAT(fetched(port, "/readyz"),
             Contains("503") && Contains("no coordinator can be reached"));
  CHECK_THAT(fetched(port, "/nothing"), Contains("404"));
}

TEST_CASE("a process that waits for its start is alive and says for what") {
  const auto metrics = std::make_shared<process_metrics>();
  metrics->set_journal_stuck({}, true);
  const auto server = serve_waiting("127.0.0.1:0", metrics, "waiting for luck");
  REQUIRE(server);
  const auto port = (*server)->port();
  CHECK_THAT(fetched(port, "/healthz"), Contains("200 OK"));
  CHECK_THAT(fetched(port, "/readyz"),
             Contains("503") && Contains("waiting for luck"));
  CHECK_THAT(fetched(port, "/metrics"), Contains("brewery_journal_stuck 1"));
}
