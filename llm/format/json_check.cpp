// Checks a reply against a schema.

#include "base/printable.hpp"
#include "base/utf8.hpp"
#include "llm/format/json_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace brewery {

struct json_schema::checker {
  static error wrong(const std::string& path, std::string_view why) {
    return {ec::malformed, fmt::format("{} {}", path, why)};
  }

  static std::string listed(const std::vector<sorted_json>& values) {
    std::string out;
    for (const auto& value : values) {
      if (!out.empty()) out += ", ";
      out += ascii_line(to_text(value), 60);
      if (out.size() > 300) return out + ", ...";
    }
    return out;
  }

  static bool is(const sorted_json& value, std::string_view type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    if (type == "number") return value.is_number();
    // JSON Schema treats 3.0 as an integer.
    return value.is_number_integer()
           || (value.is_number_float()
               && value.get<double>() == std::floor(value.get<double>()));
  }

  static result<void> check(const rule& by, const sorted_json& value,
                            const std::string& path) {
    if (!by.types.empty()
        && std::none_of(by.types.begin(), by.types.end(),
                        [&](const auto& type) { return is(value, type); }))
      return wrong(path, fmt::format("is {}, expected {}", kind_of(value),
                                     fmt::join(by.types, " or ")));
    if (!by.values.empty()
        && std::find(by.values.begin(), by.values.end(), value)
               == by.values.end())
      return wrong(path, fmt::format("is {}, expected one of {}",
                                     ascii_line(to_text(value), 60),
                                     listed(by.values)));
    if (value.is_string()) return text(by, value, path);
    if (value.is_number()) return number(by, value, path);
    if (value.is_array()) return list(by, value, path);
    if (value.is_object()) return object(by, value, path);
    return {};
  }

  static result<void> text(const rule& by, const sorted_json& value,
                           const std::string& path) {
    return between(count_characters(value.get_ref<const std::string&>()),
                   by.length_least, by.length_most, path, "characters");
  }

  static result<void> between(std::uint64_t count,
                              const std::optional<std::uint64_t>& least,
                              const std::optional<std::uint64_t>& most,
                              const std::string& path, std::string_view of) {
    if (least && count < *least)
      return wrong(path, fmt::format("has {} {}, expected at least {}", count,
                                     of, *least));
    if (most && count > *most)
      return wrong(path, fmt::format("has {} {}, expected at most {}", count,
                                     of, *most));
    return {};
  }

  static result<void> number(const rule& by, const sorted_json& value,
                             const std::string& path) {
    const auto of = value.get<double>();
    if (by.least && of < *by.least)
      return wrong(path, fmt::format("is {}, expected at least {}",
                                     to_text(value), *by.least));
    if (by.most && of > *by.most)
      return wrong(path, fmt::format("is {}, expected at most {}",
                                     to_text(value), *by.most));
    return {};
  }

  static result<void> list(const rule& by, const sorted_json& value,
                           const std::string& path) {
    if (auto ok =
            between(value.size(), by.items_least, by.items_most, path, "items");
        !ok)
      return ok;
    if (by.items.empty()) return {};
    for (std::size_t i = 0; i < value.size(); ++i)
      if (auto ok =
              check(by.items.front(), value[i], fmt::format("{}[{}]", path, i));
          !ok)
        return ok;
    return {};
  }

  static result<void> object(const rule& by, const sorted_json& value,
                             const std::string& path) {
    for (const auto& name : by.required)
      if (!value.contains(name))
        return wrong(path + "." + ascii_line(name, 60), "is missing");
    for (const auto& [name, inner] : value.items()) {
      const auto where = path + "." + ascii_line(name, 60);
      const auto found = by.properties.find(name);
      if (found == by.properties.end()) {
        if (!by.other_properties)
          return wrong(where, "is not a member that is asked for");
        continue;
      }
      if (auto ok = check(found->second, inner, where); !ok) return ok;
    }
    return {};
  }
};

namespace {

/// The first member that an object has twice. A parser would silently keep
/// one of the two.
std::optional<std::string> repeated_member(std::string_view json_text) {
  using event = sorted_json::parse_event_t;
  std::vector<std::set<std::string>> open;
  std::optional<std::string> out;
  const auto note = [&](int, event what, const sorted_json& part) {
    if (what == event::object_start) open.emplace_back();
    if (what == event::object_end) open.pop_back();
    if (what == event::key && !out
        && !open.back().insert(part.get<std::string>()).second)
      out = part.get<std::string>();
    return true;
  };
  const auto ignored = sorted_json::parse(json_text, note);
  return out;
}

} // namespace

result<void> json_schema::check(std::string_view json_text) const {
  const auto parsed = parse_json_text(json_text, "reply");
  if (!parsed) return parsed.error();
  if (const auto name = repeated_member(json_text))
    return error{ec::malformed, fmt::format("reply has the member \"{}\" twice",
                                            ascii_line(*name, 60))};
  return checker::check(*root_, *parsed, "reply");
}

} // namespace brewery
