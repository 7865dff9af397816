#include "roles/desktop/procedural/desktop_policy.hpp"

#include "base/rng.hpp"
#include "roles/desktop/agents/desktop_play.hpp"
#include "roles/desktop/procedural/moves.hpp"
#include "roles/desktop/procedural/shell_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace brewery::desktop {

namespace {

// Probabilities of an attempt without a rule.
constexpr double gives_up_first = 0.1;
constexpr double stops_after_match = 0.35; ///< something like the task was done
constexpr double stops_after_command = 0.6;
constexpr double runs_a_command = 0.9; ///< in a terminal
constexpr double types_when_it_can = 0.6;
constexpr double confirms_what_it_typed = 0.6;
constexpr double presses_a_key = 0.1;
constexpr double presses_its_key = 0.5; ///< after a match: "save" in the task
constexpr double goes_by_likeness = 0.8;

/// Steps to open the menus of one move.
constexpr std::uint32_t most_openings = 4;

/// A terminal that was just opened is not there at once. Waits are no moves and
/// draw nothing: how fast a machine is shall not change what is tried.
constexpr std::uint32_t most_waits = 30;

/// Opens a terminal on the usual desktops; all that can be pressed on an empty
/// screen.
constexpr const char* terminal_keys = "ctrl+alt+t";

/// What keys do on every desktop.
constexpr std::array<const char*, 3> usual_keys{"enter", "esc", "ctrl+s"};

class attempt_on_desktop {
public:
  attempt_on_desktop(const task_info& task, environment& env,
                     retrieval_session& retrieval, const agent_options& options,
                     const guidance_cache& rules, std::uint64_t draw_key)
      : instruction_(task.instruction), task_(terms_of(task.instruction)),
        retrieval_(retrieval), options_(options), read_(rules),
        play_(env, options.max_calls), draw_(draw_key) {}

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
    return play_.take();
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
    opening_ = !in_terminal() || shown != shown_;
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
    const double luck = draw_.uniform();
    if (explored_++ == 0 && luck < gives_up_first) {
      if (auto ok = make(end_move(false), "explore: give up"); !ok)
        return ok.error();
      return false;
    }
    if (matched_ && luck < stops_after_match) return false;
    if (commanded_ && luck < stops_after_command) return false;
    const auto move = random_move();
    if (!move) return false;
    tried_.insert(to_text(*move));
    const auto made = make(*move, "explore");
    if (!made) return made.error();
    return !play_.over();
  }

  std::optional<call_text> random_move() {
    matched_ = commanded_ = false;
    if (view_.application.empty()) return key_move(terminal_keys);
    if (in_terminal() && draw_.uniform() < runs_a_command)
      if (auto move = random_command(task_, draw_)) {
        commanded_ = true;
        return move;
      }
    if (typed_ && draw_.uniform() < confirms_what_it_typed) {
      typed_ = false;
      matched_ = true;
      return key_move("enter");
    }
    if (auto typed = text_to_type();
        typed && draw_.uniform() < types_when_it_can) {
      typed_ = true;
      in_text_field_ = false;
      return typed;
    }
    if (changed_ && draw_.uniform() < presses_its_key)
      if (const auto key = key_of_task()) {
        changed_ = false;
        matched_ = true;
        return key_move(*key);
      }
    if (draw_.uniform() < presses_a_key)
      return key_move(usual_keys.at(draw_.below(usual_keys.size())));
    const auto* item = element_to_press();
    if (item == nullptr)
      return key_move(usual_keys.at(draw_.below(usual_keys.size())));
    matched_ = likeness_to(task_, item->name).share > 0;
    changed_ |= matched_;
    in_text_field_ = item->text_field;
    return press_move(item->label);
  }

  bool in_terminal() const {
    return std::ranges::any_of(view_.elements, [](const auto& item) {
      return item.tag == "terminal" && item.focused;
    });
  }

  /// A text of the task, where something takes what is typed.
  std::optional<call_text> text_to_type() {
    const bool takes_text =
        in_text_field_
        || std::ranges::any_of(view_.elements, [](const auto& item) {
             return item.text_field && item.focused;
           });
    std::vector<std::string> left;
    for (const auto& text : task_.texts)
      if (!tried_.contains(to_text(type_move(text)))) left.push_back(text);
    if (!takes_text || left.empty()) return std::nullopt;
    return type_move(left[draw_.below(left.size())]);
  }

  /// What a word of the task is done with.
  std::optional<std::string> key_of_task() const {
    for (const auto& word : task_.words)
      if (const auto key = usual_key_for(word); !key.empty())
        return std::string{key};
    return std::nullopt;
  }

  /// Mostly one that is most like the task, of those that were not tried.
  const screen_element* element_to_press() {
    std::vector<const screen_element*> all, best;
    double likeness = 0;
    for (const auto& item : view_.elements) {
      if (tried_.contains(to_text(press_move(item.label)))) continue;
      all.push_back(&item);
      const auto here = likeness_to(task_, item.name).score;
      if (here > likeness) best.clear();
      if (here >= likeness && here > 0) best.push_back(&item);
      likeness = std::max(likeness, here);
    }
    const auto& from =
        !best.empty() && draw_.uniform() < goes_by_likeness ? best : all;
    return from.empty() ? nullptr : from[draw_.below(from.size())];
  }

  const std::string& instruction_;
  task_terms task_;
  retrieval_session& retrieval_;
  const agent_options& options_;
  rules_read read_;
  desktop_play play_;
  rng draw_;
  screen_view view_;
  std::set<std::string> followed_, tried_;
  std::uint32_t explored_ = 0;
  bool matched_ = false;       ///< the last move had to do with the task
  bool changed_ = false;       ///< a press had, and no key of the task followed
  bool in_text_field_ = false; ///< the last press was on one
  bool typed_ = false;         ///< and this was not confirmed yet
  bool commanded_ = false;     ///< the last move was a command
  bool opening_ = false;       ///< a terminal, which is not there yet
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
