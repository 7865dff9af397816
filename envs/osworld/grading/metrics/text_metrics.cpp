/// Metrics over text files: lines, CSV, configurations of words.
#include "base/text.hpp"
#include "envs/osworld/grading/metrics/metric.hpp"
#include "envs/osworld/grading/python/py_csv.hpp"
#include "envs/osworld/grading/python/py_regex.hpp"
#include "envs/osworld/grading/python/py_text.hpp"
#include "envs/osworld/grading/python/sequence_matcher.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

#include <algorithm>

namespace brewery::osworld {

namespace {

metric_score diff_text_file(const metric_input& in) {
  if (in.result.is == graded_value::form::none) return 0.0;
  const auto got = text_of(in.result);
  if (!got) return got.error();
  if (!in.expected) return raises("there is no file to compare with");
  const auto wanted = text_of(*in.expected);
  if (!wanted) return wanted.error();
  return sequence_ratio(py_splitlines(*got), py_splitlines(*wanted));
}

/// re.sub(r'\s+', ' ', re.sub(r'[\t\n]', ' ', text).strip()).
std::string without_blanks(const std::string& text) {
  std::string out;
  for (const auto word : py_words(text)) {
    if (!out.empty()) out += ' ';
    out += word;
  }
  return out;
}

metric_score compare_text_file(const metric_input& in) {
  if (is_missing(in.result)) return 0.0;
  auto got = text_of(in.result);
  if (!got) return got.error();
  if (!in.expected) return raises("there is no file to compare with");
  auto wanted = text_of(*in.expected);
  if (!wanted) return wanted.error();
  for (auto* text : {&*got, &*wanted}) {
    if (is_on(in.options, "ignore_blanks", false))
      *text = without_blanks(*text);
    if (is_on(in.options, "ignore_case", false)) *text = py_lower(*text);
  }
  return *got == *wanted ? 1.0 : 0.0;
}

metric_score file_contains(const metric_input& in) {
  // The official one catches every exception and scores 0.
  const auto text = text_of(in.result);
  const auto expected = rule_of(in, "expected");
  if (!text || !expected) return 0.0;
  const auto items = tau2::py_elements(*expected);
  if (!items) return 0.0;
  for (const auto& item : *items)
    if (const auto found = py_contains(*text, item); !found || !*found)
      return 0.0;
  return 1.0;
}

metric_score check_line_number(const metric_input& in) {
  const auto text = text_of(in.result);
  const auto expected = rule_of(in, "expected");
  if (!text || !expected) return 0.0;
  static const auto time =
      py_regex::compile("([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)");
  std::int64_t count = 0;
  for (const auto line : py_file_lines(*text)) {
    const auto found = time->search(line);
    if (!found) return found.error();
    count += *found ? 1 : 0;
  }
  const auto wanted = expected->is_string()
                          ? trim(expected->get_ref<const std::string&>())
                          : std::string_view{};
  return std::to_string(count) == wanted
                 || (expected->is_number()
                     && static_cast<double>(count) == expected->get<double>())
             ? 1.0
             : 0.0;
}

using regex_list = std::vector<py_regex>;

result<regex_list> regexes(const json& rules, const char* name) {
  regex_list out;
  const auto list = rules.find(name);
  if (list == rules.end()) return out;
  for (const auto& pattern : *list) {
    if (!pattern.is_string()) return raises("a pattern must be a text");
    auto made = py_regex::compile(pattern.get_ref<const std::string&>());
    if (!made) return made.error();
    out.push_back(std::move(*made));
  }
  return out;
}

metric_score check_list(const metric_input& in) {
  if (in.result.is == graded_value::form::none) return 0.0;
  const auto rules = rules_of(in);
  if (!rules) return rules.error();
  if (!rules->is_object()) return raises("the rules must be an object");
  const auto wanted = regexes(*rules, "expect");
  if (!wanted) return wanted.error();
  const auto unwanted = regexes(*rules, "unexpect");
  if (!unwanted) return unwanted.error();
  const auto text = text_of(in.result);
  if (!text) return text.error();
  std::vector<bool> met(wanted->size());
  bool clean = true;
  for (const auto line : py_file_lines(*text)) {
    for (std::size_t i = 0; i < met.size(); ++i) {
      if (met[i]) continue;
      const auto found = (*wanted)[i].search(line);
      if (!found) return found.error();
      met[i] = *found;
    }
    for (const auto& pattern : *unwanted) {
      if (!clean) break;
      const auto found = pattern.search(line);
      if (!found) return found.error();
      clean = !*found;
    }
  }
  return clean && std::all_of(met.begin(), met.end(), [](bool m) { return m; })
             ? 1.0
             : 0.0;
}

/// _match_record(pattern, item).
bool matches_record(const json& pattern, const csv_record& record) {
  if (!pattern.is_object()) return false;
  for (const auto& [name, wanted] : pattern.items()) {
    // Of two fields with one name the later counts.
    const auto found = std::find_if(
        record.rbegin(), record.rend(),
        [&key = name](const auto& field) { return field.first == key; });
    if (found == record.rend()) return false;
    const json value = found->second ? json(*found->second) : json{};
    if (!tau2::py_equal(value, wanted)) return false;
  }
  return true;
}

metric_score check_csv(const metric_input& in) {
  if (in.result.is == graded_value::form::none) return 0.0;
  const auto rules = rules_of(in);
  if (!rules) return rules.error();
  const auto text = text_of(in.result);
  if (!text) return text.error();
  const auto records = py_csv_records(*text);
  if (!records) return records.error();
  const auto wanted = rules->value("expect", json::array());
  const auto unwanted = rules->value("unexpect", json::array());
  const auto is_there = [&](const json& pattern) {
    return std::any_of(
        records->begin(), records->end(),
        [&](const auto& record) { return matches_record(pattern, record); });
  };
  return std::all_of(wanted.begin(), wanted.end(), is_there)
                 && std::none_of(unwanted.begin(), unwanted.end(), is_there)
             ? 1.0
             : 0.0;
}

/// _safe_read_file: any bytes have lines, because Latin-1 reads them all.
std::vector<std::string> safe_lines(const std::string& bytes) {
  if (const auto text = py_read_text(bytes)) return py_splitlines(*text);
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
      continue;
    }
    text += static_cast<char>(0xc0 | byte >> 6U);
    text += static_cast<char>(0x80 | (byte & 0x3fU));
  }
  return py_splitlines(*py_read_text(text));
}

std::vector<std::string> csv_lines(const std::string& bytes,
                                   const json& options) {
  auto lines = safe_lines(bytes);
  for (auto& line : lines) {
    if (!is_on(options, "strict", true)) line = std::string{py_strip(line)};
    if (is_on(options, "ignore_case", false)) line = py_lower(line);
  }
  return lines;
}

metric_score compare_csv(const metric_input& in) {
  if (in.result.is == graded_value::form::none) return 0.0;
  if (in.result.is != graded_value::form::file || !in.expected)
    return raises("there is no file to compare");
  const auto got = csv_lines(*in.result.files.front(), in.options);
  for (const auto& wanted : in.expected->files)
    if (wanted && csv_lines(*wanted, in.options) == got) return 1.0;
  return 0.0;
}

/// A line of gimprc: (key value), or (key inner value).
metric_score check_config_status(const metric_input& in) {
  if (in.result.is == graded_value::form::none) return 0.0;
  const auto text = text_of(in.result);
  if (!text) return text.error();
  const auto key = rule_of(in, "key");
  const auto value = rule_of(in, "value");
  for (const auto line : py_file_lines(*text)) {
    if (line.starts_with('#') || line == "\n") continue;
    auto inner = py_strip(line);
    while (inner.starts_with('('))
      inner.remove_prefix(1);
    while (inner.ends_with(')') || inner.ends_with('\n'))
      inner.remove_suffix(1);
    const auto items = py_words(inner);
    if (!key) return key.error();
    const bool one = key->is_string();
    if (!one && !(key->is_array() && key->size() == 2)) continue;
    if (items.empty()) return raises("a line of the file has no words");
    if ((one ? *key : (*key)[0]) != items[0]) continue;
    if (!one && items.size() < 2) return raises("a line has no second word");
    if (!one && (*key)[1] != items[1]) continue;
    if (!value) return value.error();
    if (*value == items.back()) return 1.0;
  }
  return 0.0;
}

/// Without blank lines and what only names interpreter and encoding.
std::string pure_python(std::string_view text) {
  const auto lines = py_splitlines(text);
  std::size_t at = 0;
  for (; at < lines.size() && at < 3; ++at) {
    const auto line = py_strip(lines[at]);
    if (!line.starts_with("#!") && !line.starts_with("# -*- coding:")
        && !line.starts_with("# coding:") && !line.starts_with("# coding="))
      break;
  }
  std::vector<std::string> out;
  for (; at < lines.size(); ++at) {
    if (py_strip(lines[at]).empty()) continue;
    std::string expanded;
    std::size_t column = 0;
    for (const char c : lines[at]) {
      if (c == '\t') {
        const auto spaces = 4 - column % 4;
        expanded.append(spaces, ' ');
        column += spaces;
        continue;
      }
      expanded += c;
      column += (static_cast<unsigned char>(c) & 0xc0U) == 0x80U ? 0 : 1;
    }
    const auto stripped = py_strip(expanded);
    const auto from = expanded.find(stripped);
    out.push_back(expanded.substr(0, from + stripped.size()));
  }
  return join(out, "\n");
}

metric_score compare_python_pure_text(const metric_input& in) {
  const auto got = text_of(in.result);
  if (!got || !in.expected) return 0.0;
  const auto wanted = text_of(*in.expected);
  if (!wanted) return 0.0;
  return pure_python(*got) == pure_python(*wanted) ? 1.0 : 0.0;
}

} // namespace

const metric_table& text_metrics() {
  static const metric_table table{
      {"diff_text_file", diff_text_file},
      {"compare_text_file", compare_text_file},
      {"file_contains", file_contains},
      {"check_line_number", check_line_number},
      {"check_list", check_list},
      {"check_csv", check_csv},
      {"compare_csv", compare_csv},
      {"check_config_status", check_config_status},
      {"compare_python_pure_text", compare_python_pure_text}};
  return table;
}

} // namespace brewery::osworld
