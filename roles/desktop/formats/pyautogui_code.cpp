#include "roles/desktop/formats/pyautogui_code.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace brewery::desktop {

namespace {

constexpr std::string_view click_pause = "0.1";

std::string place(point at) {
  return fmt::format("{:.0f}, {:.0f}", at.x, at.y);
}

/// `code` while the keys are down.
std::string while_held(const std::vector<std::string>& keys, std::string code) {
  std::string down, up;
  for (const auto& key : keys) {
    down += fmt::format("pyautogui.keyDown({})\n", python_string(key));
    up.insert(0, fmt::format("\npyautogui.keyUp({})", python_string(key)));
  }
  return down + std::move(code) + up;
}

} // namespace

std::string python_string(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\\' || c == '\'') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string click_code(point at, std::uint32_t times, mouse_button button,
                       const std::vector<std::string>& held) {
  constexpr std::array names{"left", "middle", "right"};
  std::string how;
  if (times > 1)
    how += fmt::format(", clicks={}, interval={}", times, click_pause);
  if (button != mouse_button::left)
    how += fmt::format(", button='{}'",
                       names.at(static_cast<std::size_t>(button)));
  return while_held(held, fmt::format("pyautogui.click({}{})", place(at), how));
}

std::string move_code(point at) {
  return fmt::format("pyautogui.moveTo({})", place(at));
}

std::string drag_code(point from, point to,
                      const std::vector<std::string>& held) {
  return while_held(held, fmt::format("pyautogui.moveTo({})\n"
                                      "pyautogui.dragTo({}, duration=1.0, "
                                      "button='left')",
                                      place(from), place(to)));
}

std::string scroll_code(point at, std::int64_t clicks, bool across) {
  return fmt::format("pyautogui.moveTo({})\npyautogui.{}({})", place(at),
                     across ? "hscroll" : "scroll", clicks);
}

std::string hotkey_code(const std::vector<std::string>& keys) {
  std::string out;
  for (const auto& key : keys)
    out += (out.empty() ? "" : ", ") + python_string(key);
  return (keys.size() == 1 ? "pyautogui.press(" : "pyautogui.hotkey(") + out
         + ")";
}

std::string type_code(std::string_view text) {
  return fmt::format("pyautogui.write({}, interval=0.02)", python_string(text));
}

std::string key_name(std::string_view written) {
  using named = std::pair<std::string_view, std::string_view>;
  constexpr std::array names{
      named{"return", "enter"},       named{"control", "ctrl"},
      named{"ctrl_l", "ctrl"},        named{"ctrl_r", "ctrlright"},
      named{"escape", "esc"},         named{"arrowup", "up"},
      named{"arrowdown", "down"},     named{"arrowleft", "left"},
      named{"arrowright", "right"},   named{"page_up", "pageup"},
      named{"page_down", "pagedown"}, named{"page up", "pageup"},
      named{"page down", "pagedown"}, named{"del", "delete"},
      named{"super", "win"},          named{"cmd", "win"},
      named{"meta", "win"},           named{"option", "alt"},
      named{"caps_lock", "capslock"}};
  const auto key = lower(trim(written));
  for (const auto& [from, to] : names)
    if (key == from) return std::string{to};
  return key;
}

} // namespace brewery::desktop
