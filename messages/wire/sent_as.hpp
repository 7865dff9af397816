#pragma once
/// A specialisation says that values of T, a list, travel as another described
/// struct:
///   using type = ...;
///   static (pointer to const type) to(const T&, writer::form);
///   static result<T> from(type);
/// It stands beside that struct, whose header everyone includes who sends T.

namespace brewery::wire {

template <class T>
struct sent_as;

template <class T>
concept sent_as_another = requires {
  typename sent_as<T>::type;
};

} // namespace brewery::wire
