#pragma once
/// What calls cost. Money is counted in whole picodollars, so that sums are
/// exact whatever their order: a price of 0.15 USD for a million tokens is
/// 150,000 picodollars a token; the largest sum is 9 million USD. PURE.

#include "messages/model_msgs.hpp"

#include <cstdint>
#include <string>

namespace brewery {

using picodollars = std::int64_t;

inline constexpr picodollars picodollars_per_dollar = 1'000'000'000'000;

/// Of one model, for each token.
struct token_price {
  picodollars prompt = 0;
  picodollars cached = 0; ///< of a prompt token the server had in its cache
  picodollars completion = 0;
  bool operator==(const token_price&) const = default;
};

/// USD for a million tokens, as price lists say it, to picodollars a token.
picodollars per_token(double usd_per_million);
/// USD to picodollars, to the nearest.
picodollars from_dollars(double usd);

picodollars cost_of(const token_usage& usage, const token_price& price);

/// "$0.0421", "$12.30": four digits below a dollar, two above.
std::string dollars_text(picodollars amount);

} // namespace brewery
