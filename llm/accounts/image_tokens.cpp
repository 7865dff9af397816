#include "llm/accounts/image_tokens.hpp"

#include <algorithm>

namespace brewery {

namespace {

constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";
constexpr std::size_t width_at = 16; ///< after the length and type of IHDR

constexpr std::uint64_t pixels_per_token = 750;
constexpr std::uint64_t most_by_tiles = 1'600;
/// Of an image whose size is not known: a full-HD screenshot has fewer.
constexpr std::uint64_t of_unknown_size = 3'000;

std::uint32_t big_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < 4; ++i)
    out = out << 8U | static_cast<unsigned char>(bytes[at + i]);
  return out;
}

} // namespace

std::optional<image_size> png_size(std::string_view bytes) {
  if (!bytes.starts_with(signature) || bytes.size() < width_at + 8
      || bytes.substr(12, 4) != "IHDR")
    return std::nullopt;
  const image_size out{big_endian(bytes, width_at),
                       big_endian(bytes, width_at + 4)};
  if (out.width_px == 0 || out.height_px == 0) return std::nullopt;
  return out;
}

std::uint64_t image_tokens_at_most(const chat_image& image) {
  const auto size = png_size(image.bytes);
  if (!size) return of_unknown_size;
  const auto pixels = std::uint64_t{size->width_px} * size->height_px;
  return std::max(pixels / pixels_per_token + 1, most_by_tiles);
}

} // namespace brewery
