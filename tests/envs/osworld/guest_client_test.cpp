#include "envs/osworld/guest/guest_client.hpp"
#include "envs/osworld/guest/png.hpp"
#include "tests/envs/osworld/fake_guest.hpp"

#include <catch2/catch.hpp>

#include <atomic>

using namespace brewery;
using namespace brewery::osworld;
using namespace std::chrono_literals;

namespace {

/// Short deadlines, for guests that hang.
guest_limits hasty() {
  guest_limits out;
  out.screenshot = out.accessibility = out.execute = out.file = 400ms;
  out.open = out.other = out.upload = out.terminal = 400ms;
  out.pause = 1ms;
  return out;
}

guest_limits patient() {
  guest_limits out;
  out.pause = 1ms;
  return out;
}

} // namespace

TEST_CASE("osworld: a PNG is checked to its end") {
  const auto whole = small_png();
  const auto size = check_png(whole);
  REQUIRE(size);
  CHECK(size->width_px == 1);
  CHECK(size->height_px == 1);
  for (std::size_t cut = 0; cut < whole.size(); ++cut)
    CHECK_FALSE(check_png(whole.substr(0, cut)));
  auto damaged = whole;
  damaged[damaged.size() - 20] ^= 1;
  CHECK_FALSE(check_png(damaged));
}

TEST_CASE("osworld: a screenshot that is cut off is taken again") {
  std::atomic<int> cut = 2;
  fake_guest guest{[&](const peer_request& asked) -> std::optional<peer_reply> {
    if (asked.target != "/screenshot" || cut-- <= 0) return {};
    return fake_guest::words(200, small_png().substr(0, 40));
  }};
  guest_client client{guest.address(), patient()};
  const auto shown = client.screenshot();
  REQUIRE(shown);
  CHECK(shown->png == small_png());
  CHECK(guest.asked("/screenshot") == 3);
  cut = 100;
  const auto none = client.screenshot();
  REQUIRE_FALSE(none);
  CHECK(none.error().code == ec::environment);
  CHECK(none.error().message.find("not a whole PNG") != std::string::npos);
}

TEST_CASE("osworld: what may have run is never repeated") {
  const auto how =
      GENERATE(as<std::string>{}, "html", "closed", "cut", "hangs");
  fake_guest guest{[&](const peer_request& asked) -> std::optional<peer_reply> {
    if (asked.target != "/execute") return {};
    auto out = fake_guest::words(500, "<h1>Internal Server Error</h1>");
    if (how != "html") out.status = 200;
    if (how == "closed") out.stop_after = 0, out.ending = peer_ending::close;
    if (how == "cut") out.stop_after = 60, out.ending = peer_ending::close;
    if (how == "hangs") out.stop_after = 0, out.ending = peer_ending::silence;
    return out;
  }};
  guest_client client{guest.address(), hasty()};
  const auto done = client.execute("touch once", true);
  INFO(how);
  REQUIRE_FALSE(done);
  CHECK(done.error().code == ec::environment);
  CHECK(done.error().message.find("not repeated") != std::string::npos);
  CHECK(guest.asked("/execute") == 1);
}

TEST_CASE("osworld: a server that is away is an error of the environment") {
  guest_address nowhere;
  {
    const fake_guest gone;
    nowhere = gone.address();
  }
  guest_client client{nowhere, hasty()};
  const auto done = client.execute("true", true);
  REQUIRE_FALSE(done);
  CHECK(done.error().code == ec::environment);
}

TEST_CASE("osworld: the server's own report of a command is no breakage") {
  fake_guest guest{[](const peer_request& asked) -> std::optional<peer_reply> {
    if (asked.target != "/execute") return {};
    return fake_guest::words(
        500, R"({"status": "error", "message": "no such program"})");
  }};
  guest_client client{guest.address(), patient()};
  const auto done = client.execute({"nope"}, false);
  REQUIRE(done);
  CHECK(done->refused == "no such program");
  CHECK(guest.asked("/execute") == 1);
}

TEST_CASE("osworld: an accessibility tree that hangs has a deadline") {
  fake_guest guest{[](const peer_request& asked) -> std::optional<peer_reply> {
    if (asked.target != "/accessibility") return {};
    peer_reply out;
    out.stop_after = 0;
    out.ending = peer_ending::silence;
    return out;
  }};
  guest_client client{guest.address(), hasty()};
  const auto tree = client.accessibility();
  REQUIRE_FALSE(tree);
  CHECK(tree.error().message.find("within 400 ms") != std::string::npos);
  // A request that ran into its deadline is not asked twice.
  CHECK(guest.asked("/accessibility") == 1);
}

TEST_CASE("osworld: a file comes whole, slowly, or not at all") {
  fake_guest guest{[](const peer_request& asked) -> std::optional<peer_reply> {
    if (asked.target != "/file" || asked.body != "file_path=slow") return {};
    auto out = fake_guest::words(200, "slow but whole");
    out.drip_bytes = 5;
    out.drip_pause = 5ms;
    return out;
  }};
  guest.put("/home/user/a b.txt", "hello");
  guest_client client{guest.address(), patient()};
  const auto slow = client.file("slow");
  REQUIRE(slow);
  CHECK(**slow == "slow but whole");
  const auto none = client.file("/nowhere");
  REQUIRE(none);
  CHECK_FALSE(*none);
}

TEST_CASE("osworld: the token is sent and never shown") {
  fake_guest guest;
  auto at = guest.address();
  at.token = secret{"very-secret-token"};
  guest_client client{at, patient()};
  REQUIRE(client.screenshot());
  CHECK(guest.requests().front().headers.at("authorization")
        == "Bearer very-secret-token");
  const auto failed = client.list_directory("/x");
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message.find("very-secret") == std::string::npos);
}

TEST_CASE("osworld: a file is uploaded") {
  fake_guest guest;
  guest_client client{guest.address(), patient()};
  REQUIRE(client.upload("/home/user/x.bin", "a\nb"));
  CHECK(guest.file("/home/user/x.bin") == "a\nb");
}
