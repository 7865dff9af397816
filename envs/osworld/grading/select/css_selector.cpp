/// The part of CSS selectors that rules use.
#include "envs/osworld/grading/select/selector_text.hpp"

#include <cctype>

namespace brewery::osworld {

namespace {

using axis = xml_step::axis;

class css_reader {
public:
  css_reader(std::string_view text, const xml_prefixes& prefixes)
      : at_(text, prefixes) {}

  result<std::vector<std::vector<xml_step>>> read() {
    std::vector<std::vector<xml_step>> out;
    do {
      at_.skip_space();
      auto steps = complex();
      if (!steps) return steps.error();
      out.push_back(std::move(*steps));
    } while (at_.take(","));
    if (!at_.at_end()) return at_.refused("not known here");
    return out;
  }

private:
  result<std::vector<xml_step>> complex() {
    std::vector<xml_step> out;
    auto along = axis::descendant;
    while (true) {
      auto step = compound();
      if (!step) return step.error();
      step->along = along;
      out.push_back(std::move(*step));
      const bool spaced = at_.skip_space();
      if (at_.at_end() || at_.peek() == ',') return out;
      if (at_.take(">"))
        along = axis::child;
      else if (at_.take("~"))
        along = axis::later_sibling;
      else if (at_.take("+"))
        along = axis::next;
      else if (spaced)
        along = axis::descendant;
      else
        return at_.refused("not known here");
      at_.skip_space();
    }
  }

  result<xml_step> compound() {
    xml_step out;
    const bool any = at_.take("*");
    if (!any && at_.peek() != '[') {
      auto tag = identifier();
      if (!tag) return tag.error();
      out.tag = std::move(*tag);
    }
    while (at_.take("[")) {
      auto where = attribute();
      if (!where) return where.error();
      out.where.parts.push_back(std::move(*where));
    }
    return out;
  }

  /// With escapes of a character by itself; those by its number are refused.
  result<std::string> identifier() {
    std::string out;
    while (true) {
      if (at_.take("\\")) {
        const char c = at_.next();
        if (c == '\0' || c == '\n'
            || std::isxdigit(static_cast<unsigned char>(c)))
          return at_.refused("an escape that is not known");
        out += c;
      } else if (selector_cursor::is_name_character(at_.peek())) {
        out += at_.next();
      } else {
        break;
      }
    }
    const bool digit = !out.empty() && out[0] >= '0' && out[0] <= '9';
    if (out.empty() || digit) return at_.refused("a name is needed");
    return out;
  }

  result<std::string> text_value() {
    const char quote = at_.peek();
    if (quote != '"' && quote != '\'') return identifier();
    at_.next();
    std::string out;
    while (at_.peek() != quote) {
      if (at_.at_end() || at_.peek() == '\n' || at_.peek() == '\\')
        return at_.refused("a text that is not known");
      out += at_.next();
    }
    at_.next();
    return out;
  }

  result<xml_condition> attribute() {
    at_.skip_space();
    xml_condition out{xml_condition::kind::exists};
    auto name = identifier();
    if (!name) return name.error();
    out.name = std::move(*name);
    if (at_.take("|")) {
      const auto* space = at_.space_of(out.name);
      if (!space) return at_.refused("an unknown prefix");
      out.space = *space;
      name = identifier();
      if (!name) return name.error();
      out.name = std::move(*name);
    }
    at_.skip_space();
    if (at_.take("]")) return out;
    auto operation = comparison(out);
    if (!operation) return operation.error();
    at_.skip_space();
    auto value = text_value();
    if (!value) return value.error();
    out.value = std::move(*value);
    at_.skip_space();
    if (!at_.take("]")) return at_.refused("a ] is needed");
    // Nothing contains, starts or ends with no text, as CSS has it.
    if (out.value.empty() && out.is != xml_condition::kind::equal)
      return xml_condition{xml_condition::kind::any};
    return out;
  }

  result<void> comparison(xml_condition& out) {
    using kind = xml_condition::kind;
    if (at_.take("="))
      out.is = kind::equal;
    else if (at_.take("*="))
      out.is = kind::contains;
    else if (at_.take("^="))
      out.is = kind::starts_with;
    else if (at_.take("$="))
      out.is = kind::ends_with;
    else
      return at_.refused("a comparison that is not known");
    return {};
  }

  selector_cursor at_;
};

} // namespace

result<xml_selector> xml_selector::from_css(std::string_view text,
                                            const xml_prefixes& prefixes) {
  auto paths = css_reader{text, prefixes}.read();
  if (!paths) return paths.error();
  return xml_selector{std::move(*paths)};
}

} // namespace brewery::osworld
