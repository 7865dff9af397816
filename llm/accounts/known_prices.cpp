#include "llm/accounts/model_catalog.hpp"

#include <algorithm>
#include <array>

namespace brewery {

namespace {

struct listed_price {
  std::string_view name;
  double prompt, cached, completion; ///< USD per million tokens
};

/// List prices of 2025. If cost is limited, a model that is not listed needs
/// its price in the catalog.
constexpr std::array listed{
    listed_price{"gpt-4.1", 2.00, 0.50, 8.00},
    listed_price{"gpt-4.1-mini", 0.40, 0.10, 1.60},
    listed_price{"gpt-4.1-nano", 0.10, 0.025, 0.40},
    listed_price{"gpt-4o", 2.50, 1.25, 10.00},
    listed_price{"gpt-4o-mini", 0.15, 0.075, 0.60},
    listed_price{"gpt-5", 1.25, 0.125, 10.00},
    listed_price{"gpt-5-mini", 0.25, 0.025, 2.00},
    listed_price{"o3", 2.00, 0.50, 8.00},
    listed_price{"o4-mini", 1.10, 0.275, 4.40},
    listed_price{"text-embedding-3-large", 0.13, 0.13, 0},
    listed_price{"text-embedding-3-small", 0.02, 0.02, 0},
};

} // namespace

std::optional<token_price> known_price(std::string_view name) {
  const auto found =
      std::find_if(listed.begin(), listed.end(),
                   [&](const auto& entry) { return entry.name == name; });
  if (found == listed.end()) return std::nullopt;
  return token_price{per_token(found->prompt), per_token(found->cached),
                     per_token(found->completion)};
}

} // namespace brewery
