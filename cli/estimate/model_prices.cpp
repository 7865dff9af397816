#include "cli/estimate/model_prices.hpp"

#include "config/model_use.hpp"
#include "llm/accounts/model_catalog.hpp"
#include "run/setup/model_service.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace brewery {

namespace {

constexpr double fewest_concepts = 3;
/// The examples have up to 22 with the procedural reflector, also of 4 train
/// tasks.
constexpr double procedural_concepts = 24;

std::string large_text(double value) {
  if (value >= 1e9) return fmt::format("{:.2f} G", value / 1e9);
  if (value >= 1e6) return fmt::format("{:.2f} M", value / 1e6);
  if (value >= 1e3) return fmt::format("{:.1f} k", value / 1e3);
  return fmt::format("{:.0f}", value);
}

} // namespace

result<std::map<std::string, token_price>>
prices_by_role(const config& options, std::vector<std::string>& unpriced) {
  std::map<std::string, token_price> out;
  const auto used = models_used(options);
  if (used.empty()) return out;
  const auto catalog =
      load_model_catalog(options.models.catalog, catalog_use::reading);
  if (!catalog.problems.empty()) return catalog.problems.front();
  if (auto ok = check_models(options, catalog.value, options.models.catalog);
      !ok)
    return ok.error();
  for (const auto& [role, name] : models_by_role(options))
    if (const auto price =
            known_price(catalog.value.models.at(name), role != "embedder"))
      out[role] = *price;
    else if (std::ranges::find(unpriced, name) == unpriced.end())
      unpriced.push_back(name);
  return out;
}

range possible_concepts(const config& options, const task_counts& tasks) {
  // The first rollout may have a topic for each insight already.
  const double of_rollout = options.reflector.kind == "llm"
                                ? options.reflector.max_insights
                                : procedural_concepts;
  const range out{fewest_concepts,
                  std::max({fewest_concepts, of_rollout,
                            std::ceil(static_cast<double>(tasks.train) / 2)})};
  const double most = options.search.max_concepts;
  // No other learner limits its topics.
  if (most <= 0 || options.search.learner != "brew") return out;
  return {std::min(out.low, most), std::min(out.high, most)};
}

std::size_t jobs_at_once(const config& options) {
  return std::max<std::size_t>(
      1, options.run.workers > 0 ? options.run.workers : options.run.threads);
}

std::string count_text(const range& value) {
  const auto round = [](double x) { return std::llround(x); };
  return round(value.low) == round(value.high)
             ? fmt::format("{}", round(value.low))
             : fmt::format("{} to {}", round(value.low), round(value.high));
}

std::string large_text(const range& value) {
  return large_text(value.low) + " to " + large_text(value.high);
}

std::string money_text(const range& value) {
  return fmt::format("${:.2f} to ${:.2f}", value.low, value.high);
}

std::string time_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

} // namespace brewery
