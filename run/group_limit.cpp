#include "run/group_limit.hpp"

#include <fmt/format.h>

namespace brewery {

std::optional<error> why_over(const group_limit& limit, double cost_usd,
                              std::chrono::duration<double> session) {
  using hours = std::chrono::duration<double, std::ratio<3600>>;
  if (limit.max_cost_usd > 0 && cost_usd >= limit.max_cost_usd)
    return error{
        ec::over_budget,
        fmt::format("[budget] max_cost_usd = {}: the runs have spent ${:.2f}",
                    limit.max_cost_usd, cost_usd)};
  if (limit.max_hours > 0 && hours{session}.count() >= limit.max_hours)
    return error{
        ec::over_budget,
        fmt::format("[budget] max_hours = {} have passed", limit.max_hours)};
  return std::nullopt;
}

} // namespace brewery
