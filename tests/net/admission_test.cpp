/// Who is let in: CURVE, the allow-list, and keys that change while peers run.

#include "tests/net/cluster_port.hpp"
#include "tests/net/http_client.hpp"

#include <arpa/inet.h>
#include <fstream>
#include <sys/socket.h>
#include <unistd.h>

using namespace brewery;
using namespace brewery::test;
using std::chrono::milliseconds;

namespace {

namespace fs = std::filesystem;

/// Long enough for a handshake on loopback, many times over.
constexpr milliseconds while_nothing_comes{700};

dealer_options as(const port& here, const key_ring& ring,
                  const std::string& key) {
  return options_of(here.address(), key, ring.pair(key),
                    ring.keys.public_file("coordinator"));
}

/// `bad` does what it can; `good` must be served all the while.
void gets_nothing(port& here, const key_ring& ring, dealer& bad) {
  const auto good = connect(as(here, ring, "w"));
  CHECK_FALSE(wait_until(
      bad, [&] { return bad.send("let me in"); }, while_nothing_comes));
  send(*good, "good");
  CHECK(here.next().frame == "good");
  here.send("w", "answer");
  CHECK(receive(*good) == "answer");
  here.send("eve", "secret");
  CHECK(here.is_told_gone("eve"));
  CHECK_FALSE(bad.receive());
  CHECK_FALSE(here.has_frame());
}

/// What a peer of ZMTP 3.0 with the mechanism NULL sends first: 64 bytes.
std::string plain_greeting() {
  std::string out(64, '\0');
  out[0] = '\xff';
  out[9] = '\x7f';
  out[10] = 3;
  out.replace(12, 4, "NULL");
  return out;
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream{file, std::ios::binary} << text;
}

/// Hangs up on everybody who connects, and notes when they came.
class turnstile {
public:
  using moment = std::chrono::steady_clock::time_point;

  turnstile() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* plain = reinterpret_cast<sockaddr*>(&address_);
    socklen_t size = sizeof address_;
    REQUIRE(::bind(socket_, plain, size) == 0);
    REQUIRE(::listen(socket_, 8) == 0);
    REQUIRE(::getsockname(socket_, plain, &size) == 0);
    thread_ = std::thread{[this] {
      for (;;) {
        const int visitor = ::accept(socket_, nullptr, nullptr);
        if (visitor < 0) return;
        {
          const std::lock_guard lock{mutex_};
          visits_.push_back(moment::clock::now());
        }
        ::close(visitor);
      }
    }};
  }
  ~turnstile() {
    ::shutdown(socket_, SHUT_RDWR);
    thread_.join();
    ::close(socket_);
  }
  std::string address() const {
    return "tcp://127.0.0.1:" + std::to_string(ntohs(address_.sin_port));
  }
  std::vector<moment> visits() {
    const std::lock_guard lock{mutex_};
    return visits_;
  }

private:
  int socket_;
  sockaddr_in address_{};
  std::mutex mutex_;
  std::vector<moment> visits_;
  std::thread thread_;
};

} // namespace

TEST_CASE("a peer whose key is allowed is served and known by its key") {
  const key_ring ring;
  port here{"tcp://127.0.0.1:*", &ring};
  const auto wire = connect(as(here, ring, "w"));
  send(*wire, "hello");
  const auto got = here.next();
  CHECK(got.frame == "hello");
  CHECK(got.key == ring.pair("w").public_key);
  here.send("w", "answer");
  CHECK(receive(*wire) == "answer");
  CHECK_FALSE(wire->refused());
}

TEST_CASE("a peer without encryption gets nothing") {
  const key_ring ring;
  port here{"tcp://127.0.0.1:*", &ring};
  const auto bad = connect(here.address(), "eve");
  gets_nothing(here, ring, *bad);
}

// A dealer of libzmq may hang up first: it sees the mismatch as soon as the
// gateway does, and then there is no greeting to read.
TEST_CASE("whoever greets without encryption is reported and hung up on") {
  const key_ring ring;
  port here{"tcp://127.0.0.1:*", &ring};
  client bad{port_of(here.address())};
  REQUIRE(bad.connected());
  bad.send(plain_greeting());
  CHECK_FALSE(has(bad.read_all(), "[no close]"));
  CHECK(here.is_told_of_plaintext());
}

TEST_CASE("only who comes without encryption is reported for it") {
  const key_ring ring;
  port here{"tcp://127.0.0.1:*", &ring};
  const auto own = make_curve_pair();
  const auto bad = connect(options_of(here.address(), "eve", own,
                                      ring.keys.public_file("coordinator")));
  gets_nothing(here, ring, *bad);
  CHECK(here.times_plaintext() == 0);
}

TEST_CASE("where there are no keys nobody is reported for having none") {
  const key_ring ring;
  port here;
  const auto open = connect(here.address(), "w");
  const auto closed = connect(options_of(here.address(), "k", ring.pair("w"),
                                         ring.keys.public_file("coordinator")));
  CHECK_FALSE(wait_until(
      *closed, [&] { return closed->send("x"); }, while_nothing_comes));
  send(*open, "hello");
  CHECK(here.next().frame == "hello");
  CHECK(here.times_plaintext() == 0);
}

TEST_CASE("a peer that takes another for the coordinator gets nothing") {
  const key_ring ring;
  port here{"tcp://127.0.0.1:*", &ring};
  const auto wrong = ring.folder.path() / "wrong.pub";
  write(wrong, make_curve_pair().public_key);
  const auto bad =
      connect(options_of(here.address(), "eve", ring.pair("w"), wrong));
  gets_nothing(here, ring, *bad);
  CHECK_FALSE(bad->refused()); // it may be another coordinator's turn
}

TEST_CASE("a peer whose key is on no list is refused and knows it") {
  const key_ring ring;
  port here{"tcp://127.0.0.1:*", &ring};
  const auto own = make_curve_pair();
  const auto bad = connect(options_of(here.address(), "eve", own,
                                      ring.keys.public_file("coordinator")));
  gets_nothing(here, ring, *bad);
  CHECK(wait_until(*bad, [&] { return bad->refused(); }));
  const auto refused = here.refused_keys();
  REQUIRE_FALSE(refused.empty());
  CHECK(refused.front() == own.public_key);
}

TEST_CASE("the coordinator's own key lets nobody in") {
  const key_ring ring;
  port here{"tcp://127.0.0.1:*", &ring};
  const auto bad =
      connect(options_of(here.address(), "eve", ring.pair("coordinator"),
                         ring.keys.public_file("coordinator")));
  gets_nothing(here, ring, *bad);
  CHECK(wait_until(*bad, [&] { return bad->refused(); }));
}

TEST_CASE("a stolen public key without its secret gets nothing") {
  const key_ring ring;
  port here{"tcp://127.0.0.1:*", &ring};
  const curve_pair mixed{ring.pair("w").public_key,
                         make_curve_pair().secret_key};
  const auto bad = connect(options_of(here.address(), "eve", mixed,
                                      ring.keys.public_file("coordinator")));
  gets_nothing(here, ring, *bad);
}

TEST_CASE("a revoked key is refused at the next connection") {
  const key_ring ring;
  REQUIRE(ring.keys.create("old", peer_kind::worker));
  port here{"tcp://127.0.0.1:*", &ring};
  const auto wire = connect(as(here, ring, "old"));
  send(*wire, "hello");
  here.next();
  REQUIRE(ring.keys.revoke("old"));
  REQUIRE(wire->reconnect());
  CHECK(wait_until(*wire, [&] { return wire->refused(); }));
  CHECK_FALSE(wire->send("x"));
}

TEST_CASE("a key that is allowed while the coordinator runs is let in") {
  const key_ring ring;
  port here{"tcp://127.0.0.1:*", &ring};
  REQUIRE(ring.keys.create("late", peer_kind::worker));
  const auto wire = connect(as(here, ring, "late"));
  send(*wire, "hello");
  CHECK(here.next().key == ring.pair("late").public_key);
}

TEST_CASE("a refusal is of the key it was for, not of the next one") {
  const key_ring ring;
  port here{"tcp://127.0.0.1:*", &ring};
  REQUIRE(ring.keys.create("late", peer_kind::worker));
  const auto allowed = ring.folder.path() / "allowed" / "late.pub";
  const auto aside = ring.folder.path() / "late.aside";
  fs::rename(allowed, aside);
  const auto wire = connect(as(here, ring, "late"));
  REQUIRE(wait_until(*wire, [&] { return wire->refused(); }));
  fs::rename(aside, allowed);
  REQUIRE(wire->reconnect());
  send(*wire, "hello");
  CHECK(here.next().frame == "hello");
  CHECK_FALSE(wire->refused());
}

TEST_CASE("a dealer with keys never connects in plaintext") {
  const key_ring ring;
  const auto server = ring.folder.path() / "server.pub";
  fs::copy_file(ring.keys.public_file("coordinator"), server);
  // It is bound twice: no other test may get its number in between.
  auto here = std::make_unique<port>("tcp://127.0.0.3:*", &ring);
  const auto address = here->address();
  const auto wire =
      connect(options_of(address, "eve", make_curve_pair(), server));
  REQUIRE(wait_until(*wire, [&] { return wire->refused(); }));
  fs::remove(server);
  CHECK_FALSE(wire->reconnect());
  here.reset();
  here = std::make_unique<port>(address);
  CHECK_FALSE(wait_until(
      *wire, [&] { return wire->send("in the clear"); }, while_nothing_comes));
  CHECK_FALSE(here->has_frame());
}

TEST_CASE("one broken file among the allowed shuts out nobody else") {
  const key_ring ring;
  port here{"tcp://127.0.0.1:*", &ring};
  for (const std::string text : {"worker cut-off", "queen x", ""}) {
    INFO(text);
    write(ring.folder.path() / "allowed" / "a.pub", text);
    const auto wire = connect(as(here, ring, "w"));
    send(*wire, "hello");
    CHECK(here.next().frame == "hello");
  }
}

TEST_CASE("who may be in the file that cannot be read is not sent away") {
  // A worker that is refused for good ends; while somebody edits the list, or
  // no more files can be opened, it has to go on trying.
  const key_ring ring;
  port here{"tcp://127.0.0.1:*", &ring};
  const auto file = ring.folder.path() / "allowed" / "w.pub";
  const auto whole = "worker " + ring.pair("w").public_key + "\n";
  write(file, whole.substr(0, 20));
  const auto wire = connect(as(here, ring, "w"));
  CHECK_FALSE(wait_until(
      *wire, [&] { return wire->refused() || wire->send("too early"); },
      while_nothing_comes));
  write(file, whole);
  send(*wire, "hello");
  CHECK(here.next().frame == "hello");
}

TEST_CASE("a list of keys that is not there sends nobody away") {
  // A folder that is being replaced, or not mounted yet: every worker of the
  // cluster would end.
  const key_ring ring;
  port here{"tcp://127.0.0.1:*", &ring};
  const auto allowed = ring.folder.path() / "allowed";
  const auto aside = ring.folder.path() / "aside";
  const bool empty = GENERATE(false, true);
  INFO("an empty folder is there: " << empty);
  fs::rename(allowed, aside);
  if (empty) fs::create_directory(allowed);
  const auto wire = connect(as(here, ring, "w"));
  CHECK_FALSE(wait_until(
      *wire, [&] { return wire->refused() || wire->send("too early"); },
      while_nothing_comes));
  CHECK(here.times_unjudged() > 0);
  fs::remove(allowed);
  fs::rename(aside, allowed);
  send(*wire, "hello");
  CHECK(here.next().frame == "hello");
}

TEST_CASE("a key that is unknown may become known, a revoked one does not") {
  const key_ring ring;
  REQUIRE(ring.keys.create("old", peer_kind::worker));
  port here{"tcp://127.0.0.1:*", &ring};
  REQUIRE(ring.keys.revoke("old"));
  const auto revoked = connect(as(here, ring, "old"));
  REQUIRE(wait_until(*revoked, [&] { return revoked->refused(); }));
  CHECK(revoked->revoked());
  const auto unknown =
      connect(options_of(here.address(), "eve", make_curve_pair(),
                         ring.keys.public_file("coordinator")));
  REQUIRE(wait_until(*unknown, [&] { return unknown->refused(); }));
  CHECK_FALSE(unknown->revoked());
}

TEST_CASE("a peer that is turned away asks less and less often") {
  const key_ring ring;
  turnstile door; // hangs up on everybody
  const auto wire = connect(options_of(door.address(), "w", ring.pair("w"),
                                       ring.keys.public_file("coordinator")));
  REQUIRE(wait_until(*wire, [&] { return door.visits().size() >= 6; }));
  const auto visits = door.visits();
  // A busy machine makes pauses longer, never shorter.
  CHECK(visits[5] - visits[4] >= milliseconds{1000});
}

TEST_CASE("the coordinator's key changes while peers know both") {
  const key_ring ring;
  REQUIRE(ring.keys.create("next", peer_kind::coordinator));
  const auto both = ring.folder.path() / "both.pub";
  write(both, "coordinator " + ring.pair("coordinator").public_key
                  + "\ncoordinator " + ring.pair("next").public_key + "\n");
  // It is bound twice: no other test may get its number in between.
  auto here = std::make_unique<port>("tcp://127.0.0.2:*", &ring);
  const auto address = here->address();
  const auto wire = connect(options_of(address, "w", ring.pair("w"), both));
  send(*wire, "to the old one");
  CHECK(here->next().frame == "to the old one");
  here.reset();
  // The break is noticed before there is another.
  REQUIRE(wait_until(*wire, [&] { return !wire->send("between"); }));
  here = std::make_unique<port>(address, &ring, "next");
  CHECK_FALSE(wait_until(
      *wire, [&] { return wire->send("x"); }, while_nothing_comes));
  REQUIRE(wire->reconnect());
  send(*wire, "to the new one");
  CHECK(here->next().frame == "to the new one");
}

TEST_CASE("keys of the coordinator are read again for each connection") {
  const key_ring ring;
  port here{"tcp://127.0.0.1:*", &ring};
  const auto file = ring.folder.path() / "servers.pub";
  write(file, make_curve_pair().public_key);
  const auto wire =
      connect(options_of(here.address(), "w", ring.pair("w"), file));
  write(file, ring.pair("coordinator").public_key);
  REQUIRE(wire->reconnect());
  send(*wire, "hello");
  CHECK(here.next().frame == "hello");
  // A file that is broken for a moment breaks nothing that works.
  write(file, "nonsense");
  CHECK_FALSE(wire->reconnect());
  write(file, ring.pair("coordinator").public_key);
  REQUIRE(wire->reconnect());
  send(*wire, "again");
  CHECK(here.next().frame == "again");
}
