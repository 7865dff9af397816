#include "config/loader.hpp"

#include "base/text.hpp"
#include "config/rules.hpp"
#include "config/suggest.hpp"

#include <algorithm>

namespace brewery {

namespace fs = std::filesystem;

namespace {

std::string absolute_path(const std::string& path, const fs::path& base) {
  if (path.empty()) return path;
  return (base / path).lexically_normal().string();
}

/// Explains a wrong word or list of words, beyond the expectation.
std::string hint(const option& item, const option_value& value) {
  if (const auto* word = std::get_if<std::string>(&value))
    return suggest_choice(*word, item.choices);
  if (const auto* list = std::get_if<std::vector<std::string>>(&value))
    for (const auto& word : *list)
      if (std::find(item.choices.begin(), item.choices.end(), word)
          == item.choices.end())
        return suggest_choice(word, item.choices);
  return "";
}

/// Whether the type is right, so only the value is wrong.
bool right_type(const option& item, const option_value& value) {
  // NaN is a number, although it is in no range.
  if (item.kind == option_kind::number && std::get_if<double>(&value))
    return true;
  option unbounded = item;
  unbounded.min = unbounded.max = std::nullopt;
  unbounded.choices.clear();
  return accepts(unbounded, value);
}

/// A list of free words may be given as one word.
std::optional<option_value> taken(const option& item, const toml_value& value) {
  if (!value.shape || accepts(item, *value.shape)) return value.shape;
  const auto* word = std::get_if<std::string>(&*value.shape);
  if (word && item.kind == option_kind::list && item.choices.empty())
    return std::vector<std::string>{*word};
  return std::nullopt;
}

/// Whether the option is set, but belongs to another benchmark.
bool has_no_effect(const option& item, const config& chosen) {
  const std::string parent = "environment.";
  return item.section.starts_with(parent)
         && item.section.substr(parent.size()) != chosen.environment.table()
         && item.get(chosen) != item.get(config{});
}

} // namespace

/// The old and the new key of an option must agree within one source.
void loader::note(const option& item, const option_value& value,
                  const source& from) {
  const auto [found, first] = said_.try_emplace(item.key(), said{from, value});
  if (first) return;
  const auto& before = found->second;
  if (before.from.old != from.old && before.value != value) {
    const said now{from, value};
    const auto& old = from.old ? now : before;
    const auto& is = from.old ? before : now;
    invalid(old.from.where + ": " + old.from.old->key() + " = "
            + write_toml(old.value) + ": is now " + item.key() + ", which "
            + is.from.where + " sets to " + write_toml(is.value)
            + ": remove one of them");
  }
  found->second = {from, value};
}

/// False if the value is refused.
bool loader::assign(const option& item, const toml_value& value,
                    const source& from) {
  if (auto shape = taken(item, value)) {
    auto accepted = std::move(*shape);
    if (item.kind == option_kind::path)
      accepted = absolute_path(std::get<std::string>(accepted), from.base);
    if (from.old) accepted = moved_value(*from.old, item, std::move(accepted));
    note(item, accepted, from);
    item.set(out_.value, accepted);
    out_.origins[item.key()] = from.origin;
    by_old_key_.erase(item.key());
    if (from.old) by_old_key_.emplace(item.key(), from.old);
    unreadable_.erase(item.key());
    return true;
  }
  std::string message = from.where + ": "
                        + (from.old ? from.old->key() : item.key()) + " = "
                        + value.text + ": expected " + expectation(item);
  if (value.shape && right_type(item, *value.shape))
    message += hint(item, *value.shape);
  else
    message += ", found " + value.type;
  invalid(std::move(message));
  unreadable_.insert(item.key());
  return false;
}

/// Text that is not TOML of the option's kind is taken as a bare word.
bool loader::assign_text(const option& item, const std::string& text,
                         const source& from) {
  auto value = read_toml_value(text);
  const bool words = item.kind == option_kind::text
                     || item.kind == option_kind::path
                     || item.kind == option_kind::choice;
  const bool is_string = value && value->shape
                         && std::holds_alternative<std::string>(*value->shape);
  if (words && !is_string) value = read_toml_value(quote_toml(text));
  if (item.kind == option_kind::list && !value) {
    std::vector<std::string> parts;
    for (const auto part : split(text, ','))
      if (!trim(part).empty()) parts.push_back(quote_toml(trim(part)));
    value = read_toml_value('[' + join(parts, ", ") + ']');
  }
  if (!value) value = read_toml_value(quote_toml(text));
  if (value) return assign(item, *value, from);
  invalid(from.where + ": " + item.key() + ": the value is not UTF-8 text");
  unreadable_.insert(item.key());
  return false;
}

void loader::resolve_default_paths() {
  for (const auto& section : schema())
    for (const auto& item : section.options)
      if (item.kind == option_kind::path)
        item.set(out_.value,
                 absolute_path(std::get<std::string>(item.get(out_.value)),
                               request_.working_directory));
}

void loader::check_rules() {
  for (const auto& rule : config_rules()) {
    const bool readable = std::none_of(
        rule.keys.begin(), rule.keys.end(),
        [this](const auto& key) { return unreadable_.count(key); });
    if (!readable) continue;
    if (const auto what = rule.broken(out_.value); !what.empty())
      invalid(place(out_, rule.keys.front()) + ": " + what);
  }
}

/// An old key that now belongs to several benchmarks applies to the chosen one,
/// which is known only at the end; so does what was a default then.
void loader::settle_old_keys() {
  const auto chosen = "environment." + out_.value.environment.table();
  for (const auto& [key, old] : by_old_key_) {
    const auto* item = find_option(key);
    if (item->section == chosen
        || (old->now.size() == 1 && old->old_default != item->get(out_.value)))
      continue;
    item->set(out_.value, item->get(config{}));
    out_.origins.erase(key);
  }
}

void loader::add_hints() {
  const auto about_file = [this](const std::string& origin) {
    return request_.stored && origin.starts_with(request_.file.string() + ':');
  };
  for (const auto& [what, origin] : old_keys_)
    if (!about_file(origin))
      out_.hints.push_back(origin + ": " + what->key() + " is now "
                           + new_key(*what, out_.value));
  if (!out_.problems.empty()) return;
  for (const auto& [key, origin] : out_.origins)
    if (!about_file(origin) && !by_old_key_.contains(key)
        && has_no_effect(*find_option(key), out_.value))
      out_.hints.push_back(place(out_, key)
                           + ": has no effect with environment.kind = "
                           + quote_toml(out_.value.environment.kind));
}

loaded_config loader::finish() {
  resolve_default_paths();
  settle_old_keys();
  if (out_.file_read) check_rules();
  add_hints();
  return std::move(out_);
}

} // namespace brewery
