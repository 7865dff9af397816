#include "config/budget_limits.hpp"

#include "base/text.hpp"
#include "config/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace brewery {

namespace {

template <class T>
bool read_number(std::string_view text, T& into) {
  const auto* end = text.data() + text.size();
  const auto [stop, failed] = std::from_chars(text.data(), end, into);
  return failed == std::errc{} && stop == end && into > 0;
}

/// Reads one "name=value" of a role's limits. Returns the problem, or "".
std::string read_limit(const std::string& word, spending& into) {
  const auto equals = word.find('=');
  const auto name = word.substr(0, equals);
  const auto value =
      equals == std::string::npos ? std::string{} : word.substr(equals + 1);
  double usd = 0;
  if (name == "cost_usd") {
    if (!read_number(value, usd) || usd > 1e6)
      return "expected cost_usd=AMOUNT, found " + word;
    into.cost = from_dollars(usd);
  } else if (name == "tokens" || name == "calls") {
    if (!read_number(value, name == "tokens" ? into.tokens : into.calls))
      return fmt::format("expected {}=NUMBER, found {}", name, word);
  } else {
    return fmt::format("expected cost_usd=, tokens= or calls=, found {}", word);
  }
  return {};
}

} // namespace

const std::vector<std::string>& model_roles() {
  static const std::vector<std::string> roles{
      "agent", "grounder",        "user",     "reflector", "integrator",
      "judge", "statement_judge", "embedder", "memory"};
  return roles;
}

result<std::pair<std::string, spending>>
parse_role_limit(const std::string& text) {
  std::istringstream words{text};
  std::string role, word;
  words >> role;
  const auto& known = model_roles();
  if (std::find(known.begin(), known.end(), role) == known.end())
    return error{ec::malformed,
                 fmt::format("'{}' is not a role that calls models ({}){}",
                             role, join(known, ", "),
                             suggest_choice(role, known))};
  spending limit;
  while (words >> word)
    if (const auto wrong = read_limit(word, limit); !wrong.empty())
      return error{ec::malformed, wrong};
  if (limit == spending{})
    return error{ec::malformed,
                 fmt::format("'{}' has no limit: add cost_usd=, tokens= or "
                             "calls=",
                             text)};
  return std::pair{role, limit};
}

budget make_budget(const budget_options& options) {
  std::map<std::string, spending> of_role;
  for (const auto& text : options.roles)
    if (const auto limit = parse_role_limit(text))
      of_role[limit->first] = limit->second;
  return {{options.max_calls, options.max_tokens,
           from_dollars(options.max_cost_usd)},
          std::move(of_role)};
}

} // namespace brewery
