#include "roles/procedural/document_text.hpp"

#include "roles/procedural/cited_page.hpp"
#include "roles/procedural/procedural_reflector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace brewery {

namespace {

constexpr std::size_t max_examples = 2;

/// A clause is quoted if it is this much more frequent in the evidence than in
/// all that is known of the concept.
constexpr double telling_share = 1.2;

/// By id, into the job and its lists of sources.
using insight_index =
    std::unordered_map<std::string_view, const counted_insight*>;

/// A job has thousands of insights, of which few are cited.
insight_index cited_by(const std::vector<const std::vector<insight_id>*>& lists,
                       const integrate_job& job) {
  insight_index out;
  for (const auto* sources : lists)
    for (const auto& id : *sources)
      out.emplace(id.value, nullptr);
  for (const auto& counted : job.insights)
    if (const auto it = out.find(counted.item->id.value); it != out.end())
      it->second = &counted;
  return out;
}

/// What a rule or a goal is about, once each and in order.
std::vector<std::string> observations_of(const induced& knowledge) {
  std::vector<std::string> out;
  const auto add = [&out](const std::string& observation) {
    if (std::find(out.begin(), out.end(), observation) == out.end())
      out.push_back(observation);
  };
  for (const auto& item : knowledge.rules)
    add(item.content.when.front().observation);
  for (const auto& item : knowledge.goals)
    add(item.content.shows.observation);
  return out;
}

void write_when(cited_page& out, const induced& knowledge,
                const std::vector<std::string>& quotes) {
  out.line("**When to use**");
  out.line("");
  for (const auto& observation : observations_of(knowledge))
    out.line(fmt::format("- To understand what `{}` reports.", observation));
  std::set<std::pair<std::string, std::string>> known;
  for (const auto& item : knowledge.rules) {
    const auto& first = item.content.when.front();
    // Quoted, because text from outside may contain line breaks or look like a
    // rule.
    if (known.emplace(first.observation, first.line).second)
      out.line(fmt::format("- `{}` reports {}.", first.observation,
                           json_quoted(first.line)));
  }
  for (const auto& clause : quotes)
    out.line(fmt::format("{}{}.", quote_prefix, json_quoted(clause)));
  out.line("");
}

std::string share_text(const graded_count& count) {
  return fmt::format("{} of {}", count.met, count.of);
}

std::string proof_text(std::size_t step, const rule& item,
                       const rule_proof& proof) {
  const auto line = json_quoted(item.when.front().line);
  if (proof.check == whole_task_check)
    return fmt::format("- Step {}: {} attempts with it solved the task; {} "
                       "that ended with {} and without it.",
                       step, share_text(proof.with), share_text(proof.without),
                       line);
  return fmt::format(
      "- Step {}: {} attempts with it met {}, and {} that ended with {}. The "
      "whole task was solved in {} and {}.",
      step, share_text(proof.with), json_quoted(proof.check),
      share_text(proof.without), line, share_text(proof.task_with),
      share_text(proof.task_without));
}

void write_why(cited_page& out, const induced& knowledge) {
  out.line("**Why to use it**");
  out.line("");
  std::size_t step = 0;
  for (const auto& item : knowledge.rules) {
    ++step;
    if (item.proof)
      out.line(proof_text(step, item.content, *item.proof), item.sources);
    else
      out.line(fmt::format("- Step {}: from an earlier version.", step));
  }
  for (const auto& item : knowledge.goals)
    out.line(fmt::format("- {} attempts that ended with {} solved the task; "
                         "{} that ended otherwise.",
                         share_text(item.with),
                         json_quoted(item.content.shows.line),
                         share_text(item.without)),
             item.sources);
  out.line("");
}

void write_how(cited_page& out, const induced& knowledge) {
  out.line("### How to perform");
  out.line("");
  std::size_t number = 0;
  for (const auto& item : knowledge.rules)
    out.line(fmt::format("{}. {}", ++number, to_text(item.content)),
             item.sources);
  if (number == 0)
    out.line("Nothing to correct here: this shows whether the task is done.");
  out.line("");
  out.line("### Additional actions");
  out.line("");
  for (const auto& item : knowledge.goals)
    out.line("- " + to_text(item.content), item.sources);
  if (knowledge.goals.empty())
    out.line("- Look again after each change, and stop when nothing is left "
             "to correct.");
  out.line("");
}

/// The most frequent insight of the sources; a success, if there is one.
const counted_insight* best_example(const std::vector<insight_id>& sources,
                                    const insight_index& known) {
  const auto rank = [](const counted_insight& counted) {
    const auto& fact = counted.item->fact;
    // Of equal ones the shorter, which has less beside the point.
    return std::tuple{
        fact.kind == "effect", fact.met, counted.count,
        -static_cast<std::ptrdiff_t>(counted.item->sentence.size())};
  };
  const counted_insight* best = nullptr;
  for (const auto& id : sources) {
    const auto found = known.find(id.value);
    if (found->second != nullptr
        && (!best || rank(*found->second) > rank(*best)))
      best = found->second;
  }
  return best;
}

void write_example(cited_page& out, const integrate_job& job,
                   const induced& knowledge) {
  std::vector<const std::vector<insight_id>*> lists;
  for (const auto& item : knowledge.rules)
    lists.push_back(&item.sources);
  for (const auto& item : knowledge.goals)
    lists.push_back(&item.sources);
  const auto known = cited_by(lists, job);
  std::set<insight_id> written;
  for (const auto* sources : lists) {
    if (written.size() == max_examples) break;
    const auto* best = best_example(*sources, known);
    if (!best || !written.insert(best->item->id).second) continue;
    if (written.size() == 1) {
      out.line("### Example");
      out.line("");
    }
    out.line("- " + best->item->sentence.get(), {best->item->id});
  }
}

} // namespace

std::vector<std::string> telling_clauses(const integrate_job& job,
                                         const induced& knowledge,
                                         std::size_t limit) {
  std::unordered_set<std::string_view> cited;
  for (const auto& item : knowledge.rules)
    for (const auto& id : item.sources)
      cited.insert(id.value);
  for (const auto& item : knowledge.goals)
    for (const auto& id : item.sources)
      cited.insert(id.value);
  struct share {
    double cited = 0, all = 0;
  };
  // Very many insights share a list of clauses.
  std::unordered_map<const void*, std::pair<const counted_insight*, share>>
      by_list;
  double all = 0, all_cited = 0;
  for (const auto& counted : job.insights) {
    const bool here = cited.contains(counted.item->id.value);
    auto& [one, seen] = by_list[&counted.item->fact.context.items()];
    one = &counted;
    seen.all += counted.count;
    seen.cited += here ? counted.count : 0;
  }
  std::map<std::string_view, share> shares;
  for (const auto& [list, counted] : by_list) {
    const auto& [one, seen] = counted;
    all += seen.all;
    all_cited += seen.cited;
    for (const auto& clause : one->item->fact.context) {
      shares[clause].all += seen.all;
      shares[clause].cited += seen.cited;
    }
  }
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [clause, seen] : shares)
    if (seen.cited * all > telling_share * seen.all * all_cited)
      order.emplace_back(seen.cited, clause);
  std::stable_sort(
      order.begin(), order.end(),
      [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(limit, order.size()); ++i)
    out.push_back(order[i].second);
  return out;
}

integrate_result document_text(const integrate_job& job,
                               const induced& knowledge,
                               const std::vector<std::string>& quotes) {
  cited_page out;
  if (knowledge.rules.empty() && knowledge.goals.empty())
    return out.take(job.id);
  out.line("# " + job.title);
  out.line("");
  write_when(out, knowledge, quotes);
  write_why(out, knowledge);
  write_how(out, knowledge);
  write_example(out, job, knowledge);
  return out.take(job.id);
}

} // namespace brewery
