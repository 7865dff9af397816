#pragma once
/// What the screen of an environment shows at one moment. Returned by
/// `environment::look`; a value that the caller owns.

#include <cstdint>
#include <optional>
#include <string>

namespace brewery {

struct screen {
  std::string png;           ///< the screenshot; a whole PNG, never cut off
  std::string accessibility; ///< AT-SPI tree as XML; empty: not taken
  std::string terminal;      ///< text of the focused terminal; empty: none
  std::uint32_t width_px = 0;
  std::uint32_t height_px = 0;
  /// Actions until the environment ends the attempt; empty: it does not.
  std::optional<std::uint32_t> steps_left{};
};

} // namespace brewery
