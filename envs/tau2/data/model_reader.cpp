#include "envs/tau2/data/model_reader.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery::tau2 {

namespace {

/// A value for messages: short ones themselves, else the type.
std::string shown(const json& value) {
  if (value.is_structured()) return std::string{py_type_name(value)};
  std::string text = py_repr(value);
  return text.size() <= 60 ? text : std::string{py_type_name(value)};
}

std::string quoted_choices(std::initializer_list<std::string_view> allowed) {
  std::string out;
  for (const auto choice : allowed) {
    if (!out.empty()) out += choice == *(allowed.end() - 1) ? " or " : ", ";
    out += py_quote(choice);
  }
  return out;
}

} // namespace

void model_trace::problem(std::string what) {
  std::vector<std::string> parts;
  for (const auto& part : path_) {
    if (const auto* name = std::get_if<std::string_view>(&part))
      parts.emplace_back(*name);
    else
      parts.push_back(std::to_string(std::get<std::size_t>(part)));
  }
  problems_.push_back({join(parts, "."), std::move(what)});
}

model_reader::model_reader(const json& from, model_trace& trace,
                           std::string_view model)
    : from_(from), trace_(trace) {
  if (!from.is_object())
    trace.problem(fmt::format("Input should be an object, a {}, not {}", model,
                              shown(from)));
}

template <class Read>
void model_reader::read(std::string_view member, Read convert) {
  if (!from_.is_object()) return;
  trace_.enter(member);
  const std::string name{member};
  const auto at = from_.find(name);
  if (at == from_.end())
    trace_.problem("Field required");
  else
    read_.emplace(name, convert(*at));
  trace_.leave();
}

void model_reader::text(std::string_view member) {
  read(member, [&](const json& v) { return read_text(v, trace_); });
}

void model_reader::integer(std::string_view member) {
  read(member, [&](const json& v) { return read_integer(v, trace_); });
}

void model_reader::number(std::string_view member) {
  read(member, [&](const json& v) {
    const auto value = lax_float(v);
    if (value) return json(*value);
    trace_.problem(value.error().message);
    return json();
  });
}

void model_reader::choice(std::string_view member,
                          std::initializer_list<std::string_view> allowed) {
  read(member, [&](const json& v) {
    const bool known =
        v.is_string()
        && std::find(allowed.begin(), allowed.end(),
                     std::string_view{v.get_ref<const std::string&>()})
               != allowed.end();
    if (!known)
      trace_.problem(fmt::format("Input should be {}, not {}",
                                 quoted_choices(allowed), shown(v)));
    return v;
  });
}

void model_reader::choice_or_null(
    std::string_view member, std::initializer_list<std::string_view> allowed) {
  if (!from_.is_object()) return;
  const std::string name{member};
  const auto at = from_.find(name);
  if (at == from_.end() || at->is_null())
    read_.emplace(name, nullptr);
  else
    choice(member, allowed);
}

void model_reader::model(std::string_view member, read_model convert) {
  read(member, [&](const json& v) { return convert(v, trace_); });
}

void model_reader::list(std::string_view member, read_model convert) {
  read(member, [&](const json& v) {
    json items = json::array();
    if (!v.is_array()) {
      trace_.problem(
          fmt::format("Input should be a valid list, not {}", shown(v)));
      return items;
    }
    for (std::size_t i = 0; i < v.size(); ++i) {
      trace_.enter(i);
      items.push_back(convert(v[i], trace_));
      trace_.leave();
    }
    return items;
  });
}

void model_reader::map(std::string_view member, read_model convert) {
  read(member, [&](const json& v) {
    json items = json::object();
    if (!v.is_object()) {
      trace_.problem(
          fmt::format("Input should be a valid dictionary, not {}", shown(v)));
      return items;
    }
    for (auto it = v.begin(); it != v.end(); ++it) {
      trace_.enter(std::string_view{it.key()});
      items.emplace(it.key(), convert(*it, trace_));
      trace_.leave();
    }
    return items;
  });
}

json read_text(const json& from, model_trace& trace) {
  if (!from.is_string())
    trace.problem(
        fmt::format("Input should be a valid string, not {}", shown(from)));
  return from;
}

json read_integer(const json& from, model_trace& trace) {
  const auto value = lax_int(from);
  if (value) return *value;
  trace.problem(value.error().message);
  return {};
}

result<json> as_record(const json& from, read_model read) {
  model_trace trace;
  json record = read(from, trace);
  if (trace.problems().empty()) return record;
  const auto& first = trace.problems().front();
  return error{ec::malformed, first.where.empty()
                                  ? first.what
                                  : first.where + ": " + first.what};
}

result<json> model_argument(std::string_view model, const json& from,
                            read_model read) {
  model_trace trace;
  json value = read(from, trace);
  const auto& problems = trace.problems();
  if (problems.empty()) return value;
  std::string text =
      fmt::format("{} validation error{} for {}", problems.size(),
                  problems.size() == 1 ? "" : "s", model);
  for (const auto& [where, what] : problems)
    text += fmt::format("\n{}\n  {}", where, what);
  return error{ec::invalid_argument, std::move(text)};
}

} // namespace brewery::tau2
