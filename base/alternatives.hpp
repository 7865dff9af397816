#pragma once
/// Field lists of structs that are sums. A std::variant of a described struct
/// has one field for each alternative (none for std::monostate): a list of one
/// value if the variant holds the alternative, else an empty list.
///
///   struct shape {
///     std::variant<circle, square> form;
///     static constexpr const char* type_name = "shape";
///     template <class Self, class F>
///     static auto each(Self& self, F&& f) {
///       return each_alternative(self.form, names, f);
///     }
///   };
///
/// Reading puts the given alternative into the variant. A codec refuses a
/// struct with two alternatives, and one without any unless the variant may
/// hold std::monostate.

#include "base/fields.hpp"

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <variant>

namespace brewery {

template <class Variant>
inline constexpr bool may_hold_nothing =
    std::is_same_v<std::variant_alternative_t<0, std::remove_const_t<Variant>>,
                   std::monostate>;

/// The alternative T of a variant, as the value of a field.
template <class T, class Variant>
struct alternative {
  using value_type = T;
  static constexpr bool none_allowed = may_hold_nothing<Variant>;

  Variant& whole;
  bool given = false; ///< set by `emplace`

  [[nodiscard]] const T* get() const { return std::get_if<T>(&whole); }
  [[nodiscard]] bool empty() const { return !get(); }
  T& emplace() {
    given = true;
    return whole.template emplace<T>();
  }
};

template <class T>
inline constexpr bool is_alternative = false;
template <class T, class Variant>
inline constexpr bool is_alternative<alternative<T, Variant>> = true;

/// Calls `f` with the fields of all alternatives, in order, and returns its
/// result.
template <class Variant, std::size_t N, class F>
auto each_alternative(Variant& whole, const std::array<const char*, N>& names,
                      F&& f) {
  using plain = std::remove_const_t<Variant>;
  constexpr std::size_t first = may_hold_nothing<plain> ? 1 : 0;
  static_assert(std::variant_size_v<plain> == N + first);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    std::tuple slots{
        alternative<std::variant_alternative_t<I + first, plain>, Variant>{
            whole}...};
    return f(field{names[I], std::get<I>(slots)}...);
  }
  (std::make_index_sequence<N>{});
}

} // namespace brewery
