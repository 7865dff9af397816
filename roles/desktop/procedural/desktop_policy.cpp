#include "roles/desktop/procedural/desktop_policy.hpp"

#include "roles/desktop/agents/desktop_play.hpp"
#include "roles/desktop/procedural/moves.hpp"
#include "roles/desktop/procedural/random_moves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace brewery::desktop {

namespace {

/// Steps to open the menus of one move.
constexpr std::uint32_t most_openings = 4;

/// A terminal that was just opened is not there at once. Waits are no moves and
/// draw nothing: how fast a machine is shall not change what is tried.
constexpr std::uint32_t most_waits = 30;

class attempt_on_desktop {
public:
  attempt_on_desktop(const task_info& task, environment& env,
                     retrieval_session& retrieval, const agent_options& options,
                     const guidance_cache& rules, std::uint64_t draw_key)
      : instruction_(task.instruction), task_(terms_of(task.instruction)),
        retrieval_(retrieval), options_(options), read_(rules),
        play_(env, options.max_calls), guess_(task_, rng{draw_key}) {}

  result<trajectory> run() {
    const auto found = retrieval_.retrieve(instruction_, 0);
    if (!found) return found.error();
    read_.add(*found);
    while (play_.left() > 1) {
      if (auto ok = look(); !ok) return ok.error();
      const auto* rule = next_rule();
      const auto went_on = rule != nullptr ? follow(*rule) : explore();
      if (!went_on) return went_on.error();
      if (!*went_on) break;
    }
    if (play_.left() > 0)
      if (auto ok = make(end_move(true), "nothing is left to do"); !ok)
        return ok.error();
    auto out = play_.take();
    out.before_draw = before_draw_;
    return out;
  }

private:
  result<void> look() {
    auto ok = see();
    while (ok && is_opening() && waits_ < most_waits && play_.left() > 2) {
      ++waits_;
      ok = play_.act({action::kind::wait}, "the terminal is not there yet");
      if (play_.over()) break;
      if (ok) ok = see();
    }
    return ok;
  }

  result<void> see() {
    const auto seen = play_.look();
    if (!seen) return seen.error();
    if (play_.tree().nodes.empty())
      return error{ec::environment,
                   "the screen has no accessibility tree, and this agent acts "
                   "by its elements: let the environment take one"};
    view_ = view_of(play_.tree());
    return {};
  }

  /// Until the terminal takes what is typed and has all of its elements.
  bool is_opening() {
    if (!opening_) return false;
    std::vector<std::string> shown;
    for (const auto& item : view_.elements)
      shown.push_back(item.label);
    opening_ = !in_terminal(view_) || shown != shown_;
    shown_ = std::move(shown);
    return opening_;
  }

  bool holds(const rule& item) const {
    return std::ranges::all_of(
               item.when,
               [&](const condition& shown) {
                 return shown.observation == screen_call
                        && std::ranges::count(view_.lines, shown.line) > 0;
               })
           && std::ranges::all_of(item.clauses, [&](const auto& word) {
                return task_.words.contains(word);
              });
  }

  /// Each rule is followed once.
  const rule* next_rule() {
    for (const auto& guide : read_.guides())
      for (const auto& placed : guide->rules)
        if (holds(placed.content) && followed_.insert(placed.text).second)
          return &placed.content;
    return nullptr;
  }

  /// False after the end. A rule whose next element is not there is left.
  result<bool> follow(const rule& item) {
    for (const auto& text : item.calls) {
      const auto move = parse_call(text);
      if (!move) break;
      const auto made = make(*move, "rule: " + text);
      if (!made) return made.error();
      if (!*made) break;
    }
    return !play_.over();
  }

  /// Makes a move, and opens its menus before. False: it cannot be made here.
  result<bool> make(const call_text& move, const std::string& caption) {
    for (std::uint32_t n = 0; n <= most_openings; ++n) {
      if (auto ok = look(); !ok) return ok.error();
      const auto step = step_for(move, view_, task_);
      if (!step || play_.left() == 0) return false;
      json told = json::object();
      if (!step->opens) told[move_member] = to_text(move);
      told[place_member] = view_.lines.empty() ? "" : view_.lines.front();
      if (auto ok = play_.act(step->code, caption, told); !ok)
        return ok.error();
      if (step->opens) continue;
      opening_ = to_text(move) == to_text(key_move(terminal_keys));
      return true;
    }
    return false;
  }

  /// False: the attempt should end, or has ended.
  result<bool> explore() {
    if (!options_.explore || explored_ >= options_.explore_writes) return false;
    ++explored_;
    before_draw_ = retrieval_.retrievals();
    const auto move = guess_.next(view_);
    if (!move) return false;
    const auto made = make(*move, "explore");
    if (!made) return made.error();
    return !play_.over();
  }

  const std::string& instruction_;
  task_terms task_;
  retrieval_session& retrieval_;
  const agent_options& options_;
  rules_read read_;
  desktop_play play_;
  random_moves guess_;
  screen_view view_;
  std::set<std::string> followed_;
  std::uint32_t explored_ = 0;
  std::uint32_t before_draw_ = never_drew; ///< it asks once, at the beginning
  bool opening_ = false;           ///< a terminal, which is not there yet
  std::vector<std::string> shown_; ///< labels at the last look while it opens
  std::uint32_t waits_ = 0;
};

} // namespace

std::string procedural_desktop_agent::fingerprint() const {
  return fmt::format("procedural-desktop/3 steps={} explore={}x{}",
                     options_.max_calls, options_.explore,
                     options_.explore_writes);
}

result<trajectory>
procedural_desktop_agent::attempt(const task_info& task, environment& env,
                                  retrieval_session& retrieval,
                                  std::uint64_t draw_key, job_context&) const {
  return attempt_on_desktop{task, env, retrieval, options_, rules_, draw_key}
      .run();
}

} // namespace brewery::desktop
