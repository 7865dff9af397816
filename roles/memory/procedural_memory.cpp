#include "roles/memory/procedural_memory.hpp"

#include "base/text.hpp"
#include "kb/experience/experience.hpp"
#include "messages/memory/agent_kb_steps.hpp"
#include "roles/memory/attempt_view.hpp"
#include "roles/memory/procedural_arbiter.hpp"
#include "roles/procedural/call_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>

namespace brewery {

namespace {

attempt_view view_in(const memory_job& job) {
  static const std::vector<trajectory_step> none;
  return view_of(text_in(job, memory_texts::task),
                 job.attempts.empty() ? none : job.attempts.front().steps);
}

bool says(const attempt_view& view, const std::vector<std::string>& clauses) {
  return std::ranges::all_of(clauses, [&](const std::string& clause) {
    return std::ranges::find(view.clauses, clause) != view.clauses.end();
  });
}

bool applied(const attempt_view& view, const rule& item) {
  return says(view, item.clauses)
         && std::ranges::all_of(
             item.when, [&](const condition& c) { return view.showed(c); });
}

void add_once(std::vector<std::string>& to, std::string text) {
  if (std::ranges::find(to, text) == to.end()) to.push_back(std::move(text));
}

std::string title_of(const std::vector<rule>& rules) {
  std::vector<std::string> tools;
  for (const auto& item : rules)
    for (const auto& text : item.calls)
      if (const auto call = parse_call(text)) add_once(tools, call->tool);
  return replace_all(join(tools, ", then "), "_", " ");
}

/// Of rules with one condition, those of the earlier lesson come first.
void take_rules(const attempt_view& view, const guidance& lesson,
                std::vector<rule>& to) {
  for (const auto& placed : lesson.rules)
    if (applied(view, placed.content)
        && std::ranges::find(to, placed.content) == to.end())
      to.push_back(placed.content);
}

/// In the order in which their looks were made first.
void order_by_look(const attempt_view& view, std::vector<rule>& rules) {
  const auto place = [&](const rule& item) {
    return std::ranges::find(view.looks, item.when.front().observation)
           - view.looks.begin();
  };
  std::ranges::stable_sort(rules, {}, place);
}

memory_result abstracted(const memory_job& job,
                         const std::vector<std::string>& lessons) {
  memory_result out;
  const auto view = view_in(job);
  std::vector<rule> rules;
  experience item;
  for (const auto& body : lessons) {
    const auto lesson = read_guidance(body);
    take_rules(view, lesson, rules);
    for (const auto& placed : lesson.goals)
      if (says(view, placed.content.clauses)
          && view.first.contains(placed.content.shows.observation))
        add_once(item.goal, to_text(placed.content));
  }
  if (rules.empty()) return out;
  order_by_look(view, rules);
  item.title = title_of(rules);
  item.problem = view.clauses;
  for (const auto& one : rules) {
    for (const auto& shown : one.when)
      add_once(item.problem, sighting_text(shown));
    item.steps.push_back(to_text(one));
    if (view.ended_with(one.when.front()))
      item.failures.push_back({sighting_text(one.when.front()), ""});
  }
  item.domain = text_in(job, memory_texts::domain);
  item.difficulty = static_cast<std::uint32_t>(rules.size());
  item.tools.assign(view.tools.begin(), view.tools.end());
  item.from = {job.task.value};
  out.texts.push_back({memory_texts::experience, to_markdown(item)});
  return out;
}

memory_result reasoned(const memory_job& job) {
  const auto view = view_in(job);
  auto query = join(view.clauses, "\n");
  for (const auto& look : view.looks)
    for (const auto& line : view.first.at(look))
      query += '\n' + sighting_text(look, line);
  return {{}, {{memory_texts::query, query}}, {}};
}

/// A rule of the guidance, with who vouches for it.
struct backed_rule {
  rule content;
  double support = 0; ///< sum of the qualities of its experiences
  std::vector<std::size_t> from;
};

struct advice {
  std::vector<backed_rule> rules;
  std::vector<std::string> goals;
};

double number_in(const std::string& text) {
  double out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

void add_rule(advice& to, const rule& item, double support, std::size_t from) {
  const auto known = std::ranges::find(to.rules, item, &backed_rule::content);
  auto& backed = known == to.rules.end() ? to.rules.emplace_back() : *known;
  backed.content = item;
  backed.support += support;
  backed.from.push_back(from);
}

/// The steps of all experiences that the job names.
advice advice_of(const memory_job& job) {
  advice out;
  const auto experiences = texts_of(job.texts, memory_texts::experience);
  const auto qualities = texts_of(job.texts, memory_texts::quality);
  for (std::size_t i = 0; i < experiences.size(); ++i) {
    const auto item = read_experience(experiences[i]);
    if (!item) continue;
    const double quality = i < qualities.size() ? number_in(qualities[i]) : 0;
    for (const auto& placed : read_guidance(join(item->steps, "\n")).rules)
      add_rule(out, placed.content, quality, i + 1);
    for (const auto& line : item->goal)
      add_once(out.goals, line);
  }
  return out;
}

/// Of rules with one condition the best supported stays; ties by text.
void settle_conflicts(advice& made) {
  std::vector<backed_rule> kept;
  for (auto& item : made.rules) {
    const auto rival = std::ranges::find_if(kept, [&](const auto& other) {
      return other.content.when == item.content.when
             && other.content.clauses == item.content.clauses;
    });
    if (rival == kept.end())
      kept.push_back(std::move(item));
    else if (std::pair{-item.support, to_text(item.content)}
             < std::pair{-rival->support, to_text(rival->content)})
      *rival = std::move(item);
  }
  made.rules = std::move(kept);
}

memory_result guidance_of(const advice& made) {
  memory_result out;
  if (made.rules.empty()) return out;
  auto body = fmt::format("# Guidance\n\n**When to use:** the task is like this"
                          " one\n\n### How to perform\n\n");
  std::vector<std::string> cites;
  std::size_t number = 0;
  for (const auto& item : made.rules) {
    body += fmt::format("{}. {}\n", ++number, to_text(item.content));
    for (const auto from : item.from)
      if (from > 0) add_once(cites, std::to_string(from));
  }
  if (!made.goals.empty()) body += "\n### Additional actions\n\n";
  for (const auto& line : made.goals)
    body += fmt::format("- {}\n", line);
  out.texts.push_back({memory_texts::guidance, std::move(body)});
  for (auto& one : cites)
    out.texts.push_back({memory_texts::cites, std::move(one)});
  return out;
}

memory_result refined(const memory_job& job) {
  auto made = advice_of(job);
  settle_conflicts(made);
  return guidance_of(made);
}

/// The checks that a grade, if the role is told one, says were missed. They are
/// in the grader's words, so they find experiences; rules are about lines.
void add_missed(const memory_job& job, std::vector<std::string>& to) {
  if (job.attempts.empty()) return;
  for (const auto& grade : job.attempts.front().grade)
    for (const auto& part : grade.parts)
      if (!part.met) add_once(to, part.name);
}

/// Lines that no attempt to change them has changed.
memory_result reviewed(const memory_job& job) {
  const auto view = view_in(job);
  memory_result out;
  auto query = join(view.clauses, "\n");
  std::vector<std::string> issues;
  for (const auto& look : view.looks) {
    const auto& before = view.first.at(look);
    for (const auto& line : view.last.at(look)) {
      query += '\n' + sighting_text(look, line);
      if (std::ranges::find(before, line) != before.end())
        add_once(issues, sighting_text(look, line));
    }
  }
  for (const auto& placed :
       read_guidance(text_in(job, memory_texts::guidance)).rules)
    for (const auto& shown : placed.content.when)
      if (applied(view, placed.content) && view.ended_with(shown))
        add_once(issues, sighting_text(shown));
  add_missed(job, issues);
  out.texts.push_back({memory_texts::query, std::move(query)});
  for (auto& issue : issues)
    out.texts.push_back({memory_texts::issue, std::move(issue)});
  return out;
}

/// What the first attempt had stays first; the experiences add rules about what
/// is unsolved.
memory_result advised(const memory_job& job) {
  advice made;
  const auto before = read_guidance(text_in(job, memory_texts::guidance));
  for (const auto& placed : before.rules)
    add_rule(made, placed.content, 1, 0);
  for (const auto& placed : before.goals)
    add_once(made.goals, to_text(placed.content));
  const auto issues = texts_of(job.texts, memory_texts::issue);
  auto found = advice_of(job);
  for (const auto& item : found.rules) {
    const bool about =
        std::ranges::any_of(item.content.when, [&](const condition& shown) {
          return std::ranges::find(issues, sighting_text(shown))
                 != issues.end();
        });
    if (!about) continue;
    for (const auto from : item.from)
      add_rule(made, item.content, item.support, from);
  }
  for (auto& line : found.goals)
    add_once(made.goals, std::move(line));
  settle_conflicts(made);
  return guidance_of(made);
}

} // namespace

result<memory_result>
procedural_memory::perform(const memory_job& job,
                           const std::vector<std::string>& documents,
                           job_context&) const {
  memory_result out;
  if (job.step == agent_kb_steps::abstract)
    out = abstracted(job, documents);
  else if (job.step == agent_kb_steps::reason)
    out = reasoned(job);
  else if (job.step == agent_kb_steps::refine)
    out = refined(job);
  else if (job.step == agent_kb_steps::review)
    out = reviewed(job);
  else if (job.step == agent_kb_steps::advise)
    out = advised(job);
  else if (job.step == agent_kb_steps::merge)
    out = arbitrated(job);
  else
    return error{ec::invalid_argument,
                 fmt::format("there is no step \"{}\" of Agent KB", job.step)};
  out.id = job.id;
  return out;
}

} // namespace brewery
