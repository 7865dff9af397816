#include "roles/procedural/procedural_reflector.hpp"

#include "base/text.hpp"
#include "roles/procedural/task_facts.hpp"
#include "roles/procedural/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace brewery {

namespace {

/// A change with more possible causes teaches little about any of them.
constexpr std::size_t max_window = 2;

struct change_call {
  std::string text;
  std::uint32_t step = 0;
  bool visible = false; ///< an observation changed directly after it
};

struct sighting {
  insight_fact::text_list lines;
  std::size_t changes_before = 0; ///< number of changing calls made by then
  std::uint32_t step = 0;
};

std::vector<std::string> difference(const std::vector<std::string>& a,
                                    const std::vector<std::string>& b) {
  std::vector<std::string> out;
  for (const auto& line : a)
    if (std::find(b.begin(), b.end(), line) == b.end()) out.push_back(line);
  return out;
}

std::string joined_quotes(const std::vector<std::string>& lines) {
  std::string out;
  for (const auto& line : lines)
    out += (out.empty() ? "" : " / ") + json_quoted(line);
  return out.empty() ? "nothing" : out;
}

std::string joined_calls(const std::vector<std::string>& calls) {
  std::string out;
  for (const auto& call : calls)
    out += (out.empty() ? "`" : ", then `") + call + "`";
  return out;
}

std::string effect_sentence(const insight_fact& fact) {
  const auto gone = difference(fact.before.items(), fact.after.items());
  const auto come = difference(fact.after.items(), fact.before.items());
  if (gone.empty() && come.empty())
    return fmt::format("After {}, `{}` still showed {}.",
                       joined_calls(fact.actions.items()), fact.observation,
                       joined_quotes(fact.after.items()));
  return fmt::format("After {}, `{}` changed from {} to {}.",
                     joined_calls(fact.actions.items()), fact.observation,
                     joined_quotes(gone), joined_quotes(come));
}

std::string outcome_sentence(const insight_fact& fact) {
  return fmt::format("Ending with `{}` showing {}{}{}, {} was {}.",
                     fact.observation, joined_quotes(fact.after.items()),
                     fact.quiet.empty() ? "" : " and having called ",
                     joined_calls(fact.quiet.items()), fact.check,
                     fact.met ? "achieved" : "missed");
}

/// "get details by id" -> "details". A title says what is shown, not that it is
/// shown.
std::string without_verb(std::string name) {
  constexpr std::string_view by_id = " by id";
  if (name.ends_with(by_id)) name.resize(name.size() - by_id.size());
  for (const std::string_view verb :
       {"check ", "fetch ", "find ", "get ", "list ", "look up ", "query ",
        "read ", "run ", "show ", "view "})
    if (name.starts_with(verb) && name.size() > verb.size())
      return name.substr(verb.size());
  return name;
}

/// Collects the insights of one trajectory.
class walk {
public:
  walk(const graded_attempt& attempt, const observation_cache& parsed)
      : attempt_(attempt), facts_(attempt.task.instruction, parsed) {}

  std::vector<insight> run() {
    for (std::uint32_t i = 0; i < attempt_.steps.size(); ++i)
      visit(attempt_.steps[i], i);
    add_outcomes();
    return std::move(insights_);
  }

private:
  void visit(const trajectory_step& step, std::uint32_t index) {
    const auto arguments = json::parse(step.arguments, nullptr, false);
    if (!step.failed) facts_.observe(step.observation);
    if (arguments.is_discarded() || step.failed) return;
    auto text = to_text(facts_.generalise(step.tool, arguments));
    if (step.mutates) {
      changes_.push_back({std::move(text), index, false});
      return;
    }
    if (!facts_.about_focus(arguments)) return;
    sighting now{facts_.lines_of(step.observation), changes_.size(), index};
    const auto last = views_.find(text);
    if (last != views_.end() && last->second.changes_before < changes_.size())
      add_effect(text, last->second, now);
    views_[text] = std::move(now);
  }

  void add_effect(const std::string& call_text, const sighting& before,
                  const sighting& now) {
    const auto causes = causes_of(before, now);
    if (causes.empty() || causes.size() > max_window) return;
    const bool changed = before.lines != now.lines;
    // If there are several possible causes, no single one counts as visible.
    if (changed && causes.size() == 1) changes_[causes.front()].visible = true;
    insight item;
    item.fact.kind = "effect";
    item.fact.observation = call_text;
    item.fact.before = before.lines;
    item.fact.after = now.lines;
    std::vector<std::string> actions, quiet;
    for (const auto cause : causes) {
      actions.push_back(changes_[cause].text);
      item.steps.push_back(changes_[cause].step);
    }
    for (std::size_t i = 0; i < causes.front(); ++i)
      if (!changes_[i].visible) quiet.push_back(changes_[i].text);
    item.fact.actions = std::move(actions);
    item.fact.quiet = std::move(quiet);
    item.steps.push_back(now.step);
    item.sentence = effect_sentence(item.fact);
    add(std::move(item));
  }

  /// The changing calls since the last sighting that may explain a difference:
  /// the call from the observation's own tool kit if there is exactly one, else
  /// all. A change is most likely visible where it was made.
  std::vector<std::size_t> causes_of(const sighting& before,
                                     const sighting& now) const {
    std::vector<std::size_t> all, own;
    for (std::size_t i = before.changes_before; i < changes_.size(); ++i) {
      all.push_back(i);
      if (attempt_.steps[changes_[i].step].requestor
          == attempt_.steps[now.step].requestor)
        own.push_back(i);
    }
    return own.size() == 1 ? own : all;
  }

  void add_outcomes() {
    std::vector<std::string> names;
    for (const auto& change : changes_)
      if (!change.visible
          && std::find(names.begin(), names.end(), change.text) == names.end())
        names.push_back(change.text);
    std::sort(names.begin(), names.end());
    // Of all insights here, so one list each.
    const insight_fact::text_list quiet = std::move(names);
    const insight_fact::text_list context = facts_.contexts();
    auto checks = attempt_.grade.parts;
    for (auto& check : checks)
      check.name = generalised(check.name);
    checks.push_back({whole_task_check, attempt_.grade.reward >= 1.0});
    for (const auto& [call_text, last] : views_) {
      if (last.changes_before != changes_.size()) continue; // not the end
      for (const auto& check : checks) {
        insight item;
        item.fact.kind = "outcome";
        item.fact.observation = call_text;
        item.fact.after = last.lines;
        item.fact.quiet = quiet;
        item.fact.context = context;
        item.fact.check = check.name;
        item.fact.met = check.met;
        item.steps.push_back(last.step);
        item.sentence = outcome_sentence(item.fact);
        add(std::move(item));
      }
    }
  }

  /// A check with this task's records generalised, so that other tasks share
  /// it.
  std::string generalised(const std::string& check) const {
    const auto parsed = parse_call(check);
    if (!parsed) return check;
    return to_text(facts_.generalise_check(*parsed));
  }

  void add(insight item) {
    item.topic = topic_of(item.fact.observation);
    item.id = identity(item);
    insights_.push_back(std::move(item));
  }

  const graded_attempt& attempt_;
  task_facts facts_;
  std::vector<change_call> changes_;
  std::map<std::string, sighting> views_;
  std::vector<insight> insights_;
};

} // namespace

std::string topic_of(std::string_view call_text) {
  const auto parsed = parse_call(call_text);
  if (!parsed) return std::string{call_text};
  auto topic = without_verb(replace_all(parsed->tool, "_", " "));
  const auto known = name_words(topic); // a copy: see name_words
  std::string about;
  for (const auto& argument : parsed->arguments) {
    auto name = replace_all(argument.placeholder, "_", " ");
    if (name.ends_with(" id")) name.resize(name.size() - 3);
    if (argument.placeholder.empty() && argument.value.is_string())
      name = argument.value.get<std::string>();
    const auto words = telling_words(name);
    if (std::includes(known.begin(), known.end(), words.begin(), words.end()))
      continue;
    about += (about.empty() ? " of " : " and ") + name;
  }
  return topic + about;
}

result<std::vector<insight>>
procedural_reflector::reflect(const graded_attempt& attempt,
                              const std::vector<rubric_rating>&,
                              job_context&) const {
  return walk{attempt, parsed_}.run();
}

} // namespace brewery
