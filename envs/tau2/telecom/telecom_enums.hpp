#pragma once
/// Enumerations of the telecom domain and their texts in data and results.

#include "envs/tau2/data/model.hpp"

namespace brewery::tau2 {

enum class device_type : std::uint8_t { phone, router, tablet, watch, other };
enum class line_status : std::uint8_t { active, suspended, pending, closed };
enum class bill_status : std::uint8_t {
  draft,
  issued,
  awaiting_payment,
  paid,
  overdue,
  disputed,
};
enum class account_status : std::uint8_t { active, suspended, pending, closed };
enum class payment_kind : std::uint8_t { credit_card, debit_card, paypal };
enum class sim_status : std::uint8_t {
  active,
  missing,
  locked_pin,
  locked_puk,
};
enum class technology : std::uint8_t { none, two_g, three_g, four_g, five_g };
enum class network_mode : std::uint8_t {
  prefer_4g_5g,
  only_4g,
  only_3g,
  only_2g,
};
enum class signal : std::uint8_t { none, poor, fair, good, excellent };
enum class performance : std::uint8_t { unknown, poor, fair, good, excellent };
enum class network_status : std::uint8_t {
  connected,
  searching,
  no_service,
  emergency_only,
};
enum class apn_name : std::uint8_t { internet, broken };

template <std::size_t N>
using enum_values = std::array<std::string_view, N>;

template <>
struct enum_text<device_type> {
  static constexpr enum_values<5> values{"phone", "router", "tablet", "watch",
                                         "other"};
};
template <>
struct enum_text<line_status> {
  static constexpr enum_values<4> values{"Active", "Suspended",
                                         "Pending Activation", "Closed"};
};
template <>
struct enum_text<bill_status> {
  static constexpr enum_values<6> values{"Draft", "Issued",  "Awaiting Payment",
                                         "Paid",  "Overdue", "Disputed"};
};
template <>
struct enum_text<account_status> {
  static constexpr enum_values<4> values{"Active", "Suspended",
                                         "Pending Verification", "Closed"};
};
template <>
struct enum_text<payment_kind> {
  static constexpr enum_values<3> values{"Credit Card", "Debit Card", "PayPal"};
};
template <>
struct enum_text<sim_status> {
  static constexpr enum_values<4> values{"active", "missing", "locked_pin",
                                         "locked_puk"};
};
template <>
struct enum_text<technology> {
  static constexpr enum_values<5> values{"none", "2G", "3G", "4G", "5G"};
};
template <>
struct enum_text<network_mode> {
  static constexpr enum_values<4> values{"4g_5g_preferred", "4g_only",
                                         "3g_only", "2g_only"};
};
template <>
struct enum_text<signal> {
  static constexpr enum_values<5> values{"none", "poor", "fair", "good",
                                         "excellent"};
};
template <>
struct enum_text<performance> {
  static constexpr enum_values<5> values{"unknown", "poor", "fair", "good",
                                         "excellent"};
};
template <>
struct enum_text<network_status> {
  static constexpr enum_values<4> values{"connected", "searching", "no_service",
                                         "emergency_only"};
};
template <>
struct enum_text<apn_name> {
  static constexpr enum_values<2> values{"internet", "broken"};
};

} // namespace brewery::tau2
