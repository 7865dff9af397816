#include "roles/procedural/record_picks.hpp"

#include "roles/procedural/words.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

namespace brewery {

namespace {

constexpr std::size_t max_word = 32;

/// A state in words. Dates, amounts, ids and sentences differ from task to task
/// and select nothing in the next one.
bool is_word(std::string_view text) {
  return !text.empty() && text.size() <= max_word
         && std::all_of(text.begin(), text.end(), [](char c) {
              return std::isalpha(static_cast<unsigned char>(c)) != 0
                     || c == ' ' || c == '_' || c == '-';
            });
}

bool is_key(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  });
}

const std::string* text_of(const json& record, const std::string& key) {
  const auto it = record.find(key);
  return it != record.end() && it->is_string()
             ? it->get_ptr<const json::string_t*>()
             : nullptr;
}

/// True if the parameter names this kind of id: "overdue_bill_id" takes a
/// "bill_id", but "id" takes any record's.
bool takes(std::string_view parameter, std::string_view key) {
  const auto wanted = name_words(parameter); // a copy: see name_words
  const auto& words = name_words(key);
  return std::includes(wanted.begin(), wanted.end(), words.begin(),
                       words.end());
}

/// The member that identifies the records of a list.
std::optional<std::string> id_key(const json& list) {
  for (const auto& [key, value] : list.front().items()) {
    if (!ends_like_id(key) || !is_key(key)) continue;
    std::set<std::string> seen;
    for (const auto& record : list)
      if (const auto* id = text_of(record, key)) seen.insert(*id);
    if (seen.size() == list.size()) return key;
  }
  return std::nullopt;
}

} // namespace

void record_picks::observe(const json& answer) {
  // In a list of one, any member may be the id.
  if (!answer.is_array() || answer.size() < 2
      || !std::all_of(answer.begin(), answer.end(),
                      [](const json& record) { return record.is_object(); }))
    return;
  const auto id = id_key(answer);
  if (!id) return;
  std::map<std::string, std::vector<std::string>> by_state;
  for (const auto& record : answer)
    for (const auto& [key, value] : record.items())
      if (value.is_string() && is_key(key)
          && is_word(value.get_ref<const std::string&>()))
        by_state[*id + " where " + key + " is " + value.get<std::string>()]
            .push_back(*text_of(record, *id));
  auto& picks = picks_[*id];
  picks.clear();
  for (const auto& [placeholder, ids] : by_state)
    if (ids.size() == 1) picks.push_back({placeholder, ids.front()});
}

std::string record_picks::placeholder_of(std::string_view parameter,
                                         const std::string& id) const {
  for (const auto& [key, picks] : picks_)
    for (const auto& item : picks)
      if (item.id == id && takes(parameter, key)) return item.placeholder;
  return {};
}

json record_picks::fill(std::string_view placeholder) const {
  for (const auto& [key, picks] : picks_)
    for (const auto& item : picks)
      if (item.placeholder == placeholder) return item.id;
  return nullptr;
}

std::vector<std::string>
record_picks::matching(std::string_view parameter) const {
  std::vector<std::string> out;
  for (const auto& [name, picks] : picks_)
    if (takes(parameter, name))
      for (const auto& item : picks)
        if (std::find(out.begin(), out.end(), item.id) == out.end())
          out.push_back(item.id);
  return out;
}

} // namespace brewery
