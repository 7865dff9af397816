#pragma once
/// Data models of a domain: plain structs with one member list each. The list
/// drives the dump (in declaration order for result texts, sorted for state
/// hashes) and the loader (model_toml.hpp).
///
///   struct plan {
///     std::string plan_id;
///     double price = 0;
///     template <class Self, class F>
///     static auto each(Self& self, F&& f) {
///       return f(need("plan_id", self.plan_id), may("price", self.price));
///     }
///   };

#include "envs/tau2/data/cow.hpp"
#include "envs/tau2/python_rules/python_text.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace brewery::tau2 {

template <class T>
struct member {
  const char* name;
  T& value;
  bool required;
};

/// A required member.
template <class T>
member<T> need(const char* name, T& value) {
  return {name, value, true};
}

/// A member with a default.
template <class T>
member<T> may(const char* name, T& value) {
  return {name, value, false};
}

/// YYYY-MM-DD.
struct date_text {
  std::string text;
  bool operator==(const date_text&) const = default;
};

/// "YYYY-MM-DD HH:MM:SS".
struct time_text {
  std::string text;
  bool operator==(const time_text&) const = default;
};

/// A mapping that keeps file order.
template <class Key, class Value>
using ordered = std::vector<std::pair<Key, Value>>;

/// A value of type T, or the value that an unchecked assignment of the
/// reference would have stored instead.
template <class T>
struct loose {
  T value{};
  std::optional<json> foreign;
};

/// Text of enum values: specialise with `values` in enumerator order.
template <class E>
struct enum_text;

template <class E>
std::string_view text_of(E value) {
  return enum_text<E>::values[static_cast<std::size_t>(value)];
}

template <class E>
std::optional<E> parse_enum(std::string_view text) {
  const auto& values = enum_text<E>::values;
  const auto at = std::find(values.begin(), values.end(), text);
  if (at == values.end()) return std::nullopt;
  return static_cast<E>(at - values.begin());
}

template <class T, template <class...> class Template>
inline constexpr bool is_a = false;
template <template <class...> class Template, class... Args>
inline constexpr bool is_a<Template<Args...>, Template> = true;

template <class T>
inline constexpr bool is_ordered = false;
template <class Key, class Value>
inline constexpr bool is_ordered<ordered<Key, Value>> = true;

template <class T>
void append_model(std::string& out, const T& value, key_order order);

namespace detail {

template <class T, class... Members>
void append_members(std::string& out, key_order order,
                    const Members&... members) {
  struct entry {
    const char* name;
    const void* value;
    void (*append)(std::string&, const void*, key_order);
  };
  const std::array<entry, sizeof...(Members)> entries{
      entry{members.name, &members.value,
            [](std::string& text, const void* value, key_order o) {
              using type = std::remove_reference_t<decltype(members.value)>;
              append_model(text, *static_cast<const type*>(value), o);
            }}...};
  using order_array = std::array<std::size_t, sizeof...(Members)>;
  static const order_array sorted = [&entries] {
    order_array indices{};
    for (std::size_t i = 0; i < indices.size(); ++i)
      indices[i] = i;
    std::sort(indices.begin(), indices.end(), [&](auto a, auto b) {
      return std::string_view{entries[a].name} < entries[b].name;
    });
    return indices;
  }();
  out += '{';
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const entry& e = entries[order == key_order::sorted ? sorted[i] : i];
    if (i != 0) out += ", ";
    out += '"';
    out += e.name;
    out += "\": ";
    e.append(out, e.value, order);
  }
  out += '}';
}

} // namespace detail

/// Appends `value` as json.dumps(model_dump(value)) writes it.
template <class T>
void append_model(std::string& out, const T& value, key_order order) {
  if constexpr (std::same_as<T, std::string>) {
    append_json(out, std::string_view{value});
  } else if constexpr (std::same_as<T, bool>) {
    out += value ? "true" : "false";
  } else if constexpr (std::same_as<T, double>) {
    append_json(out, value);
  } else if constexpr (std::integral<T>) {
    out += std::to_string(value);
  } else if constexpr (std::same_as<T, py_number>) {
    std::visit([&](auto n) { append_model(out, n, order); }, value);
  } else if constexpr (std::is_enum_v<T>) {
    append_json(out, text_of(value));
  } else if constexpr (std::same_as<T,
                                    date_text> || std::same_as<T, time_text>) {
    append_json(out, std::string_view{value.text});
  } else if constexpr (is_a<T, std::optional>) {
    if (value)
      append_model(out, *value, order);
    else
      out += "null";
  } else if constexpr (is_a<T, loose>) {
    if (value.foreign)
      append_json(out, *value.foreign, order);
    else
      append_model(out, value.value, order);
  } else if constexpr (is_a<T, cow>) {
    append_model(out, *value, order);
  } else if constexpr (is_ordered<T>) {
    std::vector<const typename T::value_type*> items;
    items.reserve(value.size());
    for (const auto& item : value)
      items.push_back(&item);
    if (order == key_order::sorted) {
      std::sort(items.begin(), items.end(), [](auto a, auto b) {
        if constexpr (std::is_enum_v<decltype(a->first)>)
          return text_of(a->first) < text_of(b->first);
        else
          return a->first < b->first;
      });
    }
    out += '{';
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i != 0) out += ", ";
      append_model(out, items[i]->first, order);
      out += ": ";
      append_model(out, items[i]->second, order);
    }
    out += '}';
  } else if constexpr (is_a<T, std::vector>) {
    out += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i != 0) out += ", ";
      append_model(out, value[i], order);
    }
    out += ']';
  } else {
    T::each(value, [&](const auto&... members) {
      detail::append_members<T>(out, order, members...);
    });
  }
}

template <class T>
std::string model_text(const T& value, key_order order = key_order::model) {
  std::string out;
  append_model(out, value, order);
  return out;
}

} // namespace brewery::tau2
