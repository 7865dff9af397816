#pragma once
/// Any described struct as JSON for people and `--json` (writing only), and
/// quoting of names from outside.

#include "base/alternatives.hpp"
#include "base/fields.hpp"
#include "base/ids.hpp"
#include "base/json.hpp"
#include "base/shared_list.hpp"
#include "base/shared_value.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace brewery {

/// The text in double quotes on one line. Any content is escaped, also the
/// control characters that JSON lets through (U+007F to U+009F), and bytes that
/// are not UTF-8 become U+FFFD; so it may be shown, and parses as JSON.
std::string json_quoted(std::string_view text);

template <class T>
json as_json(const T& value);

namespace detail {

template <class List>
json list_as_json(const List& items) {
  auto out = json::array();
  for (const auto& item : items)
    out.push_back(as_json(item));
  return out;
}

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
requires is_shared_list<T>
inline constexpr bool is_vector<T> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

} // namespace detail

template <class T>
json as_json(const T& value) {
  if constexpr (described<T>) {
    auto out = json::object();
    T::each(value, [&out](auto... fields) {
      ((out[fields.name] = as_json(fields.value)), ...);
      return 0;
    });
    return out;
  } else if constexpr (is_shared_value<T>) {
    return as_json(value.get());
  } else if constexpr (is_strong_id<T>) {
    return value.value;
  } else if constexpr (detail::is_vector<T>) {
    return detail::list_as_json(value);
  } else if constexpr (detail::is_optional<T>) {
    auto out = nlohmann::ordered_json::array();
    if (value) out.push_back(as_json(*value));
    return out;
  } else if constexpr (is_alternative<T>) {
    auto out = nlohmann::ordered_json::array();
    if (const auto* chosen = value.get()) out.push_back(as_json(*chosen));
    return out;
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<std::underlying_type_t<T>>(value);
  } else {
    return value;
  }
}

} // namespace brewery
