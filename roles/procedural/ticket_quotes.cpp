#include "roles/procedural/ticket_quotes.hpp"

#include "base/json.hpp"
#include "base/text.hpp"
#include "roles/procedural/document_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace brewery {

namespace {

/// Those of a document, in order.
std::vector<std::string> quotes_of(const document& doc) {
  std::vector<std::string> out;
  for (auto line : split(std::string_view{doc.body}, '\n')) {
    if (!line.starts_with(quote_prefix) || !line.ends_with('.')) continue;
    line.remove_prefix(quote_prefix.size());
    line.remove_suffix(1);
    const auto text = json::parse(line, nullptr, false);
    if (text.is_string()) out.push_back(text.get<std::string>());
  }
  return out;
}

} // namespace

std::vector<std::string> ticket_quotes(const integrate_job& job,
                                       const document* parent,
                                       const quote_style& style, rng& draw) {
  if (parent != nullptr && draw.uniform() >= style.anew)
    return quotes_of(*parent);
  std::map<std::string, double> seen;
  for (const auto& counted : job.insights)
    for (const auto& clause : counted.item->fact.context)
      seen[clause] += counted.count;
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [clause, count] : seen)
    order.emplace_back(std::log(count) + style.doubt * normal_draw(draw),
                       clause);
  std::stable_sort(
      order.begin(), order.end(),
      [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(style.limit, order.size()); ++i)
    out.push_back(order[i].second);
  return out;
}

double normal_draw(rng& draw) {
  const double radius = std::sqrt(-2 * std::log(1 - draw.uniform()));
  return radius * std::cos(2 * std::numbers::pi * draw.uniform());
}

} // namespace brewery
