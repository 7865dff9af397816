#include "roles/muse/procedural_attempt.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "roles/procedural/call_text.hpp"
#include "roles/procedural/procedural_reflector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace brewery {

namespace {

/// A sentence whose sub-task failed so often is not tried again.
constexpr int max_failures = 1;

/// One that was done with success and is wanted again: something undoes it.
constexpr int max_repeats = 2;

/// Calls reserved for the last look.
constexpr std::uint32_t final_reserve = 20;

retrieval_options without_queries() {
  retrieval_options out;
  out.per_observation = false;
  return out;
}

muse::sub_task_limits limits_of(const muse_options& how) {
  return {.actions_per_try = how.actions_per_try,
          .tries = 2,
          .actions = how.actions,
          .plans = 80};
}

std::string name_of_line(std::string_view line) {
  std::string out{utf8_prefix(line, 80)};
  while (out.ends_with(' '))
    out.pop_back();
  return "stuck on " + out;
}

/// What a strategy about a line begins with; the sentence to follow first ends
/// it.
std::string resists(const condition& line) {
  return fmt::format("When `{}` shows {} and it stays, first: ",
                     line.observation, json_quoted(line.line));
}

} // namespace

procedural_attempt::procedural_attempt(const task_info& task, environment& env,
                                       opened_memory& memory,
                                       const agent_options& options,
                                       const muse_options& how,
                                       const guidance_cache& rules,
                                       const observation_cache& parsed,
                                       std::uint64_t draw_key)
    : memory_(memory), options_(options), how_(how),
      nothing_(std::make_shared<kb_index>()), queries_(without_queries()),
      no_queries_(nothing_, 0),
      work_(task, env, no_queries_, options, queries_, rules, parsed),
      loop_(limits_of(how)), draw_(draw_key) {}

result<trajectory> procedural_attempt::run() {
  using phase = muse::sub_task_loop::phase;
  memory_.read_standing();
  work_.observe_all();
  work_.each_view([this](const std::string& look, const auto& lines) {
    first_.push_back({look, lines});
  });
  while (loop_.now() != phase::over) {
    if (loop_.now() == phase::plan)
      loop_.planned(make_plan());
    else if (loop_.now() == phase::act)
      act();
    else
      check();
  }
  work_.observe_all();
  auto out = work_.take();
  if (!out) return out;
  muse_attempt own;
  own.sub_tasks = loop_.records();
  own.memory = memory_.take_added();
  own.first = std::move(first_);
  out->muse.push_back(std::move(own));
  return out;
}

/// Those whose look was seen: the outline names looks by their topics.
void procedural_attempt::open_applications() {
  std::set<std::string> topics;
  work_.each_view([&](const std::string& look, const auto&) {
    topics.insert(topic_of(look));
  });
  for (const auto& topic : topics)
    if (const auto* doc = memory_.open(
            topic, static_cast<std::uint32_t>(work_.steps().size())))
      work_.read({doc});
}

std::vector<procedural_attempt::chosen> procedural_attempt::candidates() const {
  std::vector<chosen> out;
  for (const auto& guide : work_.guides())
    for (const auto& placed : guide->rules) {
      const auto failed = given_up_.find(placed.text);
      if (failed != given_up_.end() && failed->second >= max_failures) continue;
      const auto done = done_.find(placed.text);
      if (done != done_.end() && done->second >= max_repeats) continue;
      if (work_.applies(placed.content))
        out.push_back({placed.content, placed.text});
    }
  order_by_strategies(out);
  return out;
}

/// What a strategy says to do first goes before the line that stays without it.
void procedural_attempt::order_by_strategies(std::vector<chosen>& plan) const {
  for (std::size_t late = 0; late < plan.size(); ++late)
    for (std::size_t early = late + 1; early < plan.size(); ++early)
      for (const auto& known : memory_.all().strategies)
        if (known.text
            == resists(plan[late].content->when.front()) + plan[early].text) {
          std::rotate(plan.begin() + static_cast<std::ptrdiff_t>(late),
                      plan.begin() + static_cast<std::ptrdiff_t>(early),
                      plan.begin() + static_cast<std::ptrdiff_t>(early) + 1);
          return;
        }
}

/// As the procedural agent: if sentences were followed and none describes
/// success, stopping is as good as going on.
bool procedural_attempt::may_explore() {
  if (!options_.explore || how_.explore == 0) return false;
  if (work_.calls_left() <= final_reserve) return false;
  using finish = brewery::attempt::finish;
  const auto state = work_.finished();
  if (state == finish::reached) return false;
  if (!budget_) {
    budget_ = state == finish::missed
                  ? how_.explore
                  : static_cast<std::uint32_t>(draw_.below(how_.explore + 1));
    if (state == finish::unknown && rules_followed_ > 0) budget_ = *budget_ / 2;
  }
  return *budget_ > 0;
}

std::vector<muse::sub_task> procedural_attempt::make_plan() {
  if (work_.calls_left() == 0) return {};
  open_applications();
  auto found = candidates();
  if (found.empty() && work_.refresh_conditions()) found = candidates();
  std::vector<muse::sub_task> plan;
  for (const auto& one : found) {
    const auto& item = *one.content;
    const auto& line = item.when.front();
    plan.push_back(
        {one.text, item.expect.empty()
                       ? fmt::format("`{}` no longer shows {}",
                                     line.observation, json_quoted(line.line))
                       : fmt::format("`{}` shows {}", line.observation,
                                     json_quoted(item.expect))});
  }
  if (!found.empty()) {
    chosen_ = std::move(found.front());
    return plan;
  }
  if (!may_explore()) return {};
  chosen_ = {};
  return {{"Find out what a call changes that was not tried yet.",
           "a look reports something else than before"}};
}

void procedural_attempt::act() {
  first_step_ = work_.steps().size();
  before_ = views();
  kept_ = goals_shown();
  work_.forget_made();
  if (!chosen_.content)
    explore_once();
  else if (loop_.explores())
    explore_for(*chosen_.content);
  else
    follow(*chosen_.content);
  loop_.acted(static_cast<std::uint32_t>(work_.steps().size() - first_step_));
  loop_.claim();
}

void procedural_attempt::follow(const rule& item) {
  if (!work_.follow(item)) return;
  ++rules_followed_;
  work_.observe(item.when.front().observation);
}

/// The second try: other calls of the same tools' owner, until the line that
/// was to go is gone.
void procedural_attempt::explore_for(const rule& item) {
  const auto& line = item.when.front();
  const auto look = parse_call(line.observation);
  const auto* reader = look ? work_.find_tool(look->tool) : nullptr;
  if (reader == nullptr) return;
  while (may_explore()
         && work_.steps().size() - first_step_ < loop_.actions_left()) {
    --*budget_;
    if (try_something(reader->requestor, line.observation) == nullptr) return;
    if (!work_.observe(line.observation) || !work_.shows(line)) return;
  }
}

void procedural_attempt::explore_once() {
  if (!budget_ || *budget_ == 0) return;
  --*budget_;
  if (const auto* tool = try_something({}, {})) look_after(*tool);
}

std::string procedural_attempt::shows_in(const std::string& tool) const {
  const auto note = muse::note_on(memory_.all(), tool);
  const auto open = note.find('`');
  const auto close = note.rfind('`');
  if (open == std::string_view::npos || close <= open) return {};
  return std::string{note.substr(open + 1, close - open - 1)};
}

/// A note says where this tool's changes show; else all of its owner's looks
/// are repeated.
void procedural_attempt::look_after(const tool_spec& tool) {
  const auto look = shows_in(tool.name);
  if (look.empty() || !work_.observe(look)) work_.observe_all(tool.requestor);
}

/// Makes a random changing call, of the tools of one requestor or, without a
/// name, of any. For a look, tools whose changes show there come first, and
/// those whose changes show elsewhere are left out. Null if none is possible.
const tool_spec* procedural_attempt::try_something(std::string_view kit,
                                                   std::string_view look) {
  std::vector<const tool_spec*> tools, unknown;
  for (const auto& tool : work_.env().tools()) {
    if (tool.kind == tool_kind::read || tool.kind == tool_kind::finish
        || (!kit.empty() && tool.requestor != kit))
      continue;
    const auto known = look.empty() ? std::string{} : shows_in(tool.name);
    if (known.empty())
      unknown.push_back(&tool);
    else if (known == look)
      tools.push_back(&tool);
  }
  draw_.shuffle(tools);
  draw_.shuffle(unknown);
  tools.insert(tools.end(), unknown.begin(), unknown.end());
  return work_.try_one_of(tools, draw_);
}

void procedural_attempt::check() {
  const auto verdict =
      chosen_.content ? check_rule(*chosen_.content) : check_exploration();
  const bool second = loop_.explores();
  loop_.checked(verdict.met, verdict.report, verdict.probes);
  if (!chosen_.content) return;
  if (verdict.met) {
    ++done_[chosen_.text];
    remember_strategy(*chosen_.content);
    if (second) remember_procedure(*chosen_.content);
  } else if (loop_.now() != muse::sub_task_loop::phase::act) {
    ++given_up_[chosen_.text];
    resisted_.push_back(*chosen_.content);
  }
}

sub_task_verdict procedural_attempt::check_rule(const rule& item) {
  const auto& line = item.when.front();
  if (work_.made().empty()) return {false, "no call was made", 0};
  if (!how_.verify) return {true, "not checked", 0};
  sub_task_claim claim;
  claim.first_step = first_step_;
  for (const auto& call : work_.made())
    if (const auto parsed = parse_call(call))
      claim.tools.push_back(parsed->tool);
  const bool expects = !item.expect.empty() && !loop_.explores();
  claim.shows = {line.observation, expects ? item.expect : line.line};
  claim.gone = !expects;
  claim.kept = kept_;
  // The goal of the sub-task itself need not be kept.
  std::erase_if(claim.kept, [&](const condition& kept) {
    return kept.observation == line.observation;
  });
  const line_probe probe =
      [&](const std::string& look) -> std::optional<std::vector<std::string>> {
    const auto parsed = parse_call(look);
    const auto arguments =
        parsed ? work_.facts().fill(*parsed) : std::optional<json>{};
    if (!arguments) return std::nullopt;
    const auto answer = work_.env().probe(parsed->tool, *arguments);
    if (!answer || answer->failed) return std::nullopt;
    return work_.facts().lines_of(answer->content);
  };
  const auto now = views();
  const line_memory seen =
      [&](const std::string& look) -> std::optional<std::vector<std::string>> {
    const auto found = now.find(look);
    if (found == now.end()) return std::nullopt;
    return found->second;
  };
  return verify(claim, work_.steps(), probe, seen);
}

sub_task_verdict procedural_attempt::check_exploration() {
  if (work_.made().empty()) return {false, "no call was left to try", 0};
  for (const auto& [look, lines] : views()) {
    const auto was = before_.find(look);
    if (was == before_.end() || was->second != lines)
      return {true, fmt::format("`{}` changed", look), 0};
  }
  return {false, "no look changed", 0};
}

/// The goals of opened procedures that looks show now.
std::vector<condition> procedural_attempt::goals_shown() const {
  std::vector<condition> out;
  for (const auto& guide : work_.guides())
    for (const auto& placed : guide->goals)
      if (work_.says(placed.content.clauses)
          && work_.shows(placed.content.shows))
        out.push_back(placed.content.shows);
  return out;
}

std::map<std::string, std::vector<std::string>>
procedural_attempt::views() const {
  std::map<std::string, std::vector<std::string>> out;
  work_.each_view(
      [&](const std::string& look, const auto& lines) { out[look] = lines; });
  return out;
}

/// What the second try did instead of the sentence. The check has confirmed
/// that the line is gone.
void procedural_attempt::remember_procedure(const rule& item) {
  rule found = item;
  found.calls = {work_.made().back()};
  found.expect.clear();
  const auto& line = item.when.front();
  memory_.add({.store = std::string{memory_stores::procedural},
               .name = topic_of(line.observation),
               .operation = name_of_line(line.line),
               .preconditions = {},
               .texts = {to_text(found)},
               .notes = {"Found by trying, after the usual step had failed."}});
}

/// A line that had stayed, and that is gone since this sub-task.
void procedural_attempt::remember_strategy(const rule& met) {
  for (auto it = resisted_.begin(); it != resisted_.end();) {
    const auto& line = it->when.front();
    if (!work_.fresh(line.observation) || work_.shows(line)) {
      ++it;
      continue;
    }
    const auto topic = topic_of(line.observation);
    auto words = split(topic, ' ');
    if (words.size() > 5) words.resize(5);
    std::string dilemma;
    for (const auto word : words)
      dilemma += std::string{word} + " ";
    memory_.add({.store = std::string{memory_stores::strategic},
                 .name = dilemma + "stays",
                 .operation = {},
                 .preconditions = {},
                 .texts = {resists(line) + to_text(met)},
                 .notes = {}});
    given_up_.erase(to_text(*it));
    it = resisted_.erase(it);
  }
}

} // namespace brewery
