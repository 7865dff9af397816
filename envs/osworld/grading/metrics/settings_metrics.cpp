/// Metrics over settings of the browser and of windows, and over databases.
#include "envs/osworld/grading/metrics/metric.hpp"
#include "envs/osworld/grading/python/py_text.hpp"
#include "envs/osworld/grading/sqlite_file.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

#include <algorithm>
#include <charconv>
#include <functional>

namespace brewery::osworld {

namespace {

result<json> object_of(const graded_value* value, const char* what) {
  if (!value || value->is != graded_value::form::data
      || !value->data.is_object())
    return raises(std::string{what} + " is no object");
  return value->data;
}

/// The values of a member of all bookmarks of a kind; an error for a KeyError.
result<std::vector<json>> bookmark_values(const json& folder, const char* kind,
                                          const char* member) {
  std::vector<json> out;
  if (!folder.is_object() || !folder.contains("children"))
    return raises("the bookmark folder has no children");
  for (const auto& entry : folder["children"]) {
    if (!entry.is_object() || !entry.contains("type"))
      return raises("a bookmark has no type");
    if (entry["type"] != kind) continue;
    if (!entry.contains(member)) return raises("a bookmark lacks a member");
    out.push_back(entry[member]);
  }
  return out;
}

bool holds_all(const std::vector<json>& in, const std::vector<json>& of) {
  return std::all_of(of.begin(), of.end(), [&](const json& one) {
    return std::any_of(in.begin(), in.end(), [&](const json& other) {
      return tau2::py_equal(one, other);
    });
  });
}

bool same_set(const std::vector<json>& a, const std::vector<json>& b) {
  return holds_all(a, b) && holds_all(b, a);
}

/// Whether the set is one address of each group: {a or b, c or d}.
bool is_a_choice(const std::vector<json>& urls, const json& groups) {
  // Every address must be in a group, and a choice must use all of them:
  // distinct addresses are matched to distinct groups (augmenting paths), and
  // groups that are left choose one that is used.
  std::vector<json> distinct;
  for (const auto& url : urls)
    if (!holds_all(distinct, {url})) distinct.push_back(url);
  const auto in_group = [&](const json& url, const json& group) {
    if (!group.is_array()) return tau2::py_equal(url, group);
    return std::any_of(group.begin(), group.end(), [&](const json& one) {
      return tau2::py_equal(one, url);
    });
  };
  for (const auto& group : groups)
    if (std::none_of(distinct.begin(), distinct.end(),
                     [&](const json& url) { return in_group(url, group); }))
      return false;
  std::vector<std::size_t> taken(groups.size(), distinct.size());
  const std::function<bool(std::size_t, std::vector<bool>&)> place =
      [&](std::size_t url, std::vector<bool>& seen) {
        for (std::size_t g = 0; g < groups.size(); ++g) {
          if (seen[g] || !in_group(distinct[url], groups[g])) continue;
          seen[g] = true;
          if (taken[g] == distinct.size() || place(taken[g], seen)) {
            taken[g] = url;
            return true;
          }
        }
        return false;
      };
  for (std::size_t url = 0; url < distinct.size(); ++url) {
    std::vector<bool> seen(groups.size());
    if (!place(url, seen)) return false;
  }
  return true;
}

result<std::vector<json>> list_of(const json& rules, const char* name) {
  if (!rules.contains(name) || !rules[name].is_array())
    return raises(std::string{"the rules have no list "} + name);
  return std::vector<json>(rules[name].begin(), rules[name].end());
}

metric_score liked_authors(const json& bar, const json& rules) {
  if (!bar.is_object() || !bar.contains("children"))
    return raises("the bookmark bar has no children");
  for (const auto& entry : bar["children"]) {
    if (!entry.is_object() || entry.value("type", "") != "folder"
        || entry.value("name", "") != "Liked Authors")
      continue;
    const auto urls = bookmark_values(entry, "url", "url");
    if (!urls) return urls.error();
    const auto wanted = list_of(rules, "urls");
    if (!wanted) return wanted.error();
    return is_a_choice(*urls, rules["urls"]) ? 1.0 : 0.0;
  }
  return 0.0;
}

metric_score is_expected_bookmarks(const metric_input& in) {
  if (is_missing(in.result)) return 0.0;
  const auto roots = object_of(&in.result, "the bookmarks");
  if (!roots) return roots.error();
  const auto rules = object_of(in.expected, "the rules");
  if (!rules) return rules.error();
  const auto type = rules->value("type", json{});
  const auto bar = roots->value("bookmark_bar", json{});
  if (type == "liked_authors_websites_urls") return liked_authors(bar, *rules);
  const bool folders = type == "bookmark_bar_folders_names";
  if (!folders && type != "bookmark_bar_websites_urls")
    return raises("the rules have an unknown type");
  const auto got = bookmark_values(bar, folders ? "folder" : "url",
                                   folders ? "name" : "url");
  if (!got) return got.error();
  const auto wanted = list_of(*rules, folders ? "names" : "urls");
  if (!wanted) return wanted.error();
  return same_set(*got, *wanted) ? 1.0 : 0.0;
}

metric_score check_font_size(const metric_input& in) {
  const auto sizes = object_of(&in.result, "the font sizes");
  if (!sizes) return sizes.error();
  const auto rules = object_of(in.expected, "the rules");
  if (!rules) return rules.error();
  if (!sizes->contains("default_font_size"))
    return raises("there is no default_font_size");
  const auto& size = (*sizes)["default_font_size"];
  const auto type = rules->value("type", json{});
  if (type == "value")
    return tau2::py_equal(size, rules->value("value", json{})) ? 1.0 : 0.0;
  if (type != "range") return raises("the rules have an unknown type");
  const auto met =
      matches_rule(size, {{"method", "range.tt"},
                          {"ref", json::array({rules->value("min", json{}),
                                               rules->value("max", json{})})}});
  if (!met) return met.error();
  return *met ? 1.0 : 0.0;
}

metric_score is_vlc_fullscreen(const metric_input& in) {
  if (in.result.is == graded_value::form::none || !in.expected
      || in.expected->is == graded_value::form::none)
    return 0.0;
  const auto window = object_of(&in.result, "the window's size");
  if (!window) return window.error();
  const auto screen = object_of(in.expected, "the screen's size");
  if (!screen) return screen.error();
  for (const char* side : {"width", "height"})
    if (!window->contains(side) || !screen->contains(side)
        || !tau2::py_equal((*window)[side], (*screen)[side]))
      return 0.0;
  return 1.0;
}

/// float(text) of a decimal number.
metric_score number_in(std::string_view text) {
  text = py_strip(text);
  double out = 0;
  const auto read =
      std::from_chars(text.data(), text.data() + text.size(), out);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size())
    return raises("the query gives no number");
  return out;
}

/// The first value that a query gives, as a number.
metric_score run_sqlite3(const metric_input& in) {
  const auto query = rule_of(in, "sql");
  if (!query) return query.error();
  if (!query->is_string()) return raises("sql must be a text");
  if (in.result.is != graded_value::form::file || !in.result.files.front())
    return raises("there is no database");
  const auto rows =
      sqlite_rows(*in.result.files.front(), query->get<std::string>(), 1);
  if (!rows) return rows.error();
  if (rows->empty() || rows->front().empty())
    return raises("the query gives no row");
  const auto& value = rows->front()[0];
  if (!is_true(value)) return 0.0;
  return value.is_string() ? number_in(value.get_ref<const std::string&>())
                           : metric_score{value.get<double>()};
}

} // namespace

const metric_table& settings_metrics() {
  static const metric_table table{
      {"is_expected_bookmarks", is_expected_bookmarks},
      {"check_font_size", check_font_size},
      {"run_sqlite3", run_sqlite3},
      {"is_vlc_fullscreen", is_vlc_fullscreen}};
  return table;
}

} // namespace brewery::osworld
