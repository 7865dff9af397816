#include "envs/osworld/desktops/desktop_pool.hpp"
#include "envs/osworld/desktops/docker_engine.hpp"
#include "envs/osworld/desktops/docker_provider.hpp"
#include "envs/osworld/desktops/static_provider.hpp"
#include "envs/osworld/guest/guest_client.hpp"
#include "messages/json.hpp"
#include "tests/envs/osworld/fake_docker.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sys/mman.h>
#include <unistd.h>

using namespace brewery;
using namespace brewery::osworld;
using namespace std::chrono_literals;

namespace {

struct docker_place {
  fake_docker daemon;
  docker_options options;

  docker_place() {
    options.socket = daemon.socket();
    options.disk = daemon.directory() / "Ubuntu.qcow2";
    std::ofstream{options.disk} << "disk";
    options.call_timeout = 10s;
  }
};

static_desktop machine(std::uint16_t port, std::string script) {
  static_desktop out;
  out.address.host = "192.0.2.1";
  out.address.server_port = port;
  out.reset = {"/bin/sh", "-c", std::move(script)};
  return out;
}

} // namespace

TEST_CASE("docker: a container as the official runner starts it") {
  docker_place at;
  const auto provider = make_docker_provider(at.options);
  REQUIRE(provider);
  const auto made = (*provider)->start();
  REQUIRE(made);
  CHECK(made->address.host == "127.0.0.1");
  CHECK(made->address.server_port == 41000);
  CHECK(made->address.chromium_port == 41001);
  CHECK(made->address.vlc_port == 41002);
  const auto asked = at.daemon.created();
  REQUIRE(asked.size() == 1);
  const auto& host = asked[0]["HostConfig"];
  CHECK(asked[0]["Image"] == "happysixd/osworld-docker");
  CHECK(host["Binds"][0] == at.options.disk.string() + ":/System.qcow2:ro");
  CHECK(host["CapAdd"] == json{"NET_ADMIN"});
  CHECK(host["PortBindings"]["5000/tcp"][0]
        == json{{"HostIp", "127.0.0.1"}, {"HostPort", ""}});
  CHECK((*provider)->ended(*made).empty());
}

TEST_CASE("docker: a reset is another container, and none is left") {
  docker_place at;
  const auto provider = make_docker_provider(at.options);
  REQUIRE(provider);
  auto made = (*provider)->start();
  REQUIRE(made);
  const auto before = made->id;
  REQUIRE((*provider)->reset(*made));
  CHECK(made->id != before);
  CHECK(at.daemon.running() == 1);
  (*provider)->stop(*made);
  CHECK(at.daemon.running() == 0);
  CHECK_FALSE((*provider)->ended(*made).empty());
}

TEST_CASE("docker: containers of processes that have ended are removed") {
  docker_place at;
  at.daemon.add("abandoned", "999999999:1");
  at.daemon.add("reused", std::to_string(::getpid()) + ":1");
  {
    const auto own = make_docker_provider(at.options);
    REQUIRE(own);
    CHECK(at.daemon.running() == 0);
    REQUIRE((*own)->start());
  }
  // What a living process changes all the time does not tell it from another.
  constexpr std::size_t room_bytes = 64UL << 20;
  auto* const room = ::mmap(nullptr, room_bytes, PROT_READ,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(room != MAP_FAILED);
  REQUIRE(make_docker_provider(at.options));
  ::munmap(room, room_bytes);
  CHECK(at.daemon.running() == 1); // of this process, which lives
}

TEST_CASE("docker: what the daemon refuses") {
  docker_place at;
  SECTION("no image") {
    const auto provider = make_docker_provider(at.options);
    REQUIRE(provider);
    at.daemon.fail("create", 404, R"({"message":"No such image: x"})");
    const auto made = (*provider)->start();
    REQUIRE_FALSE(made);
    CHECK(made.error().code == ec::exhausted);
    CHECK_THAT(made.error().message,
               Catch::Contains("docker pull happysixd/osworld-docker"));
  }
  SECTION("a container that does not start is removed") {
    const auto provider = make_docker_provider(at.options);
    REQUIRE(provider);
    at.daemon.fail("start", 500, R"({"message":"no memory"})");
    const auto made = (*provider)->start();
    REQUIRE_FALSE(made);
    CHECK(made.error().code == ec::environment);
    CHECK_THAT(made.error().message, Catch::Contains("no memory"));
    CHECK(at.daemon.running() == 0);
  }
  SECTION("a reply that is no JSON") {
    const auto provider = make_docker_provider(at.options);
    REQUIRE(provider);
    at.daemon.fail("create", 201, "<html>");
    CHECK((*provider)->start().error().code == ec::environment);
  }
  SECTION("no disk") {
    at.options.disk = "/nowhere.qcow2";
    CHECK(make_docker_provider(at.options).error().code == ec::invalid_config);
  }
  SECTION("no daemon") {
    at.options.socket = "/nowhere.sock";
    CHECK(make_docker_provider(at.options).error().code == ec::exhausted);
  }
}

TEST_CASE("docker: a real engine starts, resets and removes containers") {
  const auto* socket = std::getenv("BREWERY_OSWORLD_ENGINE");
  if (!socket) {
    WARN(
        "skipped: BREWERY_OSWORLD_ENGINE names no socket of an engine that has "
        "the image brewery-test-guest (tests/envs/osworld/engine)");
    return;
  }
  docker_place at; // for its disk alone
  at.options.socket = socket;
  at.options.image = "brewery-test-guest";
  at.options.call_timeout = 60s;
  const docker_engine engine{socket, 60s};
  const auto left = [&] {
    const auto listed = engine.ask("GET", "/containers/json?all=1");
    REQUIRE(listed);
    return std::count_if(listed->begin(), listed->end(), [](const json& one) {
      return one["Labels"].contains("brewery.osworld.owner");
    });
  };
  {
    auto provider = make_docker_provider(at.options);
    REQUIRE(provider);
    desktop_pool pool{std::move(*provider),
                      [](const guest_address& guest) -> result<std::string> {
                        auto shown = guest_client{guest}.screenshot();
                        if (!shown) return shown.error();
                        return std::move(shown->png);
                      },
                      {2, 0, {}}};
    const auto soon = desktop_pool::clock::now() + 120s;
    std::string first;
    {
      const auto one = pool.take(soon);
      REQUIRE(one);
      first = one->id();
      const auto two = pool.take(soon);
      REQUIRE(two);
      CHECK(one->address().server_port != two->address().server_port);
      CHECK(left() == 2);
      const auto disk = guest_client{one->address()}.execute(
          {"python", "-c", "print(open('/System.qcow2').read())"}, false);
      REQUIRE(disk);
      CHECK(disk->output == "disk\n");
      CHECK(one->ended().empty());
    }
    const auto next = pool.take(soon);
    REQUIRE(next);
    CHECK(next->id() != first);
  }
  CHECK(left() == 0);
  at.options.image = "localhost/brewery-no-such-image";
  const auto none = (*make_docker_provider(at.options))->start();
  REQUIRE_FALSE(none);
  CHECK(none.error().code == ec::exhausted);
}

TEST_CASE("static: each is reset before its first use and after each") {
  const fake_docker place; // for its directory
  const auto log = (place.directory() / "resets").string();
  static_options options;
  options.desktops = {machine(5000, "echo one >> " + log),
                      machine(5001, "echo two >> " + log)};
  const auto provider = make_static_provider(options);
  REQUIRE(provider);
  CHECK((*provider)->most() == 2);
  auto one = (*provider)->start();
  auto two = (*provider)->start();
  REQUIRE(one);
  REQUIRE(two);
  CHECK(one->address.server_port == 5000);
  CHECK(two->address.server_port == 5001);
  CHECK((*provider)->start().error().code == ec::exhausted);
  REQUIRE((*provider)->reset(*two));
  (*provider)->stop(*one);
  const auto again = (*provider)->start();
  REQUIRE(again);
  CHECK(again->id == one->id);
  CHECK(*read_file(log) == "one\ntwo\ntwo\none\n");
}

TEST_CASE("static: a reset that fails says why") {
  static_options options;
  options.desktops = {machine(5000, "echo no such snapshot >&2; exit 3")};
  auto provider = make_static_provider(options);
  REQUIRE(provider);
  auto made = (*provider)->start();
  REQUIRE_FALSE(made);
  CHECK(made.error().code == ec::environment);
  CHECK_THAT(made.error().message, Catch::Contains("exit status 3")
                                       && Catch::Contains("no such snapshot"));
  CHECK((*provider)->start().error().code == ec::environment); // not in use

  options.desktops = {machine(5000, "sleep 600")};
  options.reset_timeout = 100ms;
  provider = make_static_provider(options);
  CHECK_THAT((*provider)->start().error().message,
             Catch::Contains("took too long"));
}

TEST_CASE("static: a desktop without a reset is refused") {
  static_options options;
  CHECK(make_static_provider(options).error().code == ec::invalid_config);
  options.desktops = {machine(5000, "true")};
  options.desktops[0].reset.clear();
  CHECK_THAT(make_static_provider(options).error().message,
             Catch::Contains("192.0.2.1:5000 has no reset command"));
}
