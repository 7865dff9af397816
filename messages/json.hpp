#pragma once
/// Any described struct as JSON text for people and `--json`, and names from
/// outside in quotes; one way only.

#include "base/fields.hpp"
#include "base/ids.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <type_traits>
#include <vector>

namespace brewery {

/// In double quotes and on one line, whatever is in it.
inline std::string json_quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false,
                                   nlohmann::json::error_handler_t::replace);
}

template <class T>
nlohmann::ordered_json as_json(const T& value);

namespace detail {

template <class T>
nlohmann::ordered_json list_as_json(const std::vector<T>& items) {
  auto out = nlohmann::ordered_json::array();
  for (const auto& item : items)
    out.push_back(as_json(item));
  return out;
}

template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;

} // namespace detail

template <class T>
nlohmann::ordered_json as_json(const T& value) {
  if constexpr (described<T>) {
    auto out = nlohmann::ordered_json::object();
    T::each(value, [&out](auto... fields) {
      ((out[fields.name] = as_json(fields.value)), ...);
      return 0;
    });
    return out;
  } else if constexpr (is_strong_id<T>) {
    return value.value;
  } else if constexpr (detail::is_vector<T>) {
    return detail::list_as_json(value);
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<std::underlying_type_t<T>>(value);
  } else {
    return value;
  }
}

} // namespace brewery
