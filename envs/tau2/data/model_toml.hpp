#pragma once
/// Reads models (model.hpp) from TOML. Errors are one line with file, line and
/// key path: a missing key, a wrong type, a value outside its set, or an
/// unknown key (ec::version_mismatch: data of another version).

#include "envs/tau2/data/model.hpp"
#include "envs/tau2/data/text_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

namespace brewery::tau2 {

class toml_reader {
public:
  explicit toml_reader(std::string file) : file_(std::move(file)) {}

  template <class T>
  result<void> read(const toml::node& node, const std::string& key,
                    T& value) const {
    if constexpr (is_a<T, std::optional>) {
      return read(node, key, value.emplace());
    } else if constexpr (is_a<T, cow>) {
      return read(node, key, value.edit());
    } else if constexpr (is_a<T, loose>) {
      return read(node, key, value.value);
    } else if constexpr (std::is_enum_v<T>) {
      return read_enum(node, key, value);
    } else if constexpr (is_ordered<T>) {
      return read_ordered(node, key, value);
    } else if constexpr (is_a<T, std::vector>) {
      return read_array(node, key, value);
    } else if constexpr (requires(T & t) { T::each(t, [](auto&&...) {}); }) {
      return read_table(node, key, value);
    } else {
      return read_plain(node, key, value);
    }
  }

  [[nodiscard]] error fail(const toml::node& node, const std::string& key,
                           std::string_view what,
                           ec code = ec::malformed) const;

private:
  result<void> read_plain(const toml::node& node, const std::string& key,
                          std::string& value) const;
  result<void> read_plain(const toml::node& node, const std::string& key,
                          bool& value) const;
  result<void> read_plain(const toml::node& node, const std::string& key,
                          double& value) const;
  result<void> read_plain(const toml::node& node, const std::string& key,
                          py_number& value) const;
  result<void> read_plain(const toml::node& node, const std::string& key,
                          std::int64_t& value) const;
  result<void> read_plain(const toml::node& node, const std::string& key,
                          date_text& value) const;
  result<void> read_plain(const toml::node& node, const std::string& key,
                          time_text& value) const;
  result<std::string> enum_value(const toml::node& node,
                                 const std::string& key) const;
  [[nodiscard]] error unknown_value(const toml::node& node,
                                    const std::string& key,
                                    std::string_view text,
                                    std::vector<std::string> choices) const;
  /// The keys of a table in file order (the parser sorts them).
  static std::vector<const toml::key*> keys(const toml::table& table);
  result<void> known_keys(const toml::table& table, const std::string& key,
                          const std::vector<std::string>& names) const;

  template <class E>
  result<void> read_enum(const toml::node& node, const std::string& key,
                         E& value) const {
    const auto text = enum_value(node, key);
    if (!text) return text.error();
    const auto& values = enum_text<E>::values;
    if (const auto parsed = parse_enum<E>(*text)) {
      value = *parsed;
      return {};
    }
    return unknown_value(node, key, *text, {values.begin(), values.end()});
  }

  template <class T>
  result<void> read_array(const toml::node& node, const std::string& key,
                          std::vector<T>& value) const {
    const toml::array* array = node.as_array();
    if (array == nullptr) return fail(node, key, "expected an array");
    value.clear();
    for (std::size_t i = 0; i < array->size(); ++i) {
      const auto read_item = read(*array->get(i), fmt::format("{}[{}]", key, i),
                                  value.emplace_back());
      if (!read_item) return read_item.error();
    }
    return {};
  }

  template <class Key, class T>
  result<void> read_ordered(const toml::node& node, const std::string& key,
                            ordered<Key, T>& value) const {
    const toml::table* items = node.as_table();
    if (items == nullptr) return fail(node, key, "expected a table");
    value.clear();
    for (const toml::key* name : keys(*items)) {
      const std::string path = join_key(key, name->str());
      const toml::node& item = *items->get(name->str());
      Key parsed_key{};
      if constexpr (std::is_enum_v<Key>) {
        const auto& values = enum_text<Key>::values;
        const auto parsed = parse_enum<Key>(name->str());
        if (!parsed)
          return unknown_value(item, path, name->str(),
                               {values.begin(), values.end()});
        parsed_key = *parsed;
      } else {
        parsed_key = std::string{name->str()};
      }
      auto& added = value.emplace_back(std::move(parsed_key), T{});
      if (const auto ok = read(item, path, added.second); !ok)
        return ok.error();
    }
    return {};
  }

  template <class T>
  result<void> read_table(const toml::node& node, const std::string& key,
                          T& value) const {
    const toml::table* source = node.as_table();
    if (source == nullptr) return fail(node, key, "expected a table");
    return T::each(value, [&](const auto&... members) -> result<void> {
      if (const auto known = known_keys(*source, key, {members.name...});
          !known)
        return known.error();
      result<void> outcome;
      const auto read_member = [&](const auto& item) {
        const std::string path = join_key(key, item.name);
        if (const toml::node* found = source->get(item.name))
          outcome = read(*found, path, item.value);
        else if (item.required)
          outcome = fail(node, path, "is missing");
        return outcome.has_value();
      };
      (void)(read_member(members) && ...);
      return outcome;
    });
  }

  static std::string join_key(const std::string& key, std::string_view name);

  std::string file_;
};

result<toml::table> parse_toml(const text_file& file);

/// Parses `file` and reads it as a T.
template <class T>
result<T> parse_model(const text_file& file) {
  auto parsed = parse_toml(file);
  if (!parsed) return parsed.error();
  T value;
  const toml_reader reader{file.name};
  if (const auto ok = reader.read(*parsed, "", value); !ok) return ok.error();
  return value;
}

} // namespace brewery::tau2
