/// Connections of a process that has no descriptors left.

#include "base/file.hpp"
#include "net/free_descriptors.hpp"
#include "tests/fixtures/text.hpp"
#include "tests/net/cluster_port.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace brewery;
using namespace brewery::test;

namespace {

/// Just so many more descriptors, as long as it lives.
class room_for {
public:
  explicit room_for(rlim_t more) {
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &before_) == 0);
    auto low = before_;
    std::vector<file_descriptor> taken; // the lowest numbers come first
    for (rlim_t i = 0; i <= more; ++i) {
      taken.emplace_back(::fcntl(0, F_DUPFD_CLOEXEC, 0));
      REQUIRE(taken.back());
      low.rlim_cur = static_cast<rlim_t>(taken.back().get());
    }
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &low) == 0);
  }
  room_for(const room_for&) = delete;
  room_for& operator=(const room_for&) = delete;
  ~room_for() { ::setrlimit(RLIMIT_NOFILE, &before_); }

private:
  rlimit before_{};
};

sockaddr_in where(const std::string& address) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(port_of(address));
  out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return out;
}

/// Reads until the other side hangs up.
bool is_hung_up_on(int socket) {
  char bytes[64];
  for (;;) {
    pollfd one{socket, POLLIN, 0};
    const auto longest = std::chrono::milliseconds{patience}.count();
    if (::poll(&one, 1, static_cast<int>(longest)) != 1) return false;
    if (::recv(socket, bytes, sizeof bytes, 0) <= 0) return true;
  }
}

} // namespace

TEST_CASE("a port that lacks any descriptor is refused, and opened with them") {
  for (rlim_t more = 0; more <= gateway_descriptors; ++more) {
    CAPTURE(more);
    const room_for few{more};
    gateway_options options;
    options.listen = "tcp://127.0.0.1:*";
    gateway_calls calls;
    calls.on_frame = [](const peer_name&, std::string_view, std::string) {};
    calls.on_gone = [](const peer_name&) {};
    const auto opened = gateway::start(options, calls);
    if (!opened) UNSCOPED_INFO(opened.error().message);
    REQUIRE(opened.has_value() == (more == gateway_descriptors));
    if (!opened) CHECK(contains(opened.error().message, "raise `ulimit -n`"));
  }
}

TEST_CASE("a connection that lacks any descriptor is refused, or opened") {
  port here;
  for (rlim_t more = 0; more <= dealer_descriptors; ++more) {
    CAPTURE(more);
    const room_for few{more};
    dealer_options options;
    options.connect = here.address();
    options.routing_id = "w";
    const auto opened = dealer::open(options);
    REQUIRE(opened.has_value() == (more == dealer_descriptors));
    if (!opened) CHECK(contains(opened.error().message, "raise `ulimit -n`"));
  }
}

TEST_CASE("without descriptors who is connected stays and callers are turned "
          "away") {
  port here;
  const auto known = connect(here.address(), "known");
  const auto answers = [&](const std::string& text) {
    send(*known, text);
    CHECK(here.next().frame == text);
    here.send("known", text);
    CHECK(receive(*known) == text);
  };
  answers("before");
  std::vector<file_descriptor> callers;
  for (int i = 0; i < 30; ++i)
    callers.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  {
    const room_for none{0};
    const auto at = where(here.address());
    for (const auto& caller : callers)
      REQUIRE(::connect(caller.get(), reinterpret_cast<const sockaddr*>(&at),
                        sizeof at)
              == 0);
    for (const auto& caller : callers) {
      REQUIRE(is_hung_up_on(caller.get()));
      answers("meanwhile");
    }
  }
  const auto fresh = connect(here.address(), "fresh");
  send(*fresh, "after");
  CHECK(here.next().frame == "after");
  answers("after");
}
