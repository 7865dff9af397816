#pragma once
/// Described structs: one field list per struct drives CAF, msgpack and JSON.
///
///   struct kb_entry {
///     concept_id concept;
///     doc_hash hash;
///     BREWERY_FIELDS(kb_entry, concept, hash)
///   };
///
/// Allowed member types (the common subset of CAF 0.17 and msgpack): integers,
/// double, bool, std::string, strong ids, enums, described structs, std::vector
/// shared_list and std::map of these. base/alternatives.hpp describes a
/// std::variant of described structs. Structs that are sent to no actor may
/// have std::optional members, which every codec treats as a list of at most
/// one value.

#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

namespace brewery {

template <class T>
struct field {
  const char* name;
  T& value;
};
template <class T>
field(const char*, T&) -> field<T>;

/// A member that logs and messages have under an older name. A struct declares
///   static constexpr renamed_field renamed{"run", "search"};
struct renamed_field {
  std::string_view member;
  const char* written;
};

template <class Self>
constexpr const char* written_name(const char* member) {
  using type = std::remove_const_t<Self>;
  if constexpr (requires { type::renamed; })
    if (type::renamed.member == member) return type::renamed.written;
  return member;
}

template <class T>
concept described = requires {
  T::type_name;
};

} // namespace brewery

#define BREWERY_EXPAND_(...) BREWERY_EXPAND3_(BREWERY_EXPAND3_(__VA_ARGS__))
#define BREWERY_EXPAND3_(...)                                                  \
  BREWERY_EXPAND2_(BREWERY_EXPAND2_(BREWERY_EXPAND2_(__VA_ARGS__)))
#define BREWERY_EXPAND2_(...)                                                  \
  BREWERY_EXPAND1_(BREWERY_EXPAND1_(BREWERY_EXPAND1_(__VA_ARGS__)))
#define BREWERY_EXPAND1_(...) __VA_ARGS__
#define BREWERY_PARENS_ ()
#define BREWERY_EACH_(first, ...)                                              \
  ::brewery::field{                                                            \
      ::brewery::written_name<Self>(#first),                                   \
      self.first} __VA_OPT__(,                                                 \
                             BREWERY_EACH_AGAIN_ BREWERY_PARENS_(__VA_ARGS__))
#define BREWERY_EACH_AGAIN_() BREWERY_EACH_

/// Declares the field list; up to 18 fields, serialised in this order.
#define BREWERY_FIELDS(type, ...)                                              \
  static constexpr const char* type_name = #type;                              \
  template <class Self, class F>                                               \
  static auto each(Self& self, F&& f) {                                        \
    return f(BREWERY_EXPAND_(BREWERY_EACH_(__VA_ARGS__)));                     \
  }                                                                            \
  bool operator==(const type&) const = default;
