#include "learners/muse/distillation.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace brewery::muse {

namespace {

constexpr std::string_view done_operation = "see that it is done";
constexpr std::size_t name_bytes = 80;

/// "12. text" -> {12, "text"}.
std::optional<std::pair<std::size_t, std::string_view>>
numbered(std::string_view line) {
  std::size_t digits = 0, number = 0;
  while (digits < line.size() && digits < 6 && line[digits] >= '0'
         && line[digits] <= '9')
    number = number * 10 + static_cast<std::size_t>(line[digits++] - '0');
  if (digits == 0 || line.substr(digits, 2) != ". ") return std::nullopt;
  return std::pair{number, line.substr(digits + 2)};
}

/// The first text in quotes, as a name; else the sentence's beginning.
std::string name_of(std::string_view sentence) {
  const auto open = sentence.find('"');
  auto text = sentence;
  if (open != std::string_view::npos) {
    auto close = open + 1;
    while (close < sentence.size() && sentence[close] != '"')
      close += sentence[close] == '\\' ? 2 : 1;
    if (close < sentence.size())
      text = sentence.substr(open + 1, close - open - 1);
  }
  while (!text.empty() && (text.front() == ' ' || text.front() == '#'))
    text.remove_prefix(1);
  auto out = std::string{utf8_prefix(text, name_bytes)};
  while (!out.empty() && out.back() == ' ')
    out.pop_back();
  return out.empty() ? "act" : "on " + out;
}

memory_operation procedure_of(std::string_view application,
                              std::string operation) {
  return {.store = std::string{memory_stores::procedural},
          .name = std::string{application},
          .operation = std::move(operation),
          .preconditions = {},
          .texts = {},
          .notes = {}};
}

} // namespace

memory_operation procedure_for(std::string_view application,
                               std::string_view line, std::string sentence,
                               std::string note) {
  // Named as it is written in the sentence.
  auto out = procedure_of(application, name_of(json_quoted(line)));
  out.texts = {std::move(sentence)};
  out.notes = {std::move(note)};
  return out;
}

std::vector<memory_operation> procedures_in(std::string_view application,
                                            std::string_view body) {
  std::vector<memory_operation> out;
  std::map<std::size_t, std::string> why;
  std::map<std::string, std::size_t> names;
  auto done = procedure_of(application, std::string{done_operation});
  constexpr std::string_view why_prefix = "- Step ";
  constexpr std::string_view done_prefix = "- Done when ";
  for (const auto line : split(body, '\n')) {
    if (line.starts_with(why_prefix)) {
      const auto colon = line.find(": ");
      const auto number = line.substr(why_prefix.size());
      if (colon != std::string_view::npos)
        if (const auto step = numbered(
                std::string{number.substr(0, colon - why_prefix.size())}
                + ". "))
          why[step->first] = std::string{line.substr(colon + 2)};
    } else if (line.starts_with(done_prefix)) {
      done.texts.emplace_back(line.substr(2));
    } else if (const auto step = numbered(line)) {
      auto name = name_of(step->second);
      const auto count = ++names[name];
      if (count > 1) name += fmt::format(", {}", count);
      auto item = procedure_of(application, std::move(name));
      item.texts.emplace_back(step->second);
      if (const auto known = why.find(step->first); known != why.end())
        item.notes.push_back(known->second);
      out.push_back(std::move(item));
    }
  }
  if (!done.texts.empty()) out.push_back(std::move(done));
  return out;
}

} // namespace brewery::muse
