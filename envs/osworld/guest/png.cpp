#include "envs/osworld/guest/png.hpp"

#include "base/hash.hpp"

#include <fmt/format.h>

namespace brewery::osworld {

namespace {

constexpr std::string_view png_signature{"\x89PNG\r\n\x1a\n", 8};
/// Wider screens do not exist; a larger size is damage or malice.
constexpr std::uint32_t png_side_most = 32'768;

std::uint32_t big_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < 4; ++i)
    out = out << 8U | static_cast<unsigned char>(bytes[at + i]);
  return out;
}

error no_png(std::string_view what, std::size_t at, std::size_t size) {
  return {ec::malformed,
          fmt::format("not a whole PNG: {} at byte {} of {}", what, at, size)};
}

} // namespace

result<png_size> check_png(std::string_view bytes) {
  if (bytes.substr(0, 8) != png_signature)
    return no_png("no PNG signature", 0, bytes.size());
  png_size out;
  for (std::size_t at = 8;;) {
    // Length, type, content, checksum of length, type and content.
    if (bytes.size() - at < 12)
      return no_png("it ends before IEND", at, bytes.size());
    const std::size_t length = big_endian(bytes, at);
    if (length > bytes.size() - at - 12)
      return no_png("it ends inside a chunk", at, bytes.size());
    const auto type = bytes.substr(at + 4, 4);
    if (crc32(bytes.substr(at + 4, length + 4))
        != big_endian(bytes, at + 8 + length))
      return no_png("a checksum is wrong", at, bytes.size());
    if (at == 8) {
      if (type != "IHDR" || length != 13)
        return no_png("no IHDR", at, bytes.size());
      out = {big_endian(bytes, at + 8), big_endian(bytes, at + 12)};
      if (out.width_px == 0 || out.height_px == 0
          || out.width_px > png_side_most || out.height_px > png_side_most)
        return no_png("an impossible size", at, bytes.size());
    }
    if (type == "IEND") return out;
    at += length + 12;
  }
}

} // namespace brewery::osworld
