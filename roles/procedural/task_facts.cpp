#include "roles/procedural/task_facts.hpp"

#include "base/text.hpp"
#include "roles/procedural/words.hpp"

#include <algorithm>

namespace brewery {

namespace {

/// The key of a fact is a short phrase, not half a sentence.
constexpr std::size_t max_key_words = 4;

std::string_view without_stop(std::string_view text) {
  text = trim(text);
  while (!text.empty() && (text.back() == '.' || text.back() == ','))
    text.remove_suffix(1);
  return text;
}

std::string clean_item(std::string_view item) {
  constexpr std::string_view wrapping = "[]'\"`.,;() ";
  const auto first = item.find_first_not_of(wrapping);
  if (first == std::string_view::npos) return {};
  return std::string{
      item.substr(first, item.find_last_not_of(wrapping) - first + 1)};
}

/// Parses "available apps: mail, maps" to lead and values; identifiers only.
std::vector<std::string> listed_values(std::string_view text) {
  std::vector<std::string> values;
  for (const auto part : split(text, ", ")) {
    auto item = clean_item(part);
    if (item.empty() || item.size() > 32 || item.find(' ') != std::string::npos)
      return {};
    values.push_back(std::move(item));
  }
  return values;
}

void add_unique(std::vector<json>& out, json value) {
  if (std::find(out.begin(), out.end(), value) == out.end())
    out.push_back(std::move(value));
}

} // namespace

task_facts::task_facts(std::string_view instruction,
                       const observation_cache& parsed)
    : parsed_(parsed), instruction_(instruction), amounts_(instruction) {
  for (const auto line : split(instruction, '\n'))
    for (const auto raw : split(line, ". ")) {
      const auto sentence = without_stop(raw);
      bool states_facts = false;
      for (const auto raw_piece : split(sentence, ", ")) {
        const auto piece = without_stop(raw_piece);
        const auto at = piece.find(": ");
        if (at == std::string_view::npos
            || name_words(piece.substr(0, at)).size() > max_key_words)
          continue;
        facts_.push_back({std::string{piece.substr(0, at)},
                          std::string{trim(piece.substr(at + 2))}});
        states_facts = true;
      }
      if (!states_facts && !sentence.empty()) sentences_.emplace_back(sentence);
    }
}

void task_facts::observe(std::string_view observation) {
  if (!observation.starts_with('{') && !observation.starts_with('['))
    return observe_text(observation);
  if (!observed_.emplace(observation).second) return;
  const auto parsed = parsed_.of(observation);
  const auto& value = parsed->value;
  if (!value) return observe_text(observation);
  if (value->is_object()) return observe_record(*value);
  picks_.observe(*value);
  for (const auto& element : *value)
    if (element.is_object()) observe_record(element);
}

void task_facts::observe_record(const json& record) {
  bool focused = false;
  for (const auto& [key, member] : record.items()) {
    if (member.is_object()) observe_record(member);
    std::vector<std::string> texts;
    if (member.is_string()) texts.push_back(member.get<std::string>());
    if (member.is_array())
      for (const auto& element : member)
        if (element.is_string()) texts.push_back(element.get<std::string>());
    for (auto& text : texts) {
      focused |= std::any_of(facts_.begin(), facts_.end(),
                             [&](const auto& f) { return f.value == text; });
      const auto name = member.is_array() ? singular(key) : key;
      seen_.insert(text);
      if (known_.emplace(name, text).second)
        values_.push_back({name, std::move(text)});
    }
  }
  if (!focused) return;
  for (const auto& [key, member] : record.items()) {
    if (!member.is_string() || !ends_like_id(key)) continue;
    const known_value entry{key, member.get<std::string>()};
    if (std::none_of(focus_.begin(), focus_.end(), [&](const auto& v) {
          return v.key == entry.key && v.value == entry.value;
        }))
      focus_.push_back(entry);
  }
}

void task_facts::observe_text(std::string_view text) {
  for (const auto line : split(text, '\n')) {
    const auto at = line.rfind(": ");
    if (at == std::string_view::npos) continue;
    auto values = listed_values(line.substr(at + 2));
    if (values.empty()) continue;
    const std::string lead{line.substr(0, at)};
    if (lists_.try_emplace(lead, values).second)
      list_order_.push_back(lead);
    else
      lists_[lead] = std::move(values);
  }
}

std::vector<std::string> task_facts::contexts() const {
  auto out = sentences_;
  for (const auto& fact : facts_)
    if (!seen_.contains(fact.value))
      out.push_back(fact.key + ": " + fact.value);
  return out;
}

std::string task_facts::placeholder_of(std::string_view parameter,
                                       const std::string& value) const {
  if (value == instruction_) return "task";
  if (!seen_.contains(value)) {
    for (const auto& fact : facts_)
      if (fact.value == value && names_match(parameter, fact.key))
        return std::string{parameter};
    return {};
  }
  for (const auto& known : values_)
    if (known.value == value && names_match(parameter, known.key))
      return known.key;
  for (const auto& fact : facts_)
    if (fact.value == value && names_match(parameter, fact.key))
      return std::string{parameter};
  return {};
}

call_text task_facts::generalise(std::string_view tool,
                                 const json& arguments) const {
  call_text call{std::string{tool}, {}};
  if (!arguments.is_object()) return call;
  for (const auto& [name, value] : arguments.items()) {
    call_argument argument{name, {}, value};
    if (value.is_string())
      argument.placeholder =
          picks_.placeholder_of(name, value.get<std::string>());
    if (value.is_string() && argument.placeholder.empty())
      argument.placeholder = placeholder_of(name, value.get<std::string>());
    if (value.is_number())
      argument.placeholder = amounts_.placeholder_of(name, value);
    call.arguments.push_back(std::move(argument));
  }
  return call;
}

call_text task_facts::generalise_check(const call_text& check) const {
  auto call = check;
  for (auto& argument : call.arguments)
    if (argument.value.is_string())
      argument.placeholder =
          placeholder_of(argument.name, argument.value.get<std::string>());
    else if (argument.value.is_number())
      argument.placeholder = amounts_.placeholder_in_check(argument.value);
  return call;
}

std::vector<std::string>
task_facts::lines_of(std::string_view observation) const {
  auto lines = parsed_.of(observation)->lines;
  for (auto& line : lines) {
    const auto key = line_key(line);
    if (key.empty()) continue;
    const auto placeholder =
        amounts_.placeholder_of(key, json(line.substr(key.size() + 2)));
    if (!placeholder.empty())
      line = std::string{key} + ": <" + placeholder + ">";
  }
  return lines;
}

json task_facts::fill(std::string_view placeholder) const {
  if (placeholder == "task") return instruction_;
  for (const auto& entry : focus_)
    if (entry.key == placeholder) return entry.value;
  if (auto amount = amounts_.fill(placeholder); !amount.is_null())
    return amount;
  if (auto picked = picks_.fill(placeholder); !picked.is_null()) return picked;
  for (const auto& fact : facts_)
    if (names_match(placeholder, fact.key)) return fact.value;
  for (auto it = values_.rbegin(); it != values_.rend(); ++it)
    if (it->key == placeholder) return it->value;
  return nullptr;
}

std::optional<json> task_facts::fill(const call_text& call) const {
  json arguments = json::object();
  for (const auto& argument : call.arguments) {
    auto value = argument.placeholder.empty() ? argument.value
                                              : fill(argument.placeholder);
    if (!argument.placeholder.empty() && value.is_null()) return std::nullopt;
    arguments[argument.name] = std::move(value);
  }
  return arguments;
}

bool task_facts::about_focus(const json& arguments) const {
  for (const auto& [name, value] : arguments.items()) {
    if (!value.is_string() || !ends_like_id(name)) continue;
    const auto text = value.get<std::string>();
    if (std::none_of(focus_.begin(), focus_.end(),
                     [&](const auto& entry) { return entry.value == text; }))
      return false;
  }
  return true;
}

void task_facts::add_numbers(const tool_parameter& parameter, bool plausible,
                             std::vector<json>& out) const {
  const auto add = [&](double number) {
    add_unique(out, parameter.type == "integer"
                        ? json(static_cast<std::int64_t>(number))
                        : json(number));
  };
  for (const double number : amounts_.matching(parameter.name))
    add(number);
  if (plausible && !out.empty()) return;
  // Small round amounts come last.
  for (const double number : {1, 2, 5})
    add(number);
}

std::vector<json> task_facts::candidates(const tool_parameter& parameter,
                                         bool plausible) const {
  std::vector<json> out;
  for (const auto& choice : parameter.choices)
    out.emplace_back(choice);
  if (!out.empty()) return out;
  if (parameter.type == "boolean") return {json(true), json(false)};
  if (parameter.type == "number" || parameter.type == "integer") {
    add_numbers(parameter, plausible, out);
    return out;
  }
  if (parameter.type != "string") return out;
  for (const auto& entry : focus_)
    if (entry.key == parameter.name) add_unique(out, entry.value);
  if (plausible && !out.empty()) return out;
  for (auto& id : picks_.matching(parameter.name))
    add_unique(out, std::move(id));
  if (plausible && !out.empty()) return out;
  add_records(parameter.name, out);
  if (out.empty()) add_listed(parameter, plausible, out);
  return out;
}

void task_facts::add_records(std::string_view name,
                             std::vector<json>& out) const {
  for (const auto& entry : focus_)
    if (names_match(name, entry.key)) add_unique(out, entry.value);
  for (const auto& fact : facts_)
    if (names_match(name, fact.key)) add_unique(out, fact.value);
  for (const auto& known : values_)
    if (ends_like_id(known.key) && names_match(name, known.key))
      add_unique(out, known.value);
}

void task_facts::add_listed(const tool_parameter& parameter, bool plausible,
                            std::vector<json>& out) const {
  // Values listed in the tool's description come first: the list is complete.
  const auto at = parameter.description.rfind(": ");
  if (at != std::string::npos)
    for (auto& value :
         listed_values(std::string_view{parameter.description}.substr(at + 2)))
      add_unique(out, value);
  if (plausible && !out.empty()) return;
  const auto wanted = telling_words(parameter.name);
  for (const auto& lead : list_order_) {
    const auto& words = name_words(lead);
    if (std::none_of(wanted.begin(), wanted.end(),
                     [&](const auto& word) { return words.contains(word); }))
      continue;
    for (const auto& value : lists_.at(lead))
      add_unique(out, value);
    if (plausible) return;
  }
}

} // namespace brewery
