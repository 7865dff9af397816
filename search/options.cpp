#include "search/options.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace brewery {

std::string_view to_string(strategy value) {
  switch (value) {
  case strategy::mcts:
    return "mcts";
  case strategy::greedy:
    return "greedy";
  case strategy::iterative:
    return "iterative";
  }
  return "unknown strategy";
}

result<strategy> parse_strategy(std::string_view text) {
  for (const auto value :
       {strategy::mcts, strategy::greedy, strategy::iterative})
    if (to_string(value) == text) return value;
  const std::string near = nearest(text, {"mcts", "greedy", "iterative"});
  return error{ec::invalid_argument,
               fmt::format("strategy '{}' is unknown; choose mcts, greedy or "
                           "iterative{}",
                           text,
                           near.empty() ? std::string{}
                                        : " (did you mean '" + near + "'?)")};
}

result<void> validate(const search_options& options) {
  const auto at_least_one = [](const char* name, std::uint32_t value) {
    if (value > 0) return result<void>{};
    return result<void>{
        error{ec::invalid_argument,
              fmt::format("search.{} is 0; it must be at least 1", name)}};
  };
  if (auto ok = at_least_one("candidates", options.candidates); !ok) return ok;
  if (auto ok = at_least_one("expansions", options.expansions); !ok) return ok;
  if (auto ok = at_least_one("max_width", options.max_width); !ok) return ok;
  if (auto ok = at_least_one("max_depth", options.max_depth); !ok) return ok;
  if (!std::isfinite(options.exploration) || options.exploration < 0)
    return error{ec::invalid_argument,
                 fmt::format("search.exploration is {}; it must be a number "
                             "of at least 0",
                             options.exploration)};
  return validate(options.weights);
}

tree_limits limits_of(const search_options& options) {
  if (options.how != strategy::iterative)
    return {options.max_width, options.max_depth, options.publish_newest};
  return {tree_limits::unlimited,
          options.iterative_keeps_depth ? options.max_depth
                                        : tree_limits::unlimited,
          options.publish_newest};
}

} // namespace brewery
