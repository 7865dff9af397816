#include "envs/external/field_reader.hpp"

#include "envs/child/shown_text.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

namespace brewery::external {

using child::shown_text;

namespace {

constexpr std::size_t shown_value_bytes_max = 80;

std::string shown(const json& value) {
  return shown_text(value.dump(), shown_value_bytes_max);
}

} // namespace

field_reader::field_reader(const json& from, std::string place,
                           std::optional<error>& problem)
    : from_(from.is_object() ? &from : nullptr), place_(std::move(place)),
      problem_(problem) {
  if (!from_) refuse("", "must be an object, found " + shown(from));
}

std::string field_reader::place_of(const std::string& name) const {
  if (place_.empty()) return name;
  return name.empty() ? place_ : place_ + "." + name;
}

void field_reader::refuse(const std::string& name, const std::string& what) {
  if (problem_) return;
  const auto place = place_of(name);
  problem_ =
      error{ec::malformed, (place.empty() ? "the result" : place) + " " + what};
}

const json* field_reader::find(const char* name) {
  if (!from_ || problem_) return nullptr;
  const auto it = from_->find(name);
  // null says what leaving it out says.
  return it == from_->end() || it->is_null() ? nullptr : &*it;
}

const json* field_reader::need(const char* name) {
  const auto* value = find(name);
  if (!value) refuse(name, "is missing");
  return value;
}

std::string field_reader::take_text(const json& value, const char* name,
                                    std::size_t bytes_max) {
  if (!value.is_string()) {
    refuse(name, "must be a string, found " + shown(value));
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

std::string field_reader::text(const char* name, std::size_t bytes_max) {
  const auto* value = need(name);
  auto out = value ? take_text(*value, name, bytes_max) : std::string{};
  if (value && out.empty()) refuse(name, "is empty");
  return out;
}

std::string field_reader::text_or(const char* name, std::string otherwise,
                                  std::size_t bytes_max) {
  const auto* value = find(name);
  return value ? take_text(*value, name, bytes_max) : otherwise;
}

bool field_reader::flag(const char* name) {
  need(name);
  return flag_or(name, false);
}

bool field_reader::flag_or(const char* name, bool otherwise) {
  const auto* value = find(name);
  if (!value) return otherwise;
  if (!value->is_boolean()) {
    refuse(name, "must be true or false, found " + shown(*value));
    return otherwise;
  }
  return value->get<bool>();
}

std::uint32_t field_reader::whole_or(const char* name, std::uint32_t otherwise,
                                     std::uint32_t min, std::uint32_t max) {
  const auto* value = find(name);
  if (!value) return otherwise;
  if (!value->is_number_unsigned() || value->get<std::uint64_t>() < min
      || value->get<std::uint64_t>() > max) {
    refuse(name, fmt::format("must be a whole number from {} to {}, found {}",
                             min, max, shown(*value)));
    return otherwise;
  }
  return value->get<std::uint32_t>();
}

double field_reader::number(const char* name, double min, double max) {
  const auto* value = need(name);
  if (!value) return min;
  const double out = value->is_number() ? value->get<double>() : min - 1;
  // Written so that NaN is refused.
  if (!(out >= min && out <= max)) {
    refuse(name, fmt::format("must be a number from {} to {}, found {}", min,
                             max, shown(*value)));
    return min;
  }
  return out;
}

json field_reader::object_or_empty(const char* name) {
  const auto* value = object_or_null(name);
  return value ? *value : json::object();
}

const json* field_reader::list(const char* name) {
  need(name);
  return list_or_null(name);
}

const json* field_reader::list_or_null(const char* name) {
  const auto* value = find(name);
  if (value && !value->is_array()) {
    refuse(name, "must be a list, found " + shown(*value));
    return nullptr;
  }
  return value;
}

const json* field_reader::object_or_null(const char* name) {
  const auto* value = find(name);
  if (value && !value->is_object()) {
    refuse(name, "must be an object, found " + shown(*value));
    return nullptr;
  }
  return value;
}

} // namespace brewery::external
