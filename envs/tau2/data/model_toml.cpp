#include "envs/tau2/data/model_toml.hpp"

#include "base/text.hpp"
#include "base/toml_reader.hpp"

#include <algorithm>
#include <sstream>

namespace brewery::tau2 {

namespace {

bool matches(std::string_view text, std::string_view pattern) {
  if (text.size() != pattern.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (pattern[i] == '0' ? !digit : text[i] != pattern[i]) return false;
  }
  return true;
}

int two_digits(std::string_view text, std::size_t at) {
  return (text[at] - '0') * 10 + (text[at + 1] - '0');
}

bool is_date(std::string_view text) {
  if (!matches(text, "0000-00-00")) return false;
  const int month = two_digits(text, 5), day = two_digits(text, 8);
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

bool is_time(std::string_view text) {
  return matches(text, "00:00:00") && two_digits(text, 0) < 24
         && two_digits(text, 3) < 60 && two_digits(text, 6) < 60;
}

template <class T>
std::string streamed(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

} // namespace

error toml_reader::fail(const toml::node& node, const std::string& key,
                        std::string_view what, ec code) const {
  return {code, fmt::format("{}:{}: {} {}", file_, node.source().begin.line,
                            key.empty() ? "the file" : key, what)};
}

error toml_reader::unknown_value(const toml::node& node, const std::string& key,
                                 std::string_view text,
                                 std::vector<std::string> choices) const {
  return fail(node, key,
              fmt::format("has the unknown value \"{}\" (one of: {})", text,
                          join(choices, ", ")));
}

std::string toml_reader::join_key(const std::string& key,
                                  std::string_view name) {
  return key.empty() ? std::string{name} : fmt::format("{}.{}", key, name);
}

std::vector<const toml::key*> toml_reader::keys(const toml::table& table) {
  std::vector<const toml::key*> found;
  for (auto it = table.begin(); it != table.end(); ++it)
    found.push_back(&it->first);
  std::sort(found.begin(), found.end(), [](auto a, auto b) {
    const auto left = a->source().begin, right = b->source().begin;
    return std::pair{left.line, left.column}
           < std::pair{right.line, right.column};
  });
  return found;
}

result<void>
toml_reader::known_keys(const toml::table& table, const std::string& key,
                        const std::vector<std::string>& names) const {
  for (const toml::key* name : keys(table)) {
    if (std::find(names.begin(), names.end(), name->str()) != names.end())
      continue;
    const std::string near = nearest(name->str(), names);
    const std::string hint =
        near.empty() ? "the data is of another version of tau2-bench"
                     : fmt::format("did you mean {}?", near);
    return fail(*table.get(name->str()), join_key(key, name->str()),
                fmt::format("is not a key of this version: {}", hint),
                ec::version_mismatch);
  }
  return {};
}

result<std::string> toml_reader::enum_value(const toml::node& node,
                                            const std::string& key) const {
  std::string text;
  if (const auto ok = read_plain(node, key, text); !ok) return ok.error();
  return text;
}

result<void> toml_reader::read_plain(const toml::node& node,
                                     const std::string& key,
                                     std::string& value) const {
  const auto* text = node.as_string();
  if (text == nullptr) return fail(node, key, "must be a string");
  value = text->get();
  return {};
}

result<void> toml_reader::read_plain(const toml::node& node,
                                     const std::string& key,
                                     bool& value) const {
  const auto* flag = node.as_boolean();
  if (flag == nullptr) return fail(node, key, "must be true or false");
  value = flag->get();
  return {};
}

result<void> toml_reader::read_plain(const toml::node& node,
                                     const std::string& key,
                                     double& value) const {
  if (const auto* real = node.as_floating_point())
    value = real->get();
  else if (const auto* whole = node.as_integer())
    value = static_cast<double>(whole->get());
  else
    return fail(node, key, "must be a number");
  return {};
}

result<void> toml_reader::read_plain(const toml::node& node,
                                     const std::string& key,
                                     py_number& value) const {
  double real = 0;
  if (const auto ok = read_plain(node, key, real); !ok) return ok.error();
  value = real;
  return {};
}

result<void> toml_reader::read_plain(const toml::node& node,
                                     const std::string& key,
                                     std::int64_t& value) const {
  const auto* whole = node.as_integer();
  if (whole == nullptr) return fail(node, key, "must be a whole number");
  value = whole->get();
  return {};
}

result<void> toml_reader::read_plain(const toml::node& node,
                                     const std::string& key,
                                     date_text& value) const {
  if (const auto* date = node.as_date())
    value.text = streamed(date->get());
  else if (const auto* text = node.as_string())
    value.text = text->get();
  if (!is_date(value.text)) return fail(node, key, "must be a date YYYY-MM-DD");
  return {};
}

result<void> toml_reader::read_plain(const toml::node& node,
                                     const std::string& key,
                                     time_text& value) const {
  std::string given;
  if (const auto* time = node.as_date_time())
    given = streamed(time->get());
  else if (const auto* text = node.as_string())
    given = text->get();
  const bool whole =
      given.size() == 19 && (given[10] == 'T' || given[10] == ' ');
  if (!whole || !is_date(std::string_view{given}.substr(0, 10))
      || !is_time(std::string_view{given}.substr(11)))
    return fail(node, key, "must be a time YYYY-MM-DDTHH:MM:SS");
  given[10] = ' ';
  value.text = std::move(given);
  return {};
}

result<toml::table> parse_toml(const text_file& file) {
  if (auto ok = check_toml_keys(file.text, file.name); !ok) return ok.error();
  try {
    return toml::parse(file.text, file.name);
  } catch (const toml::parse_error& e) {
    return error{ec::malformed,
                 fmt::format("{}:{}: {}", file.name, e.source().begin.line,
                             e.description())};
  }
}

} // namespace brewery::tau2
