#include "roles/desktop/tree/tree_change.hpp"

#include "base/printable.hpp"

#include <fmt/format.h>

#include <map>

namespace brewery::desktop {

namespace {

std::string quoted_part(std::string_view text, std::size_t most) {
  return "\"" + single_line(collapse_spaces(text), most) + "\"";
}

std::string state_of(const accessible& node) {
  std::string out;
  const auto add = [&](bool has, const char* word) {
    if (has) out += (out.empty() ? "" : ", ") + std::string{word};
  };
  add(node.checked, "checked");
  add(node.selected, "selected");
  add(node.expanded, "expanded");
  add(node.focused, "focused");
  add(node.active, "active");
  return out.empty() ? out : " (" + out + ")";
}

/// Who a node is, whatever its state.
std::string identity_of(const accessible& node, std::size_t most) {
  if (node.name.empty() && node.text.empty()) return {};
  return node.tag + " "
         + quoted_part(node.name.empty() ? node.text : node.name, most);
}

/// How it is: its state, and its text if that does not name it.
std::string condition_of(const accessible& node, std::size_t most) {
  std::string out = state_of(node);
  if (!node.name.empty() && !node.text.empty() && node.text != node.name)
    out += " " + quoted_part(node.text, most);
  return out;
}

using conditions = std::map<std::string, std::vector<std::string>>;

conditions showing_nodes(const accessible_tree& tree, std::size_t most) {
  conditions out;
  for (const auto& node : tree.nodes)
    if (node.showing)
      if (auto who = identity_of(node, most); !who.empty())
        out[std::move(who)].push_back(condition_of(node, most));
  return out;
}

/// Lines up to a limit, and how many there are beyond it.
class limited_lines {
public:
  explicit limited_lines(std::size_t most) : most_(most) {}
  void add(const std::string& line) {
    if (count_++ < most_) text_ += line + "\n";
  }
  [[nodiscard]] std::string take(const char* mark) const {
    if (count_ <= most_) return text_;
    return text_ + fmt::format("{} and {} more\n", mark, count_ - most_);
  }

private:
  std::size_t most_, count_ = 0;
  std::string text_;
};

} // namespace

std::string shown_node(const accessible& node, std::size_t text_bytes) {
  const auto who = identity_of(node, text_bytes);
  return who.empty() ? who : who + condition_of(node, text_bytes);
}

std::string tree_change(const accessible_tree& before,
                        const accessible_tree& after,
                        const change_limits& limits) {
  const auto was = showing_nodes(before, limits.text_bytes);
  const auto is = showing_nodes(after, limits.text_bytes);
  limited_lines come{limits.lines}, gone{limits.lines}, other{limits.lines};
  for (const auto& [who, how] : is) {
    const auto known = was.find(who);
    if (known == was.end()) {
      come.add("+ " + who + how.front());
    } else if (known->second != how) {
      for (std::size_t i = 0; i < how.size(); ++i)
        if (i >= known->second.size() || known->second[i] != how[i])
          other.add("* " + who + ":"
                    + (how[i].empty() ? " (no state)" : how[i]));
    }
  }
  for (const auto& [who, how] : was)
    if (!is.contains(who)) gone.add("- " + who);
  const auto out = come.take("+") + gone.take("-") + other.take("*");
  return out.empty() ? "(nothing changed)\n" : out;
}

std::string tree_listing(const accessible_tree& tree, std::size_t most_bytes) {
  std::string out;
  for (const auto& node : tree.nodes) {
    if (!node.showing || (node.name.empty() && node.text.empty())) continue;
    const auto line =
        fmt::format("{}\t{}\t{}\t({}, {})\t({}, {})\n", node.tag,
                    single_line(collapse_spaces(node.name), 200),
                    single_line(collapse_spaces(node.text), 200), node.box.x,
                    node.box.y, node.box.width, node.box.height);
    if (out.empty()) out = "tag\tname\ttext\tposition\tsize\n";
    if (out.size() + line.size() > most_bytes) break;
    out += line;
  }
  return out;
}

} // namespace brewery::desktop
