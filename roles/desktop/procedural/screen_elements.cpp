#include "roles/desktop/procedural/screen_elements.hpp"

#include "base/printable.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace brewery::desktop {

namespace {

constexpr std::size_t label_bytes = 80;

template <std::size_t N>
bool is_one_of(std::string_view tag,
               const std::array<std::string_view, N>& tags) {
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

constexpr std::array<std::string_view, 17> pressed_tags{"push-button",
                                                        "toggle-button",
                                                        "check-box",
                                                        "radio-button",
                                                        "menu",
                                                        "menu-item",
                                                        "check-menu-item",
                                                        "radio-menu-item",
                                                        "page-tab",
                                                        "list-item",
                                                        "icon",
                                                        "link",
                                                        "combo-box",
                                                        "table-cell",
                                                        "tree-item",
                                                        "switch",
                                                        "push-button-menu"};
constexpr std::array<std::string_view, 5> text_tags{
    "text", "entry", "password-text", "spin-button", "terminal"};
constexpr std::array<std::string_view, 4> menu_tags{
    "menu-item", "check-menu-item", "radio-menu-item", "menu"};
constexpr std::array<std::string_view, 5> window_tags{
    "frame", "dialog", "alert", "window", "file-chooser"};
constexpr std::array<std::string_view, 3> dialog_tags{"dialog", "alert",
                                                      "file-chooser"};

point middle_of(const box_px& box) {
  return {box.x + box.width / 2.0, box.y + box.height / 2.0};
}

std::string label_of(const accessible& node) {
  return node.tag + " " + single_line(collapse_spaces(node.name), label_bytes);
}

class viewer {
public:
  explicit viewer(const accessible_tree& tree) : nodes_(tree.nodes) {
    for (const auto& node : nodes_)
      if (node.parent != accessible::none && is_one_of(node.tag, menu_tags))
        has_items_.insert(node.parent);
  }

  screen_view run() {
    const auto front = front_application();
    screen_view out;
    if (front == accessible::none) {
      out.lines.push_back(std::string{"application: "} + no_application);
      return out;
    }
    out.application = nodes_[front].name;
    out.lines.push_back("application: " + out.application);
    std::set<std::string> known;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      const auto& node = nodes_[i];
      if (node.application != front) continue;
      if (node.showing && is_one_of(node.tag, dialog_tags)
          && !node.name.empty())
        out.lines.push_back("dialog: " + node.name);
      if (auto made = element(i))
        if (known.insert(made->label).second)
          out.elements.push_back(std::move(*made));
    }
    return out;
  }

private:
  /// That of the active window; else of the last one that shows a window.
  std::uint32_t front_application() const {
    auto out = accessible::none;
    for (const auto& node : nodes_) {
      if (!node.showing || !is_one_of(node.tag, window_tags)) continue;
      if (node.active) return node.application;
      out = node.application;
    }
    return out;
  }

  std::optional<screen_element> element(std::uint32_t number) const {
    const auto& node = nodes_[number];
    // An item is pressed with its menus; a menu alone only if they are not
    // known.
    if (node.tag == "menu" && has_items_.contains(number)) return std::nullopt;
    const bool text_field = is_one_of(node.tag, text_tags);
    if (!text_field
        && (!is_one_of(node.tag, pressed_tags) || node.name.empty()))
      return std::nullopt;
    if (text_field && !node.showing) return std::nullopt;
    screen_element out;
    out.label = label_of(node);
    out.tag = node.tag;
    out.name = node.name;
    out.text_field = text_field;
    out.focused = node.focused;
    out.middle = middle_of(node.box);
    if (node.showing) return out;
    if (!is_one_of(node.tag, menu_tags)) return std::nullopt;
    // Not on the screen: behind the nearest menu that is.
    for (auto at = node.parent; at != accessible::none; at = nodes_[at].parent)
      if (nodes_[at].showing && nodes_[at].tag == "menu") {
        out.opener = middle_of(nodes_[at].box);
        out.opener_label = label_of(nodes_[at]);
        return out;
      }
    return std::nullopt;
  }

  const std::vector<accessible>& nodes_;
  std::set<std::uint32_t> has_items_; ///< nodes with items of a menu below
};

} // namespace

screen_view view_of(const accessible_tree& tree) {
  return viewer{tree}.run();
}

} // namespace brewery::desktop
