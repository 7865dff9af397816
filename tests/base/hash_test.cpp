#include "base/hash.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace brewery;

TEST_CASE("SHA-256 gives the vectors of FIPS 180-4") {
  CHECK(sha256_hex("")
        == "e3b0c44298fc1c149afbf4c8996fb924"
           "27ae41e4649b934ca495991b7852b855");
  CHECK(sha256_hex("abc")
        == "ba7816bf8f01cfea414140de5dae2223"
           "b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
        == "248d6a61d20638b8e5c026930c3e6039"
           "a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256_hex(std::string(1000000, 'a'))
        == "cdc76e5c9914fb9281a1c7e284d73e67"
           "f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("the content hash is the first half of SHA-256") {
  CHECK(content_hash("abc") == "ba7816bf8f01cfea414140de5dae2223");
  CHECK(content_hash(std::string_view{"a\0b", 3}) != content_hash("a"));
}

TEST_CASE("CRC-32 gives the check value of the catalogue") {
  CHECK(crc32("123456789") == 0xcbf43926u);
  CHECK(crc32("") == 0u);
  CHECK(crc32("456789", crc32({}, crc32("123"))) == 0xcbf43926u);
  CHECK(crc32("The quick brown fox jumps over the lazy dog") == 0x414fa339u);
}

TEST_CASE("a CRC notices every single flipped bit") {
  const std::string record = "an event as it is stored";
  for (std::size_t bit = 0; bit < 8 * record.size(); ++bit) {
    std::string flipped = record;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    CHECK(crc32(flipped) != crc32(record));
  }
}

TEST_CASE("hash64 keeps its values and separates seeds") {
  // FNV-1a of nothing is its offset basis, then the SplitMix finaliser.
  CHECK(hash64("") == 0xf52a15e9a9b5e89bull);
  CHECK(hash64("a") != hash64("b"));
  CHECK(hash64("a", 1) != hash64("a", 2));
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 10000; ++i)
    seen.insert(hash64(std::to_string(i)));
  CHECK(seen.size() == 10000);
}

TEST_CASE("hash input keeps parts apart") {
  const auto of = [](auto... parts) {
    hash_input in;
    (in.add(parts), ...);
    return in.content();
  };
  CHECK(of("ab", "c") != of("a", "bc"));
  CHECK(of("ab") != of("ab", ""));
  CHECK(of("1:a") != of("a"));
  CHECK(of("ab", "c") == of("ab", "c"));
  CHECK(of(std::uint64_t{12}) == of("12")); // numbers are their digits
}

TEST_CASE("a text is hashed the same, however long it is") {
  for (const std::size_t parts :
       {1U, 100U, 3275U, 3276U, 3277U, 3278U, 20'000U}) {
    hash_input in;
    std::string text;
    for (std::size_t i = 0; i < parts; ++i) {
      in.add("12345678"); // ten bytes with the length
      text += "8:12345678";
    }
    INFO(parts);
    CHECK(in.content() == content_hash(text));
    CHECK(in.content() == content_hash(text)); // asking changes nothing
    in.add(std::string(100'000, 'x'));
    text += "100000:" + std::string(100'000, 'x');
    CHECK(in.content() == content_hash(text));
  }
}
