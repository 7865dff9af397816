#include "messages/wire/codec.hpp"
#include "tests/messages/samples.hpp"

#include <catch2/catch.hpp>

#include <sys/resource.h>

using namespace brewery;

namespace {

/// Decodes and, when that succeeds, checks the result is a value that can be
/// written again: whatever came in, nothing half-read comes out.
template <class T>
bool survives(std::string_view bytes) {
  const auto got = wire::decode<T>(bytes);
  if (!got) return got.error().code == ec::malformed;
  return wire::decode<T>(wire::encode(*got)).has_value();
}

long peak_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

} // namespace

TEST_CASE("a message cut off at any byte is refused") {
  samples::for_each_message([&]<class T>() {
    const auto bytes = wire::encode(samples::full<T>());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      INFO(T::type_name << " cut to " << size);
      // A copy of exact size, so that a sanitizer sees a read past its end.
      const std::vector<char> cut(
          bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
      const auto got = wire::decode<T>({cut.data(), cut.size()});
      REQUIRE_FALSE(got);
      CHECK(got.error().code == ec::malformed);
    }
  });
}

TEST_CASE("random mutations of a message never break the decoder") {
  const std::uint64_t seed = 20240613;
  INFO("seed " << seed);
  rng draw{rng_key(seed, "mutate")};
  samples::for_each_message([&]<class T>() {
    const auto valid = wire::encode(samples::full<T>());
    for (int round = 0; round < 2000; ++round) {
      auto bytes = valid;
      const auto changes = 1 + draw.below(4);
      for (std::uint64_t i = 0; i < changes; ++i) {
        const auto at = draw.below(bytes.size());
        if (draw.below(4) == 0)
          bytes.erase(at, 1 + draw.below(4));
        else if (draw.below(4) == 0)
          bytes.insert(at, samples::random_bytes(draw, 6));
        else
          bytes[at] = static_cast<char>(draw.below(256));
        if (bytes.empty()) break;
      }
      if (!survives<T>(bytes)) FAIL(T::type_name << " round " << round);
    }
  });
  SUCCEED();
}

TEST_CASE("random bytes never break the decoder") {
  const std::uint64_t seed = 20240614;
  INFO("seed " << seed);
  rng draw{rng_key(seed, "noise")};
  for (int round = 0; round < 20'000; ++round)
    REQUIRE(survives<rollout_result>(samples::random_bytes(draw, 64)));
}

TEST_CASE("short values cannot take many times the memory of their bytes") {
  // Each list may be there, but not all of them: 16 bytes a value.
  const auto lists = wire::max_values / wire::max_elements + 1;
  std::string bytes(1, static_cast<char>(0x90U | lists));
  const std::string items(wire::max_elements, '\xc0');
  for (std::size_t i = 0; i < lists; ++i)
    bytes += std::string{"\xdd\x00\x10\x00\x00", 5} + items;
  const auto refused = wire::document::parse(bytes);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message, Catch::Contains("values"));
  bytes.erase(bytes.size() - items.size() - 5);
  bytes.front() = static_cast<char>(0x90U | (lists - 1));
  CHECK_FALSE(wire::document::parse(bytes)); // the lists are values too
  bytes.erase(bytes.size() - items.size() - 5);
  bytes.front() = static_cast<char>(0x90U | (lists - 2));
  CHECK(wire::document::parse(bytes));
}

TEST_CASE("a length of 4 GB in a short frame is refused without allocating") {
  using namespace std::string_literals;
  const auto before = peak_kib();
  for (const auto& claim :
       {"\xdb\xff\xff\xff\xff"s, "\xdd\xff\xff\xff\xff"s,
        "\xdf\xff\xff\xff\xff"s, "\xc6\xff\xff\xff\xff"s,
        "\xc9\xff\xff\xff\xff\x01"s, "\xda\xff\xffxy"s, "\xdc\xff\xff\x01"s}) {
    const auto got = wire::decode<rollout_result>(claim);
    REQUIRE_FALSE(got);
    CHECK(got.error().code == ec::malformed);
    const auto& message = got.error().message;
    CHECK((message.find("a length is larger") != message.npos
           || message.find("ends early") != message.npos));
  }
  CHECK(peak_kib() - before < 32 * 1024);
}

TEST_CASE("a list of wrong items is refused before there is room for all") {
  // Each item is one byte here and hundreds in a search_outcome.
  constexpr std::uint32_t items = 1'000'000;
  std::string bytes = "\x84\xa8strategy\xa0\xafinitial_success";
  bytes += std::string{"\xcb\0\0\0\0\0\0\0\0", 9};
  bytes += "\xa7gathers\x90\xa9"
           "documents\xdd";
  for (const int shift : {24, 16, 8, 0})
    bytes += static_cast<char>(items >> shift & 0xff);
  bytes += std::string(items, '\xc0');
  const auto before = peak_kib();
  const auto got = wire::decode<search_outcome>(bytes);
  REQUIRE_FALSE(got);
  CHECK(got.error().message.find("search_outcome.documents[0]: expected a map")
        == 0);
  CHECK(peak_kib() - before < 128 * 1024);
}

TEST_CASE("nesting deeper than any message of ours is refused") {
  const auto got = wire::decode<grade_report>(std::string(100'000, '\x91'));
  REQUIRE_FALSE(got);
  CHECK(got.error().message.find("nested deeper than") != std::string::npos);

  // An unknown field may still be nested within the limit.
  std::string newer = "\x82";
  newer += "\xa6reward";
  newer += std::string{"\xcb\0\0\0\0\0\0\0\0", 9};
  newer += "\xa5parts\x90";
  newer[0] = '\x83';
  newer += "\xa5later" + std::string(wire::max_depth - 2, '\x91') + "\xc0";
  CHECK(wire::decode<grade_report>(newer));
}

TEST_CASE("a message larger than allowed is refused by its size") {
  const std::string big(wire::max_message_bytes + 1, '\0');
  const auto got = wire::decode<grade_report>(big);
  REQUIRE_FALSE(got);
  CHECK(got.error().message.find("67108865 bytes, more than the 67108864")
        != std::string::npos);
}
