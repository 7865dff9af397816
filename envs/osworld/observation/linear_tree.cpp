#include "envs/osworld/observation/linear_tree.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "envs/osworld/observation/xml_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace brewery::osworld {

namespace {

constexpr std::string_view state_space =
    "https://accessibility.ubuntu.example.org/ns/state";
constexpr std::string_view component_space =
    "https://accessibility.ubuntu.example.org/ns/component";
constexpr std::string_view attributes_space =
    "https://accessibility.ubuntu.example.org/ns/attributes";

constexpr std::array<std::string_view, 12> kept_endings{
    "item",    "button", "heading",    "label",     "scrollbar", "searchbox",
    "textbox", "link",   "tabelement", "textfield", "textarea",  "menu"};
constexpr std::array<std::string_view, 22> kept_tags{"alert",
                                                     "canvas",
                                                     "check-box",
                                                     "combo-box",
                                                     "entry",
                                                     "icon",
                                                     "image",
                                                     "paragraph",
                                                     "scroll-bar",
                                                     "section",
                                                     "slider",
                                                     "static",
                                                     "table-cell",
                                                     "terminal",
                                                     "text",
                                                     "netuiribbontab",
                                                     "start",
                                                     "trayclockwclass",
                                                     "traydummysearchcontrol",
                                                     "uiimage",
                                                     "uiproperty",
                                                     "uiribboncommandbar"};

bool has_kept_tag(const std::string& tag) {
  return tag.starts_with("document")
         || std::any_of(kept_endings.begin(), kept_endings.end(),
                        [&](auto end) { return tag.ends_with(end); })
         || std::find(kept_tags.begin(), kept_tags.end(), tag)
                != kept_tags.end();
}

bool has_state(const xml_node& node, std::string_view name) {
  const auto* value = node.find(state_space, name);
  return value && *value == "true";
}

std::string value_or_empty(const xml_node& node, std::string_view space,
                           std::string_view name) {
  const auto* value = node.find(space, name);
  return value ? *value : std::string{};
}

/// "(12, 34)" as two numbers.
bool read_pair(std::string_view text, int& first, int& second) {
  text = trim(text);
  if (!text.starts_with('(') || !text.ends_with(')')) return false;
  const auto parts = split(text.substr(1, text.size() - 2), ',');
  if (parts.size() != 2) return false;
  const auto x = whole_number<int>(trim(parts[0]));
  const auto y = whole_number<int>(trim(parts[1]));
  if (!x || !y) return false;
  first = *x;
  second = *y;
  return true;
}

bool is_on_screen(const xml_node& node) {
  int x = -1, y = -1, width = -1, height = -1;
  return read_pair(value_or_empty(node, component_space, "screencoord"), x, y)
         && read_pair(value_or_empty(node, component_space, "size"), width,
                      height)
         && x >= 0 && y >= 0 && width > 0 && height > 0;
}

bool is_kept(const xml_node& node) {
  return has_kept_tag(node.tag) && has_state(node, "showing")
         && has_state(node, "visible")
         && (has_state(node, "enabled") || has_state(node, "editable")
             || has_state(node, "expandable") || has_state(node, "checkable"))
         && (!value_or_empty(node, "", "name").empty() || !node.text.empty())
         && is_on_screen(node);
}

/// As a cell of CSV, if it has quotes; nothing is two quotes.
std::string table_text(const std::string& text) {
  if (text.empty()) return R"("")";
  if (text.find('"') == std::string::npos) return text;
  return '"' + replace_all(text, "\"", "\"\"") + '"';
}

} // namespace

result<std::vector<tree_element>> visible_elements(std::string_view xml) {
  auto nodes = read_xml(xml);
  if (!nodes) return nodes.error();
  std::vector<tree_element> out;
  for (auto& node : *nodes) {
    if (!is_kept(node)) continue;
    out.push_back({node.tag, value_or_empty(node, "", "name"),
                   std::move(node.text),
                   value_or_empty(node, attributes_space, "class"),
                   value_or_empty(node, attributes_space, "description"),
                   value_or_empty(node, component_space, "screencoord"),
                   value_or_empty(node, component_space, "size")});
  }
  return out;
}

std::string tree_table(const std::vector<tree_element>& elements) {
  std::string out = "tag\tname\ttext\tclass\tdescription\tposition (top-left "
                    "x&y)\tsize (w&h)";
  for (const auto& one : elements)
    out += fmt::format("\n{}\t{}\t{}\t{}\t{}\t{}\t{}", one.tag, one.name,
                       table_text(one.text), one.kind, one.description,
                       one.position, one.size);
  return out;
}

std::string cut_table(std::string table, std::size_t bytes_most) {
  if (table.size() <= bytes_most) return table;
  auto kept = utf8_prefix(table, bytes_most);
  if (const auto line = kept.find_last_of('\n'); line != std::string_view::npos)
    kept = kept.substr(0, line + 1);
  return std::string{kept} + "[...]\n";
}

} // namespace brewery::osworld
