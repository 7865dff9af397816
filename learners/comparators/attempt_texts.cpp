#include "learners/comparators/attempt_texts.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"
#include "messages/memory/comparator_steps.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

namespace names = comparator_texts;
constexpr std::string_view kept_word = "kept";

void add_all(std::vector<named_text>& to, const char* name,
             const std::vector<std::string>& texts) {
  for (const auto& text : texts)
    to.push_back({name, text});
}

/// The place of a neighbour's number, which is from 1.
std::optional<std::size_t> place_in(std::string_view number) {
  const auto out = whole_number<std::size_t>(number);
  if (!out || *out == 0) return std::nullopt;
  return *out - 1;
}

std::string numbered_text(std::size_t place, const std::string& text) {
  return fmt::format("{}\n{}", place + 1, text);
}

void read_numbered(const std::vector<named_text>& texts, const char* name,
                   std::map<std::size_t, std::vector<std::string>>& to) {
  for (const auto& text : texts_of(texts, name)) {
    const auto parts = split(text, '\n');
    if (parts.size() != 2) continue;
    if (const auto place = place_in(parts[0]))
      to[*place].emplace_back(parts[1]);
  }
}

std::string change_text(const recorded_change& change) {
  auto out = fmt::format("{}\n{}\n{}\n{}", change.kept ? kept_word : "",
                         single_line(change.call), single_line(change.after),
                         single_line(change.sentence));
  for (const auto& line : change.before)
    out += "\n" + single_line(line);
  return out;
}

std::optional<recorded_change> change_in(std::string_view text) {
  const auto parts = split(text, '\n');
  constexpr std::size_t before = 4;
  if (parts.size() <= before) return std::nullopt;
  recorded_change out;
  out.kept = parts[0] == kept_word;
  out.call = parts[1];
  out.after = parts[2];
  out.sentence = parts[3];
  out.before.assign(parts.begin() + before, parts.end());
  return out;
}

} // namespace

std::vector<named_text> texts_of_attempt(const recorded_attempt& attempt) {
  std::vector<named_text> out{{names::told, attempt.told}};
  add_all(out, names::keyword, attempt.keywords);
  add_all(out, names::tag, attempt.tags);
  add_all(out, names::context, attempt.context);
  add_all(out, names::sentence, attempt.sentences);
  add_all(out, names::seen, attempt.seen);
  add_all(out, names::ended, attempt.ended);
  for (const auto& one : attempt.changes)
    out.push_back({names::change, change_text(one)});
  return out;
}

std::optional<recorded_attempt>
attempt_in(const std::vector<named_text>& texts) {
  const auto told = texts_of(texts, names::told);
  if (told.size() != 1) return std::nullopt;
  recorded_attempt out;
  out.told = told.front();
  out.keywords = texts_of(texts, names::keyword);
  out.tags = texts_of(texts, names::tag);
  out.context = texts_of(texts, names::context);
  out.sentences = texts_of(texts, names::sentence);
  out.seen = texts_of(texts, names::seen);
  out.ended = texts_of(texts, names::ended);
  for (const auto& text : texts_of(texts, names::change))
    if (auto change = change_in(text))
      out.changes.push_back(std::move(*change));
  return out;
}

std::vector<named_text> texts_of_evolution(const note_evolution& evolution) {
  std::vector<named_text> out;
  for (const auto place : evolution.links)
    out.push_back({names::link, std::to_string(place + 1)});
  add_all(out, names::tag, evolution.tags);
  for (const auto& [place, lines] : evolution.neighbour_context)
    for (const auto& line : lines)
      out.push_back(
          {names::neighbour_context, numbered_text(place, single_line(line))});
  for (const auto& [place, tags] : evolution.neighbour_tags)
    for (const auto& tag : tags)
      out.push_back(
          {names::neighbour_tag, numbered_text(place, single_line(tag))});
  return out;
}

note_evolution evolution_in(const std::vector<named_text>& texts) {
  note_evolution out;
  for (const auto& number : texts_of(texts, names::link))
    if (const auto place = place_in(number)) out.links.insert(*place);
  out.tags = texts_of(texts, names::tag);
  read_numbered(texts, names::neighbour_context, out.neighbour_context);
  read_numbered(texts, names::neighbour_tag, out.neighbour_tags);
  return out;
}

} // namespace brewery
