#pragma once
/// Lines from a child process, as targets.hpp does it for frames: any bytes are
/// refused in one line that can be shown, or taken for a value in which nothing
/// has to be checked again.

#include "base/utf8.hpp"
#include "envs/external/external_protocol.hpp"

#include <set>
#include <string>
#include <string_view>

namespace brewery::fuzz {

inline std::string check_line(const error& refusal) {
  if (refusal.message.empty()) return "refused without a word";
  for (std::size_t at = 0; at < refusal.message.size();) {
    const auto [value, size] = decode_utf8(refusal.message, at);
    if (value < ' ' || (value >= 0x7f && value < 0xa0))
      return "a refusal with control characters: " + refusal.message;
    at += size;
  }
  if (refusal.message.size() > 8192) return "a refusal without end";
  return {};
}

inline std::string check_tools(const std::vector<tool_spec>& tools) {
  std::set<std::string> names;
  for (const auto& tool : tools) {
    if (tool.name.empty() || !names.insert(tool.name).second)
      return "a tool without a name of its own";
    if (tool.requestor != "assistant" && tool.requestor != "user")
      return "a tool of nobody";
    std::set<std::string> parameters;
    for (const auto& parameter : tool.parameters)
      if (parameter.name.empty() || !parameters.insert(parameter.name).second)
        return "a parameter without a name of its own";
  }
  return {};
}

inline std::string check_hello(const external::hello_reply& got) {
  if (got.name.empty() || got.fingerprint.empty() || got.tasks.empty())
    return "a hello without name, fingerprint or tasks";
  std::set<std::string> ids;
  for (const auto& task : got.tasks)
    if (task.id.value.empty() || !ids.insert(task.id.value).second)
      return "a task without an id of its own";
  for (const auto& [name, tasks] : got.splits) {
    if (std::set<std::size_t>(tasks.begin(), tasks.end()).size()
        != tasks.size())
      return "a split with a task twice";
    for (const auto index : tasks)
      if (index >= got.tasks.size()) return "a split of unknown tasks";
  }
  if (got.sessions < 1) return "no session at all";
  return got.tools ? check_tools(*got.tools) : std::string{};
}

/// The first byte says to what the rest is a reply, and how many calls a step
/// made.
inline std::string external(std::string_view bytes) {
  if (bytes.empty()) return {};
  const auto selector = static_cast<unsigned char>(bytes.front());
  const auto reply = external::read_reply(bytes.substr(1), 1);
  if (!reply) return check_line(reply.error());
  switch (selector % 4) {
  case 0: {
    const auto got = external::read_hello(*reply);
    return got ? check_hello(*got) : check_line(got.error());
  }
  case 1: {
    const auto got = external::read_reset(*reply);
    if (!got) return check_line(got.error());
    return got->tools ? check_tools(*got->tools) : std::string{};
  }
  case 2: {
    const std::size_t calls = selector / 4 % 4;
    const auto got = external::read_step(*reply, calls);
    if (!got) return check_line(got.error());
    return got->results.size() == calls ? std::string{}
                                        : "other results than calls";
  }
  default: {
    const auto got = external::read_grade(*reply);
    if (!got) return check_line(got.error());
    return got->reward >= 0 && got->reward <= 1 ? std::string{}
                                                : "a reward out of range";
  }
  }
}

} // namespace brewery::fuzz
