#include "messages/json_reader.hpp"

#include "base/printable.hpp"

#include <fmt/format.h>

namespace brewery {

std::string shown_value(const json& value) {
  constexpr std::size_t shown_bytes_max = 80;
  return single_line(value.dump(-1, ' ', false, json::error_handler_t::replace),
                     shown_bytes_max);
}

json_reader::json_reader(const json& from, std::string place,
                         std::optional<error>& problem)
    : from_(from.is_object() ? &from : nullptr), place_(std::move(place)),
      problem_(problem) {
  if (!from_) refuse("", "must be an object, found " + shown_value(from));
}

std::string json_reader::place_of(const std::string& name) const {
  if (place_.empty()) return name;
  return name.empty() ? place_ : place_ + "." + name;
}

void json_reader::refuse(const std::string& name, const std::string& what) {
  if (problem_) return;
  const auto place = place_of(name);
  problem_ = error{ec::malformed, (place.empty() ? "it" : place) + " " + what};
}

const json* json_reader::find(const char* name) const {
  if (!from_ || problem_) return nullptr;
  const auto it = from_->find(name);
  // Null counts as a missing field.
  return it == from_->end() || it->is_null() ? nullptr : &*it;
}

const json* json_reader::need(const char* name) {
  const auto* value = find(name);
  if (!value) refuse(name, "is missing");
  return value;
}

std::string json_reader::take_text(const json& value, const char* name,
                                   std::size_t bytes_max) {
  if (!value.is_string()) {
    refuse(name, "must be a string, found " + shown_value(value));
    return {};
  }
  const auto& text = value.get_ref<const std::string&>();
  if (text.size() > bytes_max) {
    refuse(name, fmt::format("has {} bytes, at most {} are allowed",
                             text.size(), bytes_max));
    return {};
  }
  return text;
}

void json_reader::get(const char* name, std::string& out) {
  if (const auto* value = need(name)) {
    auto text = take_text(*value, name, no_limit);
    if (!problem_) out = std::move(text);
  }
}

void json_reader::get(const char* name, double& out) {
  const auto* value = need(name);
  if (!value) return;
  if (!value->is_number())
    return refuse(name, "must be a number, found " + shown_value(*value));
  out = value->get<double>();
}

std::string json_reader::text(const char* name, std::size_t bytes_max) {
  const auto* value = need(name);
  auto out = value ? take_text(*value, name, bytes_max) : std::string{};
  if (value && out.empty()) refuse(name, "is empty");
  return out;
}

std::string json_reader::text_or(const char* name, std::string otherwise,
                                 std::size_t bytes_max) {
  const auto* value = find(name);
  return value ? take_text(*value, name, bytes_max) : otherwise;
}

bool json_reader::flag(const char* name) {
  need(name);
  return flag_or(name, false);
}

bool json_reader::flag_or(const char* name, bool otherwise) {
  const auto* value = find(name);
  if (!value) return otherwise;
  if (!value->is_boolean()) {
    refuse(name, "must be true or false, found " + shown_value(*value));
    return otherwise;
  }
  return value->get<bool>();
}

std::uint64_t json_reader::whole(const char* name, std::uint64_t otherwise,
                                 std::uint64_t min, std::uint64_t max) {
  const auto* value = find(name);
  if (!value) return otherwise;
  if (value->is_number_unsigned()) {
    const auto out = value->get<std::uint64_t>();
    if (out >= min && out <= max) return out;
  }
  const auto bounds = max == std::numeric_limits<std::uint64_t>::max()
                          ? fmt::format("of at least {}", min)
                          : fmt::format("from {} to {}", min, max);
  refuse(name, fmt::format("must be a whole number {}, found {}", bounds,
                           shown_value(*value)));
  return otherwise;
}

std::uint32_t json_reader::whole_or(const char* name, std::uint32_t otherwise,
                                    std::uint32_t min, std::uint32_t max) {
  return static_cast<std::uint32_t>(whole(name, otherwise, min, max));
}

double json_reader::number(const char* name, double min, double max) {
  const auto* value = need(name);
  if (!value) return min;
  const double out = value->is_number() ? value->get<double>() : min - 1;
  // Written so that NaN is refused.
  if (!(out >= min && out <= max)) {
    refuse(name, fmt::format("must be a number from {} to {}, found {}", min,
                             max, shown_value(*value)));
    return min;
  }
  return out;
}

json json_reader::object_or_empty(const char* name) {
  const auto* value = object_or_null(name);
  return value ? *value : json::object();
}

const json* json_reader::list(const char* name) {
  need(name);
  return list_or_null(name);
}

const json* json_reader::list_or_null(const char* name) {
  const auto* value = find(name);
  if (value && !value->is_array()) {
    refuse(name, "must be a list, found " + shown_value(*value));
    return nullptr;
  }
  return value;
}

const json* json_reader::object_or_null(const char* name) {
  const auto* value = find(name);
  if (value && !value->is_object()) {
    refuse(name, "must be an object, found " + shown_value(*value));
    return nullptr;
  }
  return value;
}

} // namespace brewery
