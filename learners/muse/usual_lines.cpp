#include "learners/muse/usual_lines.hpp"

#include "learners/muse/distillation.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace brewery::muse {

namespace {

constexpr std::size_t min_tasks = 4;
constexpr double min_reliability = 0.6;
constexpr std::size_t max_tools = 2;

/// Attempts that must all have met a check to leave a line that is as usual.
constexpr std::uint32_t min_support = 3;

/// The number at the beginning of a text.
std::uint32_t number_at(std::string_view text) {
  std::uint32_t out = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || out > 1'000'000) break;
    out = 10 * out + static_cast<std::uint32_t>(c - '0');
  }
  return out;
}

/// "3 of 3 attempts with it ...": enough, and all of them.
bool is_sure(const memory_operation& made) {
  if (made.notes.empty()) return false;
  const std::string_view note = made.notes.front();
  const auto of = note.find(" of ");
  if (of == std::string_view::npos) return false;
  const auto all = number_at(note.substr(of + 4));
  return all >= min_support && number_at(note) == all;
}

/// The lines by key; keys that stand on several lines are left out. A look that
/// reports one sentence has one line without a key.
std::map<std::string, std::string>
by_key(const std::vector<std::string>& lines) {
  std::map<std::string, std::string> out;
  std::set<std::string> repeated;
  for (const auto& line : lines) {
    const auto colon = line.find(": ");
    auto key =
        colon == std::string::npos ? std::string{} : line.substr(0, colon);
    if (!out.emplace(key, line).second) repeated.insert(std::move(key));
  }
  for (const auto& key : repeated)
    out.erase(key);
  return out;
}

} // namespace

void usual_lines::first_look(const std::string& task, const look_lines& shown) {
  if (!seen_.emplace(task, shown.look).second) return;
  for (const auto& [key, line] : by_key(shown.lines))
    looks_[shown.look][key].starts[line].insert(task);
}

void usual_lines::effect(const insight_fact& fact) {
  if (fact.kind != "effect" || fact.actions.size() != 1) return;
  const auto& call = fact.actions.items().front();
  const auto before = by_key(fact.before.items());
  const auto after = by_key(fact.after.items());
  auto& look = looks_[fact.observation];
  for (const auto& [key, was] : before) {
    const auto now = after.find(key);
    if (now == after.end()) continue;
    auto& step = look[key].steps[was][call];
    ++step.made;
    if (now->second == was) continue;
    ++step.at[now->second];
    const auto tool = tool_of(call);
    look[key].tools.insert(tool);
    auto& changed = changed_[tool];
    changed.most =
        std::max(changed.most, ++changed.of[{fact.observation, key}]);
  }
}

std::string usual_lines::usual_of(const key_facts& key, std::size_t values) {
  std::size_t all = 0;
  const std::string* most = nullptr;
  std::size_t count = 0;
  for (const auto& [line, tasks] : key.starts) {
    all += tasks.size();
    if (tasks.size() > count) {
      count = tasks.size();
      most = &line;
    }
  }
  if (key.starts.size() < values || all < min_tasks || 2 * count <= all)
    return {};
  return *most;
}

/// Whether a tool's changes show in this key about as often as in any.
bool usual_lines::is_own(const std::string& call, const std::string& look,
                         const std::string& key) const {
  const auto changed = changed_.find(tool_of(call));
  if (changed == changed_.end()) return false;
  const auto here = changed->second.of.find({look, key});
  return here != changed->second.of.end()
         && here->second >= min_reliability * changed->second.most;
}

/// The first step of the shortest reliable way back from each other line.
std::vector<memory_operation>
usual_lines::ways_back(std::string_view application, const std::string& look,
                       const std::string& name, const key_facts& key,
                       const std::string& usual) const {
  std::vector<memory_operation> out;
  std::set<std::string> reached{usual};
  for (bool grows = true; grows;) {
    grows = false;
    std::set<std::string> next;
    for (const auto& [line, calls] : key.steps) {
      if (reached.contains(line)) continue;
      std::optional<memory_operation> best;
      std::uint32_t most = 0;
      for (const auto& [call, step] : calls)
        for (const auto& [to, count] : step.at)
          if (reached.contains(to) && count > most
              && count >= min_reliability * step.made
              && is_own(call, look, name)) {
            most = count;
            best = procedure_for(
                application, line,
                fmt::format("When `{}` shows {}: call `{}`. Expect {}.", look,
                            json_quoted(line), call, json_quoted(to)),
                fmt::format("It did so {} of {} times. Most tasks begin with "
                            "{}.",
                            count, step.made, json_quoted(usual)));
          }
      if (!best) continue;
      out.push_back(std::move(*best));
      next.insert(line);
    }
    grows = !next.empty();
    reached.merge(next);
  }
  return out;
}

bool usual_lines::leaves_usual(const memory_operation& made,
                               const std::set<std::string>& looks) const {
  if (made.texts.size() != 1 || is_sure(made)) return false;
  const auto& text = made.texts.front();
  for (const auto& look : looks) {
    const auto known = looks_.find(look);
    if (known == looks_.end()) continue;
    for (const auto& [name, key] : known->second) {
      if (key.tools.empty() || key.tools.size() > max_tools) continue;
      const auto usual = usual_of(key, 1);
      if (!usual.empty()
          && text.starts_with(
              fmt::format("When `{}` shows {}", look, json_quoted(usual))))
        return true;
    }
  }
  return false;
}

std::vector<memory_operation>
usual_lines::procedures(std::string_view application,
                        const std::set<std::string>& looks) const {
  std::vector<memory_operation> out;
  for (const auto& look : looks) {
    const auto known = looks_.find(look);
    if (known == looks_.end()) continue;
    for (const auto& [name, key] : known->second) {
      if (key.tools.empty() || key.tools.size() > max_tools) continue;
      const auto usual = usual_of(key, 2);
      if (usual.empty()) continue;
      for (auto& one : ways_back(application, look, name, key, usual))
        out.push_back(std::move(one));
    }
  }
  return out;
}

} // namespace brewery::muse
