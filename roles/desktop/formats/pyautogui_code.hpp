#pragma once
/// Writes Python for pyautogui, which an environment with a desktop runs in its
/// guest. The only place that quotes text for it. Pure.

#include "roles/desktop/formats/smart_resize.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace brewery::desktop {

/// A Python string literal in single quotes, on one line.
std::string python_string(std::string_view text);

enum class mouse_button : std::uint8_t { left, middle, right };

std::string click_code(point at, std::uint32_t times = 1,
                       mouse_button button = mouse_button::left,
                       const std::vector<std::string>& held = {});
std::string move_code(point at);
std::string drag_code(point from, point to,
                      const std::vector<std::string>& held = {});
/// Positive: up, or left with `across`.
std::string scroll_code(point at, std::int64_t clicks, bool across = false);
std::string hotkey_code(const std::vector<std::string>& keys);
/// Types the text; a line feed in it presses Enter.
std::string type_code(std::string_view text);

/// The name that pyautogui has for a key: "Return" and "ctrl_l" as models
/// write them.
std::string key_name(std::string_view written);

} // namespace brewery::desktop
