#include "envs/external/external_protocol.hpp"

#include "base/printable.hpp"
#include "messages/json.hpp"
#include "messages/json_reader.hpp"

#include <fmt/format.h>

#include <tuple>

namespace brewery::external {

namespace {

// Enough for a screenshot in base64; larger content is an error.
constexpr std::size_t content_bytes_max = std::size_t{8} << 20;
constexpr std::size_t parts_max = 10'000;
constexpr std::size_t events_max = 10'000;
constexpr std::size_t shown_bytes_max = 200;
/// Limits the recursion of later code.
constexpr int nesting_max = 64;

std::string line_of(const json& request) {
  return request.dump(-1, ' ', false, json::error_handler_t::replace);
}

json request(std::uint64_t id, const char* what) {
  return json{{"id", id}, {"op", what}};
}

json session_request(std::uint64_t id, const char* what,
                     std::uint64_t session) {
  auto out = request(id, what);
  out["session"] = session;
  return out;
}

/// " (what the parser says)": NaN and lone halves of a character are no JSON.
std::string why_not(std::string_view line) {
  try {
    std::ignore = json::parse(line);
  } catch (const json::exception& wrong) {
    constexpr std::size_t most = 200;
    return fmt::format(" ({})", single_line(wrong.what(), most));
  }
  return {};
}

result<json> parse(std::string_view line) {
  bool deep = false;
  const auto shallow = [&deep](int depth, json::parse_event_t, json&) {
    deep |= depth > nesting_max;
    return !deep;
  };
  auto value = json::parse(line, shallow, false);
  if (deep)
    return error{ec::malformed,
                 fmt::format("a reply nested deeper than {}", nesting_max)};
  // A reply was meant, so stray prints are not what to look for.
  if (value.is_discarded() && line.starts_with('{'))
    return error{ec::malformed,
                 fmt::format("its reply is not JSON{}: {}", why_not(line),
                             json_quoted(single_line(line, shown_bytes_max)))};
  if (value.is_discarded() || !value.is_object())
    return error{ec::malformed,
                 fmt::format("its output is not a reply, a JSON object on one "
                             "line: {}; only replies may go to standard output",
                             json_quoted(single_line(line, shown_bytes_max)))};
  return value;
}

error failure_of(const json& value) {
  const auto* text = value.is_string() ? &value : nullptr;
  if (value.is_object() && value.contains("message")
      && value["message"].is_string())
    text = &value["message"];
  if (!text) return {ec::malformed, "error.message is missing or not a string"};
  return {ec::environment,
          "it says: " + single_line(text->get_ref<const std::string&>(), 2000)};
}

trajectory_step read_event(const json& from, const std::string& place,
                           std::optional<error>& problem) {
  json_reader field{from, place, problem};
  trajectory_step out;
  out.requestor = field.text_or("requestor", "user", name_bytes_max);
  if (out.requestor != "user" && out.requestor != "assistant")
    field.refuse("requestor", "must be \"user\" or \"assistant\", found "
                                  + json_quoted(out.requestor));
  out.tool = field.text_or("tool", std::string{words_tool}, name_bytes_max);
  if (!out.tool.empty())
    out.arguments = line_of(field.object_or_empty("arguments"));
  out.observation = field.text_or("observation", "", content_bytes_max);
  out.failed = field.flag_or("failed", false);
  out.mutates = field.flag_or("mutates", false);
  return out;
}

} // namespace

std::string hello_request(std::uint64_t id) {
  auto out = request(id, "hello");
  out["protocol"] = protocol_version;
  out["brewery"] = BREWERY_VERSION;
  return line_of(out);
}

std::string reset_request(std::uint64_t id, std::uint64_t session,
                          const task_id& task) {
  auto out = session_request(id, "reset", session);
  out["task"] = task.value;
  return line_of(out);
}

std::string step_request(std::uint64_t id, std::uint64_t session,
                         const turn& move) {
  auto out = session_request(id, "step", session);
  out["text"] = move.text;
  out["calls"] = json::array();
  for (const auto& call : move.calls)
    out["calls"].push_back(
        {{"id", call.id}, {"name", call.name}, {"arguments", call.arguments}});
  return line_of(out);
}

std::string grade_request(std::uint64_t id, std::uint64_t session) {
  return line_of(session_request(id, "grade", session));
}

std::string close_request(std::uint64_t id, std::uint64_t session) {
  return line_of(session_request(id, "close", session));
}

result<json> read_reply(std::string_view line, std::uint64_t id) {
  auto value = parse(line);
  if (!value) return value.error();
  const auto number = value->find("id");
  if (number == value->end()) return error{ec::malformed, "a reply without id"};
  if (!number->is_number_unsigned() || number->get<std::uint64_t>() != id)
    return error{ec::malformed,
                 fmt::format("a reply to request {}, but {} was asked",
                             single_line(number->dump(), name_bytes_max), id)};
  const auto failed = value->find("error");
  if (failed != value->end() && !failed->is_null()) return failure_of(*failed);
  const auto found = value->find("result");
  if (found == value->end())
    return error{ec::malformed, "a reply with neither result nor error"};
  return std::move(*found);
}

result<step_reply> read_step(const json& from, std::size_t calls) {
  std::optional<error> problem;
  json_reader field{from, "", problem};
  step_reply out;
  const auto* results =
      calls > 0 ? field.list("results") : field.list_or_null("results");
  if (results && results->size() != calls)
    field.refuse("results", fmt::format("has {} entries for {} calls",
                                        results->size(), calls));
  for (std::size_t i = 0; results && i < results->size() && !problem; ++i) {
    json_reader one{(*results)[i], fmt::format("results[{}]", i), problem};
    if (!(*results)[i].is_object() || !(*results)[i].contains("content"))
      one.refuse("content", "is missing");
    out.results.push_back({one.text_or("content", "", content_bytes_max),
                           one.flag_or("failed", false)});
  }
  out.reply = field.text_or("reply", "", content_bytes_max);
  out.over = field.flag_or("over", false);
  const auto* events = field.list_or_null("events");
  if (events && events->size() > events_max)
    field.refuse("events", fmt::format("has {} entries, at most {} are allowed",
                                       events->size(), events_max));
  for (std::size_t i = 0; events && i < events->size() && !problem; ++i)
    out.events.push_back(
        read_event((*events)[i], fmt::format("events[{}]", i), problem));
  if (problem) return *problem;
  return out;
}

result<grade_report> read_grade(const json& from) {
  std::optional<error> problem;
  json_reader field{from, "", problem};
  grade_report out;
  out.reward = field.number("reward", 0, 1);
  const auto* parts = field.list_or_null("parts");
  if (parts && parts->size() > parts_max)
    field.refuse("parts", fmt::format("has {} entries, at most {} are allowed",
                                      parts->size(), parts_max));
  for (std::size_t i = 0; parts && i < parts->size() && !problem; ++i) {
    json_reader part{(*parts)[i], fmt::format("parts[{}]", i), problem};
    auto name = part.text("name", 2000);
    out.parts.push_back({std::move(name), part.flag("met")});
  }
  if (problem) return *problem;
  return out;
}

} // namespace brewery::external
