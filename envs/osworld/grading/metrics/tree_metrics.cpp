/// Metrics over accessibility trees.
#include "base/text.hpp"
#include "envs/osworld/grading/metrics/xml_input.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace brewery::osworld {

namespace {

constexpr std::array kinds_of_attributes{
    std::pair{"st", "state"},
    std::pair{"attr", "attributes"},
    std::pair{"cp", "component"},
    std::pair{"doc", "document"},
    std::pair{"docattr", "document/attributes"},
    std::pair{"txt", "text"},
    std::pair{"val", "value"},
    std::pair{"act", "action"}};

xml_prefixes tree_prefixes() {
  xml_prefixes out;
  for (const auto& [prefix, name] : kinds_of_attributes)
    out[prefix] =
        fmt::format("https://accessibility.ubuntu.example.org/ns/{}", name);
  return out;
}

/// The selector of one rule: "xpath", or "selectors" of CSS, of which any.
result<xml_selector> rule_selector(const json& rule) {
  if (!rule.is_object()) return raises("a rule must be an object");
  const auto prefixes = tree_prefixes();
  if (const auto xpath = rule.find("xpath"); xpath != rule.end()) {
    if (!xpath->is_string()) return raises("xpath must be a text");
    return xml_selector::from_xpath(xpath->get_ref<const std::string&>(),
                                    prefixes);
  }
  const auto given = rule.find("selectors");
  if (given == rule.end() || !given->is_array())
    return raises("a rule needs xpath or selectors");
  std::vector<std::string> texts;
  for (const auto& one : *given) {
    if (!one.is_string()) return raises("selectors must be texts");
    texts.push_back(one.get<std::string>());
  }
  return xml_selector::from_css(join(texts, ", "), prefixes);
}

bool has_text(const xml_nodes& tree, const std::vector<std::size_t>& at,
              const json& wanted) {
  return std::any_of(at.begin(), at.end(), [&](std::size_t index) {
    const auto& text = tree[index].text;
    return text.empty() ? wanted.is_null() : wanted == text;
  });
}

metric_score check_accessibility_tree(const metric_input& in) {
  const auto rules = rules_of(in);
  if (!rules) return rules.error();
  const auto tree = nodes_of(in.result);
  if (!tree) return tree.error();
  const auto each = tau2::py_elements(*rules);
  if (!each) return each.error();
  bool all = true;
  for (const auto& rule : *each) {
    const auto selector = rule_selector(rule);
    if (!selector) return selector.error();
    const auto found = selector->select(*tree);
    if (found.empty()) return 0.0;
    if (!rule.contains("text")) continue;
    if (!is_on(rule, "exact", false))
      return raises("a rule with a text has to be exact here");
    all = has_text(*tree, found, rule["text"]) && all;
  }
  return all ? 1.0 : 0.0;
}

metric_score check_left_panel(const metric_input& in) {
  const auto tree = nodes_of(in.result);
  if (!tree) return tree.error();
  const auto views = selected(*tree, "//document-frame[@name='Slides View']");
  return views.empty() ? 0.0 : 1.0;
}

} // namespace

bool knows_tree_rules(const json& rules) {
  return rules.is_array()
         && std::all_of(rules.begin(), rules.end(), [](const json& rule) {
              return rule_selector(rule).has_value()
                     && (!rule.contains("text") || is_on(rule, "exact", false));
            });
}

const metric_table& tree_metrics() {
  static const metric_table table{
      {"check_accessibility_tree", check_accessibility_tree},
      {"check_left_panel", check_left_panel}};
  return table;
}

} // namespace brewery::osworld
