#pragma once
/// What an image of a prompt comes to in tokens, as far as that can be known
/// before the server has counted. Pure.

#include "messages/model_msgs.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace brewery {

struct image_size {
  std::uint32_t width_px = 0, height_px = 0;
  bool operator==(const image_size&) const = default;
};

/// From the header of a PNG. Empty: it is none, or has no area.
std::optional<image_size> png_size(std::string_view bytes);

/// An upper bound for servers that count by area or by tiles: a token for each
/// 28 x 28 px (Qwen2.5-VL), for each 750 px (Anthropic), 170 for each tile of
/// 512 px of an image shrunk to 768 px (OpenAI, detail high). Models that
/// count an image many times over, to price it like a larger model (OpenAI's
/// "mini"), exceed it; their usage is charged as the server reports it.
std::uint64_t image_tokens_at_most(const chat_image& image);

} // namespace brewery
