#pragma once
/// The placeholders of commands in setup steps, replaced as the official setup
/// controller does. Pure.

#include "base/json.hpp"
#include "base/secret.hpp"

#include <cstdint>
#include <string>

namespace brewery::osworld {

/// What is the same for all tasks on a desktop.
struct guest_facts {
  secret password{"password"}; ///< of the guest's user, for sudo
  std::uint32_t width_px = 1920;
  std::uint32_t height_px = 1080;
};

/// {CLIENT_PASSWORD}, {SCREEN_WIDTH}, {SCREEN_HEIGHT}, {SCREEN_WIDTH_HALF} and
/// {SCREEN_HEIGHT_HALF} in a text, or in the texts of a list.
json with_placeholders(json command, const guest_facts& facts);

} // namespace brewery::osworld
