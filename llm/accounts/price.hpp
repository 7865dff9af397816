#pragma once
/// The cost of calls. Money is counted in whole picodollars (1e-12 USD), so
/// that sums are exact in any order. A price of 0.15 USD per million tokens is
/// 150,000 picodollars per token. The largest sum is 9 million USD, where sums
/// stop: one that turned negative would switch a budget off. Pure.

#include "messages/model_msgs.hpp"

#include <cstdint>
#include <string>

namespace brewery {

using picodollars = std::int64_t;

inline constexpr picodollars picodollars_per_dollar = 1'000'000'000'000;

/// The prices of one model, per token.
struct token_price {
  picodollars prompt = 0;
  picodollars cached = 0; ///< for a prompt token from the server's cache
  picodollars completion = 0;
  bool operator==(const token_price&) const = default;
};

/// Converts USD per million tokens, as in price lists, to picodollars per
/// token.
picodollars per_token(double usd_per_million);
/// Converts USD to picodollars, rounded to the nearest.
picodollars from_dollars(double usd);
double dollars_of(picodollars amount);

picodollars cost_of(const token_usage& usage, const token_price& price);

/// "$0.0421", "$12.30": four decimals below one dollar, two above.
std::string dollars_text(picodollars amount);

} // namespace brewery
