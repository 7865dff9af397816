#include "run/logging/log_json.hpp"

#include "base/printable.hpp"
#include "base/text.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace brewery {

namespace {

bool is_word(std::string_view text) {
  return !text.empty() && text.front() >= 'a' && text.front() <= 'z'
         && std::all_of(text.begin(), text.end(), [](char c) {
              return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')
                     || c == '_';
            });
}

/// Takes the text up to the next space off the front.
std::string_view take_word(std::string_view& rest) {
  const auto end = std::min(rest.find(' '), rest.size());
  const auto out = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return out;
}

/// Takes `key=value` or `key="a value"` off the front; false if there is none.
bool take_pair(std::string_view& rest, json& into) {
  const auto equals = rest.find('=');
  if (equals == std::string_view::npos || !is_word(rest.substr(0, equals)))
    return false;
  const std::string key{rest.substr(0, equals)};
  auto after = rest.substr(equals + 1);
  std::string value;
  if (after.starts_with('"')) {
    const auto end = after.find('"', 1);
    if (end == std::string_view::npos) return false;
    value = after.substr(1, end - 1);
    after.remove_prefix(end + 1);
    if (after.starts_with(' ')) after.remove_prefix(1);
  } else {
    value = take_word(after);
  }
  if (!into.contains(key)) into[key] = value;
  rest = after;
  return true;
}

std::string text_of(const json& object) {
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// The member of `names` with the longest text.
std::string* longest_of(const std::vector<std::string>& names, json& object) {
  std::string* out = nullptr;
  for (const auto& name : names) {
    auto* text = object[name].get_ptr<std::string*>();
    if (text && (!out || text->size() > out->size())) out = text;
  }
  return out;
}

/// Shortens texts until the object fits, or nothing is left of them.
std::string fitted(json object, const std::vector<std::string>& texts,
                   std::size_t bytes_max) {
  constexpr std::string_view mark = "...";
  auto out = text_of(object);
  while (out.size() > bytes_max) {
    auto* text = longest_of(texts, object);
    if (!text || text->size() <= mark.size()) break;
    // A quote is two bytes there.
    const auto too_many = out.size() - bytes_max;
    const auto less =
        too_many * text->size() / text_of(*text).size() + 1 + mark.size();
    *text = single_line(*text, text->size() - std::min(less, text->size()));
    out = text_of(object);
  }
  return out;
}

} // namespace

json log_fields(std::string_view line) {
  auto out = json::object();
  auto rest = line;
  const auto first = take_word(rest);
  if (first == "worker" && !rest.empty()) {
    out["worker"] = std::string{take_word(rest)};
  } else if (json pairs = json::object();
             is_word(first) && take_pair(rest, pairs)) {
    out["event"] = std::string{first};
    while (take_pair(rest, pairs)) {
    }
    for (const auto& [key, value] : pairs.items())
      if (!out.contains(key)) out[key] = value;
  } else {
    rest = line;
  }
  if (!rest.empty()) out["message"] = std::string{rest};
  return out;
}

std::string log_line_json(std::chrono::system_clock::time_point at,
                          std::string_view level, const json& always,
                          std::string_view line, std::size_t bytes_max) {
  using std::chrono::milliseconds;
  const auto since =
      std::chrono::duration_cast<milliseconds>(at.time_since_epoch());
  const auto second = std::chrono::system_clock::to_time_t(at);
  json out{{"time", fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                                fmt::gmtime(second), since.count() % 1000)},
           {"level", level}};
  for (const auto& [key, value] : always.items())
    out[key] = value;
  const auto fields = log_fields(single_line(line));
  std::vector<std::string> texts;
  for (const auto& [key, value] : fields.items()) {
    if (out.contains(key)) continue;
    out[key] = value;
    texts.push_back(key);
  }
  return fitted(std::move(out), texts, bytes_max);
}

} // namespace brewery
