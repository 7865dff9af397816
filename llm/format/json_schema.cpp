// Parses a schema.

#include "base/printable.hpp"
#include "llm/format/json_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace brewery {

struct json_schema::parser {
  static error wrong(const std::string& path, std::string_view why) {
    return {ec::invalid_argument, fmt::format("JSON schema: {} {}", path, why)};
  }

  static result<rule> read(const sorted_json& from, const std::string& path) {
    if (!from.is_object())
      return wrong(path,
                   fmt::format("is {}, expected an object", kind_of(from)));
    rule out;
    for (const auto& [name, value] : from.items()) {
      const auto done =
          keyword(out, name, value, path + "." + ascii_line(name, 40));
      if (!done) return done.error();
    }
    return out;
  }

  static bool is_annotation(std::string_view name) {
    return name == "title" || name == "description" || name == "default"
           || name == "examples" || name.starts_with('$');
  }

  static result<void> keyword(rule& to, const std::string& name,
                              const sorted_json& value,
                              const std::string& path) {
    if (is_annotation(name)) return {};
    if (name == "type") return types(to, value, path);
    if (name == "properties") return properties(to, value, path);
    if (name == "required") return required(to, value, path);
    if (name == "additionalProperties") {
      if (!value.is_boolean())
        return wrong(path, "must be true or false; schemas are not supported");
      to.other_properties = value.get<bool>();
      return {};
    }
    if (name == "items") {
      auto inner = read(value, path);
      if (!inner) return inner.error();
      to.items.push_back(*std::move(inner));
      return {};
    }
    if (name == "enum") {
      if (!value.is_array() || value.empty())
        return wrong(path, "must be a list with at least one value");
      to.values.assign(value.begin(), value.end());
      return {};
    }
    if (name == "const") {
      to.values = {value};
      return {};
    }
    return limit(to, name, value, path);
  }

  static result<void> types(rule& to, const sorted_json& value,
                            const std::string& path) {
    static constexpr std::array known{"object",  "array",   "string", "number",
                                      "integer", "boolean", "null"};
    const auto list = value.is_array() ? value : sorted_json::array({value});
    for (const auto& type : list) {
      if (!type.is_string()
          || std::find(known.begin(), known.end(), type.get<std::string>())
                 == known.end())
        return wrong(path, fmt::format("{} is not a JSON type",
                                       ascii_line(to_text(type), 40)));
      to.types.push_back(type.get<std::string>());
    }
    if (to.types.empty()) return wrong(path, "is empty");
    return {};
  }

  static result<void> properties(rule& to, const sorted_json& value,
                                 const std::string& path) {
    if (!value.is_object()) return wrong(path, "must be an object");
    for (const auto& [name, schema] : value.items()) {
      auto inner = read(schema, path + "." + ascii_line(name, 40));
      if (!inner) return inner.error();
      to.properties.emplace(name, *std::move(inner));
    }
    return {};
  }

  static result<void> required(rule& to, const sorted_json& value,
                               const std::string& path) {
    if (!value.is_array()) return wrong(path, "must be a list of names");
    for (const auto& name : value) {
      if (!name.is_string()) return wrong(path, "must be a list of names");
      to.required.push_back(name.get<std::string>());
    }
    return {};
  }

  static result<void> limit(rule& to, const std::string& name,
                            const sorted_json& value, const std::string& path) {
    const std::map<std::string_view, std::optional<std::uint64_t> rule::*>
        counts{{"minItems", &rule::items_least},
               {"maxItems", &rule::items_most},
               {"minLength", &rule::length_least},
               {"maxLength", &rule::length_most}};
    if (const auto found = counts.find(name); found != counts.end()) {
      if (!value.is_number_unsigned())
        return wrong(path, "must be an integer from 0");
      to.*found->second = value.get<std::uint64_t>();
      return {};
    }
    if (name != "minimum" && name != "maximum")
      return wrong(path, "is not a keyword that Brewery checks; see "
                         "llm/json_schema.hpp for those it does");
    if (!value.is_number()) return wrong(path, "must be a number");
    (name == "minimum" ? to.least : to.most) = value.get<double>();
    return {};
  }
};

namespace {

using nlohmann::ordered_json;

/// Only schemas are walked: a property may be called "maxLength".
ordered_json plain(const ordered_json& schema) {
  auto out = ordered_json::object();
  for (const auto& [name, value] : schema.items()) {
    if (name == "properties" && value.is_object()) {
      out[name] = ordered_json::object();
      for (const auto& [property, inner] : value.items())
        out[name][property] = inner.is_object() ? plain(inner) : inner;
    } else if (name == "items" && value.is_object()) {
      out[name] = plain(value);
    } else if (name == "enum" || name == "const") {
      const auto text = [](const auto& one) { return one.is_string(); };
      if (std::all_of(value.begin(), value.end(), text)) out[name] = value;
    } else if (name == "type" || name == "required"
               || name == "additionalProperties") {
      out[name] = value;
    }
  }
  return out;
}

} // namespace

result<std::string> plain_schema(std::string_view text) {
  // Parsed twice, as only this way its limits are checked and its order kept.
  const auto checked = parse_json_text(text, "JSON schema");
  if (!checked) return error{ec::invalid_argument, checked.error().message};
  if (!checked->is_object())
    return error{ec::invalid_argument, "JSON schema: is no object"};
  return ordered_text(plain(ordered_json::parse(text)));
}

result<json_schema> json_schema::parse(std::string_view text) {
  const auto parsed = parse_json_text(text, "JSON schema");
  if (!parsed) return error{ec::invalid_argument, parsed.error().message};
  auto root = parser::read(*parsed, "schema");
  if (!root) return root.error();
  return json_schema{std::make_shared<const rule>(*std::move(root))};
}

} // namespace brewery
