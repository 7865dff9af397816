#include "roles/model/documents/integration_text.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "roles/model/reply_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace brewery {

namespace {

/// A check's name has its arguments, which may be long.
constexpr std::size_t max_check_bytes = 200;

std::string outcome_text(const counted_insight& counted) {
  return fmt::format("{} {}, {} succeeded, mean reward {:.2f}{}", counted.count,
                     counted.count == 1 ? "rollout" : "rollouts",
                     counted.succeeded, counted.reward,
                     counted.fresh ? ", NEW" : "");
}

} // namespace

numbered_insights number_insights(const integrate_job& job, std::size_t most) {
  numbered_insights out;
  for (const auto& counted : job.insights)
    out.shown.push_back(&counted);
  const auto supported = [](const auto* a, const auto* b) {
    return a->count > b->count;
  };
  std::stable_sort(out.shown.begin(), out.shown.end(), supported);
  if (most > 0 && out.shown.size() > most) {
    std::size_t places = most / 2;
    std::stable_partition(out.shown.begin(), out.shown.end(),
                          [&](const auto* counted) {
                            if (!counted->fresh || places == 0) return false;
                            --places;
                            return true;
                          });
    out.shown.resize(most);
    std::stable_sort(out.shown.begin(), out.shown.end(), supported);
  }
  std::set<insight_id> known;
  for (const auto* counted : out.shown) {
    out.ids.push_back(counted->item->id);
    known.insert(counted->item->id);
  }
  for (const auto& line : job.parent_evidence)
    for (const auto& id : line.insights)
      if (known.insert(id).second) out.ids.push_back(id);
  return out;
}

std::string insights_text(const numbered_insights& insights) {
  if (insights.shown.empty()) return "(none)";
  std::string out;
  for (std::size_t i = 0; i < insights.shown.size(); ++i)
    out +=
        fmt::format("[i{}] ({}) {}\n", i + 1, outcome_text(*insights.shown[i]),
                    collapse_spaces(insights.shown[i]->item->sentence));
  return out;
}

std::string cited_text(const std::string& body,
                       const std::vector<line_evidence>& evidence,
                       const numbered_insights& insights) {
  std::map<insight_id, std::size_t> numbers;
  for (std::size_t i = 0; i < insights.ids.size(); ++i)
    numbers.emplace(insights.ids[i], i + 1);
  std::map<std::uint32_t, std::set<std::size_t>> cited;
  for (const auto& line : evidence)
    for (const auto& id : line.insights)
      if (const auto it = numbers.find(id); it != numbers.end())
        cited[line.line].insert(it->second);
  std::string out;
  std::uint32_t number = 0;
  for (const auto line : split(body, '\n')) {
    if (++number > 1) out += '\n';
    out += line;
    const auto here = cited.find(number);
    if (here == cited.end()) continue;
    const char* before = " [i";
    for (const auto n : here->second) {
      out += before + std::to_string(n);
      before = ", i";
    }
    out += ']';
  }
  return out;
}

std::string score_text(const document_score& score) {
  if (score.evaluated == 0) return {};
  return fmt::format("{} {} with it on tasks that are not shown: mean reward "
                     "{:.2f}; mean reciprocal rank at which a search for the "
                     "task finds it {:.2f}; both together {:.2f}.",
                     score.evaluated,
                     score.evaluated == 1 ? "rollout" : "rollouts",
                     score.correctness, score.retrieval, score.reward);
}

std::string missed_text(const std::vector<check_share>& missed) {
  std::string out;
  for (const auto& check : missed)
    out += fmt::format("- missed in {} of {}: {}\n", check.of - check.met,
                       check.of, shown(check.name, max_check_bytes));
  return out;
}

std::string titles_text(const std::vector<std::string>& titles) {
  std::string out;
  for (const auto& title : titles)
    out += "- " + collapse_spaces(title) + "\n";
  return out;
}

} // namespace brewery
