#include "net/curve_keys.hpp"
#include "tests/fixtures/scratch.hpp"

#include <catch2/catch.hpp>

#include <fstream>

using namespace brewery;

namespace {

result<std::vector<std::string>> keys_in(const std::string& text) {
  const scratch folder;
  const auto file = folder.path() / "peer.pub";
  std::ofstream{file, std::ios::binary} << text;
  return read_public_keys(file);
}

const std::string key = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7";

} // namespace

TEST_CASE("a key with a NUL inside is refused: libzmq would read half of it") {
  CHECK(keys_in(key).has_value());
  for (const std::size_t at : {0, 5, 17, 35, 39}) {
    auto cut = key;
    cut[at] = '\0';
    INFO("NUL at " << at);
    CHECK_FALSE(keys_in(cut).has_value());
  }
}

TEST_CASE("a refused line is shown short and without control characters") {
  const auto got = keys_in("\x1b[2J" + std::string(1000, 'x'));
  REQUIRE_FALSE(got);
  const auto& message = got.error().message;
  CHECK(message.find("'?[2Jxxx") != message.npos);
  CHECK(message.find('\x1b') == message.npos);
  CHECK(message.size() < 300);
  const auto role = parse_peer_kind("work\x1b"
                                    "er");
  REQUIRE_FALSE(role);
  CHECK(role.error().message.find("'work?er' is not a role") == 0);
}
