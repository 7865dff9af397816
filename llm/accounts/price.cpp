#include "llm/accounts/price.hpp"

#include "llm/accounts/saturating.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brewery {

picodollars per_token(double usd_per_million) {
  return std::llround(usd_per_million * 1e6);
}

picodollars from_dollars(double usd) {
  return std::llround(usd * static_cast<double>(picodollars_per_dollar));
}

double dollars_of(picodollars amount) {
  return static_cast<double>(amount)
         / static_cast<double>(picodollars_per_dollar);
}

picodollars cost_of(const token_usage& usage, const token_price& price) {
  // Some servers report more cached tokens than prompt tokens.
  const auto cached = std::min(usage.cached, usage.prompt);
  const auto whole = saturating_product(price.prompt, usage.prompt - cached);
  return saturating_sum(
      saturating_sum(whole, saturating_product(price.cached, cached)),
      saturating_product(price.completion, usage.completion));
}

std::string dollars_text(picodollars amount) {
  const double usd = dollars_of(amount);
  return std::abs(usd) < 1 ? fmt::format("${:.4f}", usd)
                           : fmt::format("${:.2f}", usd);
}

} // namespace brewery
