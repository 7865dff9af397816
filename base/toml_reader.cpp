#include "base/toml_reader.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <tuple>

namespace brewery {

namespace {

constexpr std::size_t shown_bytes_max = 60;

std::string type_name(const toml::node& node) {
  switch (node.type()) {
  case toml::node_type::string:
    return "a string";
  case toml::node_type::integer:
    return "an integer";
  case toml::node_type::floating_point:
    return "a number";
  case toml::node_type::boolean:
    return "true or false";
  case toml::node_type::array:
    return "a list";
  case toml::node_type::table:
    return "a section";
  default:
    return "a date or time";
  }
}

std::optional<option_value> list_shape(const toml::array& items) {
  std::vector<std::string> words;
  for (const auto& item : items) {
    const auto word = item.value_exact<std::string>();
    if (!word) return std::nullopt;
    words.push_back(*word);
  }
  return words;
}

std::optional<option_value> shape_of(const toml::node& node) {
  if (const auto v = node.value_exact<bool>()) return *v;
  if (const auto v = node.value_exact<std::int64_t>()) return *v;
  if (const auto v = node.value_exact<double>()) return *v;
  if (const auto v = node.value_exact<std::string>()) return *v;
  if (const auto* v = node.as_array()) return list_shape(*v);
  return std::nullopt;
}

toml_value to_value(const toml::node& node) {
  toml_value out{shape_of(node), type_name(node), ""};
  if (out.shape) {
    out.text = single_line(write_toml(*out.shape), shown_bytes_max);
  } else {
    std::ostringstream text;
    text << toml::toml_formatter{node};
    out.text = single_line(trim(text.str()), shown_bytes_max);
  }
  return out;
}

toml_item make_item(std::string section, std::string key,
                    const toml::source_position& at, const toml::node& node) {
  return {std::move(section), std::move(key), at.line, at.column,
          to_value(node)};
}

void add_section(std::vector<toml_item>& items, const std::string& section,
                 const toml::table& table, const toml::source_position& at,
                 toml_nesting nested) {
  items.push_back({section, "", at.line, at.column, {}});
  for (const auto& [name, value] : table) {
    const std::string key{name.str()};
    const auto begin = name.source().begin;
    if (const auto* inner = value.as_table(); inner && nested(section, key))
      add_section(items, section + '.' + key, *inner, begin,
                  [](const auto&, const auto&) { return false; });
    else
      items.push_back(make_item(section, key, begin, value));
  }
}

std::vector<toml_item> flatten(const toml::table& root, toml_nesting nested) {
  std::vector<toml_item> items;
  for (const auto& [name, node] : root) {
    const std::string section{name.str()};
    const auto at = name.source().begin;
    const auto* table = node.as_table();
    if (!table) {
      items.push_back(make_item("", section, at, node));
      continue;
    }
    add_section(items, section, *table, at, nested);
  }
  // Restores the file's order, because toml++ sorts keys by name.
  std::stable_sort(
      items.begin(), items.end(), [](const auto& a, const auto& b) {
        return std::tie(a.line, a.column) < std::tie(b.line, b.column);
      });
  return items;
}

bool has_tables(const toml::array& items) {
  return !items.empty() && items.is_homogeneous(toml::node_type::table);
}

void add_leaf(std::vector<toml_leaf>& out, std::vector<std::string> path,
              const toml::node& node, const toml::source_position& at) {
  toml_leaf leaf{std::move(path), at.line, at.column,
                 to_value(node),  false,   {}};
  if (const auto* items = node.as_array()) {
    leaf.is_list = true;
    for (const auto& item : *items)
      leaf.elements.push_back(to_value(item));
  }
  out.push_back(std::move(leaf));
}

/// `prefix`: the names between the last of `path` and this table, with dots.
void add_leaves(std::vector<toml_leaf>& out, const toml::table& table,
                const std::vector<std::string>& path, std::string prefix) {
  for (const auto& [name, node] : table) {
    const auto key = prefix + std::string{name.str()};
    auto below = path;
    below.push_back(key);
    if (const auto* inner = node.as_table()) {
      if (path.empty() && inner->empty())
        add_leaf(out, std::move(below), node, name.source().begin);
      else if (path.empty())
        add_leaves(out, *inner, below, "");
      else
        add_leaves(out, *inner, path, key + '.');
      continue;
    }
    const auto* items = node.as_array();
    if (!items || !has_tables(*items)) {
      add_leaf(out, std::move(below), node, name.source().begin);
      continue;
    }
    for (std::size_t i = 0; i < items->size(); ++i) {
      auto numbered = below;
      numbered.push_back(std::to_string(i));
      add_leaves(out, *items->get(i)->as_table(), numbered, "");
    }
  }
}

std::string write_number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

} // namespace

namespace {

/// Behind the text that begins here, or behind a quoted part of a key. At the
/// end of its line if it is not closed: the parser says what is wrong.
std::size_t behind_quoted(std::string_view text, std::size_t begin) {
  const auto mark = text.substr(begin, 3);
  const bool lines = mark == R"(""")" || mark == "'''";
  const auto close = lines ? mark : text.substr(begin, 1);
  auto at = begin + close.size();
  for (; at < text.size() && !text.substr(at).starts_with(close); ++at) {
    if (text[at] == '\n' && !lines) return at;
    if (text[at] == '\\' && close.front() == '"') ++at;
  }
  at = std::min(at + close.size(), text.size());
  // Up to two quotes of the text may stand before those that close it.
  for (int i = 0; lines && i < 2 && text.substr(at).starts_with(close[0]); ++i)
    ++at;
  return at;
}

bool may_be_in_key(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'
         || c == '-' || c == ' ' || c == '\t';
}

} // namespace

result<void> check_toml_keys(std::string_view text, std::string_view file) {
  constexpr std::size_t parts_max = 100;
  std::size_t dots = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = behind_quoted(text, at);
      continue;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    ++at;
    if (c != '.') {
      if (!may_be_in_key(c)) dots = 0;
    } else if (++dots >= parts_max) {
      return error{ec::malformed,
                   fmt::format("{}:{}: not valid TOML: a key has more than {} "
                               "parts",
                               file,
                               1 + std::ranges::count(text.substr(0, at), '\n'),
                               parts_max)};
    }
  }
  return {};
}

result<std::vector<toml_item>>
read_toml(std::string_view text, const std::string& file, toml_nesting nested) {
  if (auto ok = check_toml_keys(text, file); !ok) return ok.error();
  try {
    return flatten(toml::parse(text, file), nested);
  } catch (const toml::parse_error& err) {
    const auto at = err.source().begin;
    return error{ec::malformed,
                 fmt::format("{}:{}:{}: not valid TOML: {}", file, at.line,
                             at.column, single_line(err.description()))};
  }
}

result<std::vector<toml_leaf>> read_toml_leaves(std::string_view text,
                                                const std::string& file) {
  if (auto ok = check_toml_keys(text, file); !ok) return ok.error();
  try {
    std::vector<toml_leaf> out;
    add_leaves(out, toml::parse(text, file), {}, "");
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
      return std::tie(a.line, a.column) < std::tie(b.line, b.column);
    });
    return out;
  } catch (const toml::parse_error& err) {
    const auto at = err.source().begin;
    return error{ec::malformed,
                 fmt::format("{}:{}:{}: not valid TOML: {}", file, at.line,
                             at.column, single_line(err.description()))};
  }
}

result<toml_value> read_toml_value(std::string_view text) {
  if (auto ok = check_toml_keys(text, "value"); !ok) return ok.error();
  try {
    const auto root = toml::parse("v = " + std::string{text});
    const auto* node = root.get("v");
    // A line break could add a second key.
    if (node && root.size() == 1 && text.find('\n') == std::string_view::npos)
      return to_value(*node);
  } catch (const toml::parse_error&) {
    // No return: the caller may take the text as a bare word.
  }
  return error{ec::malformed,
               "not a TOML value: " + single_line(text, shown_bytes_max)};
}

std::string quote_toml(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += std::string{'\\', c};
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (byte < 0x20 || byte == 0x7f)
      out += fmt::format("\\u{:04X}", byte);
    else
      out += c;
  }
  return out + '"';
}

std::string write_toml(const option_value& value) {
  if (const auto* v = std::get_if<bool>(&value)) return *v ? "true" : "false";
  if (const auto* v = std::get_if<std::int64_t>(&value))
    return fmt::format("{}", *v);
  if (const auto* v = std::get_if<double>(&value)) return write_number(*v);
  if (const auto* v = std::get_if<std::string>(&value)) return quote_toml(*v);
  std::vector<std::string> words;
  for (const auto& word : std::get<std::vector<std::string>>(value))
    words.push_back(quote_toml(word));
  return '[' + join(words, ", ") + ']';
}

} // namespace brewery
