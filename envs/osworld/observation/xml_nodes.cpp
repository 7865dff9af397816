#include "envs/osworld/observation/xml_nodes.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace brewery::osworld {

namespace {

bool is_xml_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool ends_name(char c) {
  return is_xml_space(c) || c == '>' || c == '/' || c == '=' || c == '<'
         || c == '"' || c == '\'';
}

class xml_reader {
public:
  explicit xml_reader(std::string_view text) : text_(text) {}

  result<std::vector<xml_node>> read() {
    if (text_.size() > xml_bytes_most)
      return error{ec::malformed, fmt::format("the XML has more than {} bytes",
                                              xml_bytes_most)};
    while (problem_.empty() && at_ < text_.size())
      if (peek() == '<')
        markup();
      else
        characters();
    if (problem_.empty() && (!open_.empty() || nodes_.empty()))
      fail("it ends inside an element");
    if (!problem_.empty())
      return error{ec::malformed,
                   fmt::format("not XML: {} at byte {}", problem_, place_)};
    return std::move(nodes_);
  }

private:
  struct open_element {
    std::size_t node = 0;
    std::string name;         ///< with its prefix
    std::size_t prefixes = 0; ///< how many were known before it
    bool has_child = false;
  };

  void fail(const char* what) {
    if (problem_.empty()) {
      problem_ = what;
      place_ = at_;
    }
    at_ = text_.size();
  }
  [[nodiscard]] char peek() const {
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(std::string_view wanted) {
    if (text_.substr(at_, wanted.size()) != wanted) return false;
    at_ += wanted.size();
    return true;
  }
  void skip_space() {
    while (at_ < text_.size() && is_xml_space(text_[at_]))
      ++at_;
  }
  /// The text up to `end`, which is skipped too.
  std::string_view until(std::string_view end) {
    const auto found = text_.find(end, at_);
    if (found == std::string_view::npos) {
      fail("something is not closed");
      return {};
    }
    const auto out = text_.substr(at_, found - at_);
    at_ = found + end.size();
    return out;
  }

  void markup() {
    if (take("<?")) return static_cast<void>(until("?>"));
    if (take("<!--")) return static_cast<void>(until("-->"));
    if (take("<![CDATA[")) return add_text(std::string{until("]]>")});
    if (take("<!")) return fail("a DTD is not read");
    if (take("</")) return close();
    ++at_;
    element();
  }

  void characters() {
    const auto next = text_.find('<', at_);
    const auto raw = text_.substr(at_, next - at_);
    add_text(decoded(raw, false));
    if (problem_.empty())
      at_ = next == std::string_view::npos ? text_.size() : next;
  }

  void add_text(std::string text) {
    if (open_.empty() || open_.back().has_child) return;
    nodes_[open_.back().node].text += text;
  }

  std::string_view name() {
    const auto from = at_;
    while (at_ < text_.size() && !ends_name(text_[at_]))
      ++at_;
    if (at_ == from) fail("a name is missing");
    return text_.substr(from, at_ - from);
  }

  void append_entity(std::string_view entity, std::string& out) {
    constexpr std::pair<std::string_view, char> known[] = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    for (const auto& [word, meaning] : known)
      if (entity == word) {
        out += meaning;
        return;
      }
    const bool hex = entity.starts_with("#x");
    const auto digits =
        entity.substr(std::min(entity.size(), std::size_t{hex ? 2U : 1U}));
    const auto value =
        whole_number<std::uint32_t>(digits, hex ? 16 : 10).value_or(0);
    if (!entity.starts_with('#') || value == 0 || value > 0x10ffff
        || (value >= 0xd800 && value < 0xe000))
      return fail("an unknown entity");
    append_utf8(value, out);
  }

  std::string decoded(std::string_view raw, bool attribute) {
    std::string out;
    out.reserve(raw.size());
    for (std::size_t i = 0; i < raw.size() && problem_.empty(); ++i) {
      if (raw[i] == '&') {
        const auto end = raw.find(';', i);
        if (end == std::string_view::npos) {
          fail("an entity is not closed");
          break;
        }
        append_entity(raw.substr(i + 1, end - i - 1), out);
        i = end;
      } else if (raw[i] == '\r') {
        if (i + 1 >= raw.size() || raw[i + 1] != '\n')
          out += attribute ? ' ' : '\n';
      } else {
        out += attribute && is_xml_space(raw[i]) ? ' ' : raw[i];
      }
    }
    return out;
  }

  void element() {
    if (nodes_.size() >= xml_nodes_most) return fail("too many elements");
    if (open_.empty() && !nodes_.empty()) return fail("a second root");
    const auto full = name();
    open_element mine{nodes_.size(), std::string{full}, prefixes_.size(),
                      false};
    std::vector<std::pair<std::string, std::string>> given;
    skip_space();
    while (problem_.empty() && peek() != '>' && peek() != '/') {
      const auto key = name();
      skip_space();
      if (!take("=")) return fail("an attribute has no value");
      skip_space();
      const char quote = peek();
      if (quote != '"' && quote != '\'')
        return fail("an attribute's value has no quotes");
      ++at_;
      auto value = decoded(until({&quote, 1}), true);
      if (key.starts_with("xmlns:"))
        prefixes_.emplace_back(key.substr(6), std::move(value));
      else if (key != "xmlns")
        given.emplace_back(key, std::move(value));
      skip_space();
    }
    if (!problem_.empty()) return;
    add_node(full, std::move(given));
    const bool empty = take("/");
    if (!take(">")) return fail("an element is not closed");
    if (empty)
      prefixes_.resize(mine.prefixes);
    else
      open_.push_back(std::move(mine));
  }

  void add_node(std::string_view full,
                std::vector<std::pair<std::string, std::string>> given) {
    if (!open_.empty()) open_.back().has_child = true;
    xml_node node;
    node.depth = open_.size();
    node.tag = full.substr(
        full.find(':') == std::string_view::npos ? 0 : full.find(':') + 1);
    for (auto& [key, value] : given) {
      const auto colon = key.find(':');
      if (colon == std::string::npos)
        node.attributes.push_back({"", key, std::move(value)});
      else
        node.attributes.push_back({space_of(key.substr(0, colon)),
                                   key.substr(colon + 1), std::move(value)});
    }
    nodes_.push_back(std::move(node));
  }

  std::string space_of(const std::string& prefix) {
    for (auto i = prefixes_.size(); i > 0; --i)
      if (prefixes_[i - 1].first == prefix) return prefixes_[i - 1].second;
    fail("an unknown prefix");
    return {};
  }

  void close() {
    const auto full = name();
    skip_space();
    if (!take(">")) return fail("an element is not closed");
    if (open_.empty() || open_.back().name != full)
      return fail("the wrong element is closed");
    prefixes_.resize(open_.back().prefixes);
    open_.pop_back();
  }

  std::string_view text_;
  std::size_t at_ = 0, place_ = 0;
  std::string problem_;
  std::vector<xml_node> nodes_;
  std::vector<open_element> open_;
  std::vector<std::pair<std::string, std::string>> prefixes_;
};

} // namespace

const std::string* xml_node::find(std::string_view space,
                                  std::string_view name) const {
  for (const auto& attribute : attributes)
    if (attribute.name == name && attribute.space == space)
      return &attribute.value;
  return nullptr;
}

result<std::vector<xml_node>> read_xml(std::string_view text) {
  return xml_reader{text}.read();
}

} // namespace brewery::osworld
