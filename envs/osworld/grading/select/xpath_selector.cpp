/// The part of XPath 1.0 that rules use.
#include "envs/osworld/grading/select/selector_text.hpp"

namespace brewery::osworld {

namespace {

using kind = xml_condition::kind;

/// Parentheses in one another that a reader follows.
constexpr int nesting_most = 20;

class xpath_reader {
public:
  xpath_reader(std::string_view text, const xml_prefixes& prefixes)
      : at_(text, prefixes) {}

  result<std::vector<xml_step>> read() {
    std::vector<xml_step> out;
    at_.skip_space();
    while (!at_.at_end()) {
      xml_step step;
      if (!at_.take("/")) return at_.refused("a / is needed");
      step.along =
          at_.take("/") ? xml_step::axis::descendant : xml_step::axis::child;
      at_.skip_space();
      const bool any = at_.take("*");
      if (!any) step.tag = at_.name();
      if (!any && step.tag.empty()) return at_.refused("a name is needed");
      if (auto ok = predicates(step); !ok) return ok.error();
      out.push_back(std::move(step));
      at_.skip_space();
    }
    if (out.empty()) return at_.refused("a path is needed");
    return out;
  }

private:
  result<void> predicates(xml_step& step) {
    at_.skip_space();
    while (at_.take("[")) {
      auto where = any_of(0);
      if (!where) return where.error();
      step.where.parts.push_back(std::move(*where));
      at_.skip_space();
      if (!at_.take("]")) return at_.refused("a ] is needed");
      at_.skip_space();
    }
    return {};
  }

  result<xml_condition> any_of(int depth) { return joined(kind::any, depth); }

  /// Conditions joined by "or", each of them joined by "and".
  result<xml_condition> joined(kind how, int depth) {
    xml_condition out{how};
    const auto* word = how == kind::any ? "or" : "and";
    do {
      auto part = how == kind::any ? joined(kind::all, depth) : one(depth);
      if (!part) return part.error();
      out.parts.push_back(std::move(*part));
      at_.skip_space();
    } while (at_.take(word));
    return out;
  }

  result<xml_condition> one(int depth) {
    if (depth == nesting_most) return at_.refused("too much in parentheses");
    at_.skip_space();
    if (at_.take("(")) return closed(any_of(depth + 1));
    if (at_.take("not(")) {
      auto inner = closed(any_of(depth + 1));
      if (!inner) return inner;
      xml_condition out{kind::none};
      out.parts.push_back(std::move(*inner));
      return out;
    }
    if (at_.take("contains(")) return function(kind::contains);
    if (at_.take("starts-with(")) return function(kind::starts_with);
    return comparison();
  }

  result<xml_condition> closed(result<xml_condition> inner) {
    at_.skip_space();
    if (inner && !at_.take(")")) return at_.refused("a ) is needed");
    return inner;
  }

  result<xml_condition> function(kind is) {
    auto out = operand();
    if (!out) return out;
    out->is = is;
    at_.skip_space();
    if (!at_.take(",")) return at_.refused("a , is needed");
    auto value = literal();
    if (!value) return value.error();
    out->value = std::move(*value);
    return closed(std::move(out));
  }

  result<xml_condition> comparison() {
    auto out = operand();
    if (!out) return out;
    // One of several texts would do, and only the first is known.
    if (out->of_text) return at_.refused("text() outside of a function");
    at_.skip_space();
    out->is = at_.take("=")    ? kind::equal
              : at_.take("!=") ? kind::differs
                               : kind::exists;
    if (out->is == kind::exists) return out;
    auto value = literal();
    if (!value) return value.error();
    out->value = std::move(*value);
    return out;
  }

  /// @name, @prefix:name or text().
  result<xml_condition> operand() {
    xml_condition out;
    at_.skip_space();
    if (at_.take("text()")) {
      out.of_text = true;
      return out;
    }
    if (!at_.take("@")) return at_.refused("not known here");
    out.name = at_.name();
    if (at_.take(":")) {
      const auto* space = at_.space_of(out.name);
      if (!space) return at_.refused("an unknown prefix");
      out.space = *space;
      out.name = at_.name();
    }
    if (out.name.empty()) return at_.refused("a name is needed");
    return out;
  }

  result<std::string> literal() {
    at_.skip_space();
    const char quote = at_.next();
    if (quote != '"' && quote != '\'') return at_.refused("a text is needed");
    std::string out;
    while (!at_.at_end() && at_.peek() != quote)
      out += at_.next();
    if (at_.next() != quote) return at_.refused("a text is not closed");
    return out;
  }

  selector_cursor at_;
};

} // namespace

result<xml_selector> xml_selector::from_xpath(std::string_view text,
                                              const xml_prefixes& prefixes) {
  auto steps = xpath_reader{text, prefixes}.read();
  if (!steps) return steps.error();
  return xml_selector{{std::move(*steps)}};
}

} // namespace brewery::osworld
