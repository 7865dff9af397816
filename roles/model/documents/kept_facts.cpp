#include "roles/model/documents/kept_facts.hpp"

#include "base/text.hpp"
#include "roles/model/documents/fact_text.hpp"
#include "roles/model/documents/facts.hpp"

#include <algorithm>
#include <map>

namespace brewery {

namespace {

/// "30 days" may become "30 calendar days".
constexpr std::size_t max_words_to_unit = 3;

/// A document may write small numbers as words.
std::string digits_of(const std::string& word) {
  static const std::map<std::string_view, std::string_view> words{
      {"zero", "0"},   {"one", "1"},  {"two", "2"},  {"three", "3"},
      {"four", "4"},   {"five", "5"}, {"six", "6"},  {"seven", "7"},
      {"eight", "8"},  {"nine", "9"}, {"ten", "10"}, {"eleven", "11"},
      {"twelve", "12"}};
  const auto it = words.find(word);
  return it == words.end() ? word : std::string{it->second};
}

/// A document in which facts are looked for.
class fact_index {
public:
  explicit fact_index(std::string_view text)
      : plain_(plain_text(text)), words_(words_of(text)) {
    for (const auto& one : facts_of(text))
      facts_.insert(key_of(one));
    for (std::size_t i = 0; i < words_.size(); ++i) {
      places_[digits_of(words_[i])].push_back(i);
      words_[i] = singular(words_[i]);
    }
  }

  [[nodiscard]] bool has(const fact& one) const {
    if (facts_.contains(key_of(one))) return true;
    if (one.kind == fact_kind::code) return has_words(plain_, one.words);
    if (one.kind == fact_kind::quote)
      return has_words_or_plural(plain_, one.words);
    const auto found = places_.find(one.words);
    if (found == places_.end()) return false;
    return one.unit.empty()
           || std::any_of(found->second.begin(), found->second.end(),
                          [&](auto at) { return has_unit(at, one.unit); });
  }

private:
  [[nodiscard]] bool has_unit(std::size_t at, const std::string& unit) const {
    const auto end = std::min(words_.size(), at + 1 + max_words_to_unit);
    for (auto i = at > 0 ? at - 1 : at; i < end; ++i)
      if (words_[i] == unit) return true;
    return false;
  }

  std::set<fact_key> facts_;
  std::string plain_;
  std::vector<std::string> words_;
  std::map<std::string, std::vector<std::size_t>> places_;
};

} // namespace

std::vector<std::string> lost_facts(std::string_view before,
                                    std::string_view after) {
  const fact_index there{after};
  std::vector<std::string> out;
  for (auto& one : facts_of(before))
    if (!there.has(one)) out.push_back(std::move(one.shown));
  return out;
}

std::string without_points(std::string_view body,
                           const std::vector<line_evidence>& evidence,
                           const std::set<insight_id>& dropped) {
  std::set<std::uint32_t> gone;
  for (const auto& line : evidence)
    if (!line.insights.empty()
        && std::all_of(line.insights.begin(), line.insights.end(),
                       [&](const auto& id) { return dropped.contains(id); }))
      gone.insert(line.line);
  std::string out;
  std::uint32_t number = 0;
  for (const auto line : split(body, '\n'))
    if (!gone.contains(++number)) out.append(line).append("\n");
  return out;
}

std::vector<std::size_t> unused_insights(const numbered_insights& insights,
                                         const integrate_result& made) {
  std::set<insight_id> cited;
  for (const auto& line : made.evidence)
    cited.insert(line.insights.begin(), line.insights.end());
  const fact_index there{made.body};
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < insights.shown.size(); ++i) {
    const auto& item = *insights.shown[i]->item;
    if (cited.contains(item.id)) continue;
    bool any = false, all = true;
    for (const auto& one : facts_of(item.sentence))
      if (one.kind == fact_kind::code) {
        any = true;
        all = all && there.has(one);
      }
    if (!any || !all) out.push_back(i);
  }
  return out;
}

} // namespace brewery
