#include "base/compression.hpp"
#include "base/rng.hpp"

#include <catch2/catch.hpp>

using namespace brewery;

namespace {

std::string bytes_of(std::initializer_list<int> bytes) {
  std::string out;
  for (const int one : bytes)
    out += static_cast<char>(one);
  return out;
}

std::string text_of(std::size_t size) {
  std::string out;
  for (std::uint64_t i = 0; out.size() < size; ++i)
    out += "line " + std::to_string(i * i) + ", ";
  out.resize(size);
  return out;
}

/// What is wrong with the bytes.
std::string refusal(const std::string& bytes, std::size_t most = 1 << 20) {
  const auto content = decompress(bytes, most);
  if (content) return "accepted";
  CHECK(content.error().code == ec::malformed);
  return content.error().message;
}

} // namespace

TEST_CASE("what is compressed comes back, and is smaller") {
  for (const std::size_t size : {512, 70'000, 1'000'000}) {
    const auto text = text_of(size);
    const auto frame = compress(text);
    CHECK(is_compressed(frame));
    CHECK(frame.size() < text.size());
    CHECK(content_size(frame) == text.size());
    REQUIRE(decompress(frame, text.size()));
    CHECK(*decompress(frame, text.size()) == text);
  }
}

TEST_CASE("bytes that a frame would not make shorter stay as they are") {
  CHECK(compress("").empty());
  CHECK(compress(text_of(511)) == text_of(511));
  rng draw{rng_key(1, "noise")};
  std::string noise(2000, '\0');
  for (auto& byte : noise)
    byte = static_cast<char>(draw.below(256));
  CHECK(compress(noise) == noise);
  CHECK_FALSE(is_compressed(noise));
}

TEST_CASE("a frame that was cut off, changed or prolonged is refused") {
  const auto frame = compress(text_of(5000));
  for (std::size_t size = 0; size < frame.size(); ++size) {
    INFO(size);
    CHECK(refusal(frame.substr(0, size)) != "accepted");
  }
  CHECK(refusal(frame + '\0').find("more than one frame") != std::string::npos);
  CHECK(refusal(frame + frame).find("more than one frame")
        != std::string::npos);
  const auto skippable = bytes_of({0x50, 0x2A, 0x4D, 0x18, 1, 0, 0, 0, 'x'});
  CHECK(refusal(frame + skippable).find("more than one frame")
        != std::string::npos);
  CHECK(refusal(skippable + frame).find("a length") != std::string::npos);
  CHECK(refusal("no frame at all").find("a length") != std::string::npos);
}

TEST_CASE("content beyond the limit is refused before it is unpacked") {
  const auto bomb = compress(std::string(std::size_t{64} << 20, 'x'));
  CHECK(bomb.size() < 10'000);
  CHECK(refusal(bomb, (std::size_t{64} << 20) - 1).find("more than")
        != std::string::npos);
  // The header of a frame that claims a terabyte, and no more.
  const auto claim =
      bytes_of({0x28, 0xB5, 0x2F, 0xFD, 0xE0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0});
  CHECK(content_size(claim) == std::size_t{1} << 40);
  CHECK(refusal(claim).find("1099511627776 bytes") != std::string::npos);
}

TEST_CASE("a frame must say how long its content is, and be right") {
  // Without a length: one block of 3 bytes as they are.
  const auto silent =
      bytes_of({0x28, 0xB5, 0x2F, 0xFD, 0, 0x58, 0x19, 0, 0, 'a', 'b', 'c'});
  CHECK(content_size(silent) == 0);
  CHECK(refusal(silent).find("a length") != std::string::npos);
  // One block of 40 equal bytes, with the length of its content in a byte.
  const auto equal = [](int claimed) {
    return bytes_of({0x28, 0xB5, 0x2F, 0xFD, 0x20, claimed, 0x43, 1, 0, 'x'});
  };
  CHECK(*decompress(equal(40), 100) == std::string(40, 'x'));
  CHECK(refusal(equal(41)).find("damaged") != std::string::npos);
  CHECK(refusal(equal(39)).find("damaged") != std::string::npos);
  CHECK(refusal(equal(5)).find("a length") != std::string::npos);
}

TEST_CASE("what shrinks further than a peer allows is sent as it is") {
  const std::string same(1 << 20, 'x');
  CHECK(compress(same).size() * sent_ratio_max < same.size());
  CHECK(compress_to_send(same) == same);
  const auto text = text_of(1 << 20);
  CHECK(compress_to_send(text) == compress(text));
}

TEST_CASE("memory that a thread keeps has the newest content only") {
  // The third is more than is kept.
  for (const std::size_t size : {70'000, 600, 3'000'000, 5000, 70'000}) {
    const auto text = text_of(size);
    const auto frame = compress(text);
    const auto content = decompress_for_now(frame, text.size());
    REQUIRE(content);
    CHECK(*content == text);
    const auto refused = decompress_for_now(frame, text.size() - 1);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message
          == decompress(frame, text.size() - 1).error().message);
  }
}
