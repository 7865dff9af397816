#include "roles/desktop/tree/accessible_tree.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "roles/desktop/formats/numbers_in_text.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace brewery::desktop {

namespace {

void append_reference(std::string_view name, std::string& out) {
  using entity = std::pair<std::string_view, char>;
  constexpr std::array known{entity{"amp", '&'}, entity{"lt", '<'},
                             entity{"gt", '>'}, entity{"quot", '"'},
                             entity{"apos", '\''}};
  for (const auto& [word, c] : known)
    if (name == word) out += c;
  if (!name.starts_with('#')) return;
  name.remove_prefix(1);
  int base = 10;
  if (name.starts_with('x')) {
    name.remove_prefix(1);
    base = 16;
  }
  const auto code = whole_number<std::uint32_t>(name, base);
  if (!code) return;
  if (*code < 0x20)
    out += ' ';
  else if (*code < 0x110000 && (*code < 0xd800 || *code > 0xdfff))
    append_utf8(*code, out);
}

std::string without_references(std::string_view text) {
  constexpr std::size_t longest = 10;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto end = text[i] == '&' ? text.find(';', i) : text.npos;
    if (end == text.npos || end - i > longest) {
      out += text[i];
      continue;
    }
    append_reference(text.substr(i + 1, end - i - 1), out);
    i = end;
  }
  return out;
}

/// "st:enabled" -> "enabled".
std::string_view local_name(std::string_view name) {
  const auto at = name.find(':');
  return at == name.npos ? name : name.substr(at + 1);
}

/// "(10, 20)"
std::pair<std::int32_t, std::int32_t> pair_of(std::string_view text) {
  constexpr double most = 1'000'000;
  const auto numbers = numbers_in(text, 2);
  if (numbers.size() < 2 || numbers[0] > most || numbers[1] > most
      || numbers[0] < -most || numbers[1] < -most)
    return {0, 0};
  return {static_cast<std::int32_t>(numbers[0]),
          static_cast<std::int32_t>(numbers[1])};
}

void take_attribute(std::string_view name, std::string_view value,
                    accessible& node) {
  constexpr std::array states{std::pair{"enabled", &accessible::enabled},
                              std::pair{"focused", &accessible::focused},
                              std::pair{"checked", &accessible::checked},
                              std::pair{"selected", &accessible::selected},
                              std::pair{"expanded", &accessible::expanded},
                              std::pair{"active", &accessible::active},
                              std::pair{"editable", &accessible::editable},
                              std::pair{"showing", &accessible::showing}};
  if (name == "name") node.name = without_references(value);
  if (name.starts_with("st:") && value == "true")
    for (const auto& [state, member] : states)
      if (local_name(name) == state) node.*member = true;
  if (name == "cp:screencoord")
    std::tie(node.box.x, node.box.y) = pair_of(value);
  if (name == "cp:size")
    std::tie(node.box.width, node.box.height) = pair_of(value);
}

class tree_reader {
public:
  tree_reader(std::string_view xml, const tree_limits& limits)
      : xml_(xml), limits_(limits) {}

  result<accessible_tree> run() {
    while (at_ < xml_.size()) {
      if (xml_[at_] != '<') {
        take_text();
      } else if (auto ok = take_tag(); !ok) {
        return ok.error();
      }
    }
    if (!open_.empty()) return problem("ends within a tag that is open");
    finish();
    return std::move(out_);
  }

private:
  error problem(std::string_view what) const {
    return {ec::malformed,
            fmt::format("accessibility tree: byte {}: {}", at_, what)};
  }

  void take_text() {
    const auto end = std::min(xml_.find('<', at_), xml_.size());
    if (!open_.empty() && open_.back() != accessible::none) {
      const auto text = trim(xml_.substr(at_, end - at_));
      out_.nodes[open_.back()].text += without_references(text);
    }
    at_ = end;
  }

  result<void> take_tag() {
    for (const auto& [begin, end] :
         {std::pair<std::string_view, std::string_view>{"<!--", "-->"},
          {"<?", "?>"},
          {"<!", ">"}}) {
      if (!xml_.substr(at_).starts_with(begin)) continue;
      const auto close = xml_.find(end, at_);
      if (close == xml_.npos) return problem("a comment does not end");
      at_ = close + end.size();
      return {};
    }
    if (xml_.substr(at_).starts_with("</")) {
      const auto close = xml_.find('>', at_);
      if (close == xml_.npos || open_.empty())
        return problem("a tag ends that is not open");
      open_.pop_back();
      at_ = close + 1;
      return {};
    }
    return take_start();
  }

  result<void> take_start() {
    ++at_;
    accessible node;
    const auto name = word();
    if (name.empty()) return problem("expected a tag");
    node.tag = std::string{local_name(name)};
    bool ends = false;
    for (;;) {
      skip_space();
      if (at_ >= xml_.size()) return problem("a tag does not end");
      if (xml_[at_] == '>') break;
      if (xml_[at_] == '/') {
        ends = true;
        ++at_;
        continue;
      }
      if (auto ok = take_pair(node); !ok) return ok;
    }
    ++at_;
    const auto number = keep(std::move(node));
    if (!ends) open_.push_back(number);
    if (open_.size() > limits_.depth * 2) return problem("is nested too deep");
    return {};
  }

  result<void> take_pair(accessible& node) {
    const auto name = word();
    skip_space();
    if (name.empty() || at_ >= xml_.size() || xml_[at_] != '=')
      return problem("expected an attribute");
    ++at_;
    skip_space();
    if (at_ >= xml_.size() || (xml_[at_] != '"' && xml_[at_] != '\''))
      return problem("expected a value in quotes");
    const auto close = xml_.find(xml_[at_], at_ + 1);
    if (close == xml_.npos) return problem("a value does not end");
    take_attribute(name, xml_.substr(at_ + 1, close - at_ - 1), node);
    at_ = close + 1;
    return {};
  }

  std::uint32_t keep(accessible node) {
    if (out_.nodes.size() >= limits_.nodes || open_.size() >= limits_.depth)
      return accessible::none;
    const auto number = static_cast<std::uint32_t>(out_.nodes.size());
    node.parent = open_.empty() ? accessible::none : open_.back();
    node.application = node.tag == "application" ? number
                       : node.parent == accessible::none
                           ? accessible::none
                           : out_.nodes[node.parent].application;
    out_.nodes.push_back(std::move(node));
    return number;
  }

  void finish() {
    for (auto& node : out_.nodes) {
      node.showing = node.showing && node.box.width > 0 && node.box.height > 0;
      node.name = std::string{trim(node.name)};
    }
  }

  std::string_view word() {
    const auto begin = at_;
    while (at_ < xml_.size()
           && std::string_view{" \t\r\n=/>\"'<"}.find(xml_[at_])
                  == std::string_view::npos)
      ++at_;
    return xml_.substr(begin, at_ - begin);
  }

  void skip_space() {
    while (at_ < xml_.size()
           && std::string_view{" \t\r\n"}.find(xml_[at_])
                  != std::string_view::npos)
      ++at_;
  }

  std::string_view xml_;
  tree_limits limits_;
  std::size_t at_ = 0;
  accessible_tree out_;
  std::vector<std::uint32_t> open_; ///< their numbers; `none`: left out
};

} // namespace

result<accessible_tree> read_accessible_tree(std::string_view xml,
                                             const tree_limits& limits) {
  if (xml.size() > limits.bytes)
    return error{
        ec::malformed,
        fmt::format("accessibility tree: {} bytes, at most {} are read",
                    xml.size(), limits.bytes)};
  return tree_reader{xml, limits}.run();
}

} // namespace brewery::desktop
