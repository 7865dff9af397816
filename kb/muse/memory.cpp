#include "kb/muse/memory.hpp"

#include "base/printable.hpp"
#include "base/utf8.hpp"
#include "kb/muse/memory_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace brewery::muse {

namespace {

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto here = decode_utf8(text, at);
    if (here.value == 0xfffd && here.size == 1) return false;
    at += here.size;
  }
  return true;
}

std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  bool inside = false;
  for (const char c : text) {
    if (c != ' ' && !inside) ++words;
    inside = c != ' ';
  }
  return words;
}

/// Why a text cannot be an entry's; empty if it can.
std::string flaw_of(std::string_view text, std::size_t bytes_max) {
  if (text.empty()) return "a text is empty";
  if (text.size() > bytes_max)
    return fmt::format("a text has {} bytes; at most {} are possible",
                       text.size(), bytes_max);
  if (text.front() == ' ' || text.back() == ' ')
    return "a text begins or ends with a space";
  if (text.front() == '#') return "a text begins with \"#\"";
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      return "a text has a control character";
  if (!is_utf8(text)) return "a text is not UTF-8";
  return {};
}

std::string flaw_of(const memory_operation& what, const memory_limits& limits) {
  if (auto flaw = flaw_of(what.name, limits.name_bytes); !flaw.empty())
    return flaw;
  const bool procedural = what.store == memory_stores::procedural;
  if (procedural)
    if (auto flaw = flaw_of(what.operation, limits.name_bytes); !flaw.empty())
      return flaw;
  if (!procedural && what.texts.size() != 1)
    return fmt::format("it has {} texts; one is needed", what.texts.size());
  if (procedural && what.texts.empty()) return "it has no steps";
  for (const auto* list : {&what.preconditions, &what.texts, &what.notes}) {
    if (list->size() > limits.lines)
      return fmt::format("a list has {} lines; at most {} are possible",
                         list->size(), limits.lines);
    for (const auto& line : *list)
      if (auto flaw = flaw_of(line, limits.line_bytes); !flaw.empty())
        return flaw;
  }
  if (what.store != memory_stores::strategic) return {};
  const auto words = count_words(what.name);
  if (words < limits.dilemma_words_min || words > limits.dilemma_words_max)
    return fmt::format("a dilemma has {} to {} words, not {}",
                       limits.dilemma_words_min, limits.dilemma_words_max,
                       words);
  return {};
}

/// Puts `item` where `less` wants it, or in place of an equal one. True if it
/// was new.
template <class T, class Less>
bool put(std::vector<T>& sorted, T item, Less less) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), item, less);
  if (at != sorted.end() && !less(item, *at)) {
    *at = std::move(item);
    return false;
  }
  sorted.insert(at, std::move(item));
  return true;
}

bool by_place(const procedure& a, const procedure& b) {
  return std::tie(a.application, a.operation)
         < std::tie(b.application, b.operation);
}

bool by_tool(const tool_note& a, const tool_note& b) {
  return a.tool < b.tool;
}

bool put_strategy(memory& into, strategy item) {
  for (auto& known : into.strategies)
    if (known.dilemma == item.dilemma) {
      known = std::move(item);
      return false;
    }
  into.strategies.push_back(std::move(item));
  return true;
}

bool put(memory& into, const memory_operation& what) {
  if (what.store == memory_stores::strategic)
    return put_strategy(into, {what.name, what.texts.front()});
  if (what.store == memory_stores::tool)
    return put(into.tools, tool_note{what.name, what.texts.front()}, by_tool);
  return put(into.procedures,
             procedure{what.name, what.operation, what.preconditions,
                       what.texts, what.notes},
             by_place);
}

/// Why the memory is beyond its bounds; empty if it is not.
std::string excess_of(const memory& all, const memory_operation& what,
                      const memory_limits& limits) {
  if (all.strategies.size() > limits.strategies)
    return fmt::format("there are {} strategies already", limits.strategies);
  if (all.tools.size() > limits.tools)
    return fmt::format("there are notes on {} tools already", limits.tools);
  if (what.store != memory_stores::procedural) return {};
  const auto names = applications(all);
  if (names.size() > limits.applications)
    return fmt::format("there are {} applications already",
                       limits.applications);
  const auto count =
      std::ranges::count(all.procedures, what.name, &procedure::application);
  if (static_cast<std::size_t>(count) > limits.operations)
    return fmt::format("its application has {} operations already",
                       limits.operations);
  if (application_text(all, what.name).size() > limits.body_bytes)
    return fmt::format("its application would have more than {} bytes",
                       limits.body_bytes);
  return {};
}

} // namespace

std::string entry_name(const memory_operation& what) {
  auto out = what.store + "/" + what.name;
  if (what.store == memory_stores::procedural) out += "/" + what.operation;
  return out;
}

merge_report merge(memory& into, const std::vector<memory_operation>& what,
                   const memory_limits& limits) {
  merge_report out;
  for (const auto& one : what) {
    const auto refuse = [&](const std::string& why) {
      out.refused.push_back(single_line(entry_name(one), limits.name_bytes)
                            + ": " + why);
    };
    if (one.store != memory_stores::strategic
        && one.store != memory_stores::procedural
        && one.store != memory_stores::tool) {
      refuse("there is no such store");
      continue;
    }
    if (auto flaw = flaw_of(one, limits); !flaw.empty()) {
      refuse(flaw);
      continue;
    }
    auto next = into;
    const bool fresh = put(next, one);
    if (next == into) continue;
    if (auto excess = excess_of(next, one, limits); !excess.empty()) {
      refuse(excess);
      continue;
    }
    into = std::move(next);
    (fresh ? out.added : out.changed).push_back(entry_name(one));
  }
  return out;
}

std::vector<std::string> forget(memory& in,
                                const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const auto& name : names) {
    const auto is = [&name](std::string_view store, const std::string& entry) {
      return name == fmt::format("{}/{}", store, entry);
    };
    auto gone = std::erase_if(in.strategies, [&](const strategy& one) {
      return is(memory_stores::strategic, one.dilemma);
    });
    gone += std::erase_if(in.procedures, [&](const procedure& one) {
      return is(memory_stores::procedural,
                one.application + "/" + one.operation);
    });
    gone += std::erase_if(in.tools, [&](const tool_note& one) {
      return is(memory_stores::tool, one.tool);
    });
    if (gone > 0) out.push_back(name);
  }
  return out;
}

} // namespace brewery::muse
