#include "llm/accounts/request_text.hpp"

#include "base/hash.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace brewery {

namespace {

constexpr const char* in_settings = "settings";
constexpr const char* seed_name = "seed"; ///< the last setting

/// Of an excerpt: before and after the first character that differs.
constexpr std::size_t bytes_before = 30, bytes_after = 60;

/// A line for each setting in the print: its name, a space, its value.
std::string settings_text(const chat_request& chat) {
  std::string out = fmt::format("model {}\n", chat.model);
  const auto line = [&](const char* name, const std::string& value) {
    out +=
        fmt::format("{} {}\n", name,
                    value.empty() ? "(none)" : replace_all(value, "\n", " "));
  };
  line("temperature",
       chat.temperature ? fmt::format("{}", *chat.temperature) : "");
  line("reasoning_effort", chat.reasoning_effort);
  line("tool_choice", chat.tool_choice);
  line("schema_name", chat.schema_name);
  line("schema", chat.schema);
  line(seed_name, chat.seed ? std::to_string(*chat.seed) : "");
  return out;
}

std::string tools_text(const chat_request& chat) {
  std::string out;
  for (const auto& tool : chat.tools)
    out += fmt::format("{}: {} {}\n", tool.name, tool.description,
                       tool.parameters);
  return out;
}

std::string message_text(const chat_message& message) {
  std::string out = message.content;
  for (const auto& call : message.tool_calls)
    out +=
        fmt::format("\ncalls {}({}) as {}", call.name, call.arguments, call.id);
  for (const auto& image : message.images)
    // The recording has an image's hash, never its bytes.
    out += fmt::format("\nimage: {}, {} bytes, {}", image.media_type,
                       image.bytes.size(), content_hash(image.bytes));
  if (!message.tool_call_id.empty())
    out += fmt::format("\nanswers {}", message.tool_call_id);
  return out;
}

std::string excerpt_at(const std::string& text, std::size_t at) {
  const auto all = std::string_view{text};
  auto begin = at > bytes_before ? at - bytes_before : 0;
  while (begin > 0 && continues_character(all[begin]))
    --begin;
  const auto shown = utf8_prefix(all.substr(begin), at - begin + bytes_after);
  const auto end = begin + shown.size();
  return fmt::format("\"{}{}{}\"", begin > 0 ? "..." : "",
                     collapse_spaces(single_line(shown)),
                     end < all.size() ? "..." : "");
}

/// Where two texts differ first; the end of the shorter one if it begins the
/// other.
std::size_t first_mismatch(const std::string& a, const std::string& b) {
  const auto found = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(found.first - a.begin());
}

std::string both_sides(const std::string& recorded, const std::string& asked) {
  const auto at = first_mismatch(recorded, asked);
  return fmt::format("recorded {}, now {}", excerpt_at(recorded, at),
                     excerpt_at(asked, at));
}

/// "temperature 0.1 -> 0.9".
std::string setting_difference(const std::string& recorded,
                               const std::string& asked) {
  const auto was = split(recorded, '\n'), is = split(asked, '\n');
  for (std::size_t i = 0; i < was.size() && i < is.size(); ++i) {
    if (was[i] == is[i]) continue;
    const auto name = is[i].substr(0, is[i].find(' '));
    const auto value = [&](std::string_view line) {
      return std::string{line.substr(std::min(line.size(), name.size() + 1))};
    };
    const auto before = value(was[i]), now = value(is[i]);
    if (before.size() + now.size() > bytes_before + bytes_after)
      return fmt::format("{}: {}", name, both_sides(before, now));
    return fmt::format("{} {} -> {}", name, single_line(before),
                       single_line(now));
  }
  return in_settings;
}

} // namespace

std::vector<request_part> parts_of(const model_call& call,
                                   const request_print& print) {
  std::vector<request_part> out;
  if (const auto* chat = std::get_if<chat_request>(&call.request)) {
    out.push_back({print.settings, {settings_text(*chat)}});
    out.push_back({print.tools, {tools_text(*chat)}});
    for (std::size_t i = 0; i < chat->messages.size(); ++i)
      out.push_back({print.messages[i], {message_text(chat->messages[i])}});
  }
  if (const auto* request = std::get_if<embedding_request>(&call.request)) {
    out.push_back({print.settings,
                   {fmt::format("model {}\ndimensions {}\n", request->model,
                                request->dimensions)}});
    for (std::size_t i = 0; i < request->texts.size(); ++i)
      out.push_back({print.messages[i], {request->texts[i]}});
  }
  return out;
}

print_difference first_difference(const request_print& recorded,
                                  const request_print& asked) {
  if (recorded.settings != asked.settings)
    return {in_settings, recorded.settings, asked.settings};
  if (recorded.tools != asked.tools)
    return {"tools", recorded.tools, asked.tools};
  const auto& was = recorded.messages;
  const auto& is = asked.messages;
  for (std::size_t i = 0; i < std::max(was.size(), is.size()); ++i) {
    const auto before = i < was.size() ? was[i] : std::string{};
    const auto now = i < is.size() ? is[i] : std::string{};
    if (before != now)
      return {fmt::format("message {} of {}", i + 1,
                          std::max(was.size(), is.size())),
              before, now};
  }
  return {};
}

std::size_t likeness(const request_print& recorded,
                     const request_print& asked) {
  std::size_t out = recorded.settings == asked.settings ? 1 : 0;
  out += recorded.tools == asked.tools ? 1 : 0;
  const auto& was = recorded.messages;
  const auto& is = asked.messages;
  for (std::size_t i = 0; i < std::min(was.size(), is.size()); ++i)
    out += was[i] == is[i] ? 1 : 0;
  return out;
}

bool equal_but_for_seed(const std::string& recorded, const std::string& asked) {
  const auto before_seed = [](const std::string& text) {
    return std::string_view{text}.substr(
        0, text.rfind(std::string{'\n'} + seed_name + ' '));
  };
  return recorded.starts_with("model ")
         && before_seed(recorded) == before_seed(asked);
}

std::string difference_text(const print_difference& where,
                            const std::string* recorded,
                            const std::string& asked) {
  if (where.recorded.empty())
    return fmt::format("{}: not in the recorded call, now {}", where.where,
                       excerpt_at(asked, 0));
  if (recorded == nullptr)
    return where.asked.empty()
               ? fmt::format("{}: only in the recorded call", where.where)
               : fmt::format("{}: now {}", where.where, excerpt_at(asked, 0));
  if (where.asked.empty())
    return fmt::format("{}: recorded {}, not in this call", where.where,
                       excerpt_at(*recorded, 0));
  if (where.where == in_settings) return setting_difference(*recorded, asked);
  return fmt::format("{}: {}", where.where, both_sides(*recorded, asked));
}

} // namespace brewery
