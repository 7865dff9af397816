#pragma once
/// The last value of every enum that is sent. The codec refuses greater values,
/// so a byte from outside never becomes an enumerator that does not exist.
/// Enums start at 0 and have no gaps. A new enum that is not listed here does
/// not compile.

#include "base/error.hpp"
#include "messages/cluster_msgs.hpp"
#include "messages/model_msgs.hpp"

#include <cstdint>
#include <type_traits>

namespace brewery::wire {

template <class Enum>
struct enum_range;

template <>
struct enum_range<rollout_outcome> {
  static constexpr auto last = rollout_outcome::quarantined;
  static constexpr const char* name = "rollout_outcome";
};

template <>
struct enum_range<result_verdict> {
  static constexpr auto last = result_verdict::stale;
  static constexpr const char* name = "result_verdict";
};

template <>
struct enum_range<ec> {
  static constexpr auto last = ec::over_budget;
  static constexpr const char* name = "ec";
};

template <>
struct enum_range<chat_role> {
  static constexpr auto last = chat_role::tool;
  static constexpr const char* name = "chat_role";
};

template <>
struct enum_range<chat_finish> {
  static constexpr auto last = chat_finish::other;
  static constexpr const char* name = "chat_finish";
};

template <class Enum>
constexpr std::uint64_t last_value =
    static_cast<std::underlying_type_t<Enum>>(enum_range<Enum>::last);

} // namespace brewery::wire
