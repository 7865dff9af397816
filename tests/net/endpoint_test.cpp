#include "net/endpoint.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

TEST_CASE("an address is tcp with host and port, or ipc with a path") {
  for (const auto* good :
       {"tcp://127.0.0.1:7420", "tcp://*:7420", "tcp://host.example:1",
        "tcp://[::1]:65535", "tcp://127.0.0.1:*", "tcp://127.0.0.1:0",
        "ipc:///run/brewery.sock", "ipc://here"}) {
    INFO(good);
    CHECK(check_endpoint(good).has_value());
  }
  for (const auto* bad : {"",
                          "x",
                          "tcp://",
                          "tcp://:7420",
                          "tcp://host",
                          "tcp://host:",
                          "tcp://host:seven",
                          "tcp://host:65536",
                          "tcp://host:-1",
                          "tcp://host:74 20",
                          "tcp://host:7420/",
                          "tcp://host:99999999999",
                          "TCP://host:7420",
                          "udp://host:7420",
                          "inproc://x",
                          "ipc://",
                          "http://host:80",
                          "host:7420",
                          "tcp://::1:7420",
                          "tcp://[::1:7420",
                          "tcp://a b:1",
                          "tcp://a\nb:1"}) {
    INFO(bad);
    const auto got = check_endpoint(bad);
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ec::invalid_argument);
    CHECK(got.error().message.find("tcp://HOST:PORT") != std::string::npos);
    CHECK(got.error().message.find('\n') == std::string::npos);
  }
}

TEST_CASE("the path of a socket is no longer than the kernel allows") {
  const auto of = [](std::size_t length) {
    return check_endpoint("ipc://" + std::string(length, 'x'));
  };
  CHECK(of(100).has_value());
  REQUIRE_FALSE(of(101));
  CHECK(of(101).error().message.find("at most 100") != std::string::npos);
}

TEST_CASE("only what nobody outside can reach is local") {
  for (const auto* local :
       {"tcp://127.0.0.1:1", "tcp://127.9.8.7:1", "tcp://localhost:1",
        "tcp://[::1]:1", "ipc:///run/x"}) {
    INFO(local);
    CHECK(is_local_endpoint(local));
  }
  // The last ones only look like loopback: they are names of other machines.
  for (const auto* open :
       {"tcp://*:1", "tcp://0.0.0.0:1", "tcp://[::]:1", "tcp://10.0.0.1:1",
        "tcp://eth0:1", "tcp://localhost.example:1", "tcp://128.0.0.1:1",
        "tcp://127.example.org:1", "tcp://127.0.0.1.example.org:1", "", "x"}) {
    INFO(open);
    CHECK_FALSE(is_local_endpoint(open));
  }
}
