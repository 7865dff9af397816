#pragma once
/// Tools as models are told of them, and the calls they make of them. Pure.

#include "envs/environment.hpp"
#include "messages/model_msgs.hpp"

#include <optional>

namespace brewery {

/// With a JSON schema of the arguments.
chat_tool tool_for_model(const tool_spec& tool);
std::vector<chat_tool> tools_for_model(const std::vector<tool_spec>& tools);

/// "- name: what it does", a line each.
std::string tools_text(const std::vector<tool_spec>& tools);

/// A call of a reply. `problem`: its arguments cannot be read, so it cannot be
/// made; `raw` is what stood there.
struct read_call {
  tool_call call;
  std::optional<error> problem;
  std::string raw;
};

/// Each with an id of its own: servers leave them out or give one twice.
/// `first_id` makes them unique in a conversation.
std::vector<read_call> read_calls(const std::vector<chat_tool_call>& calls,
                                  std::size_t first_id);

/// An assistant's message for the next request. A call that cannot be read goes
/// without its arguments: servers parse them again, and some refuse the whole
/// conversation.
chat_message said_by_model(std::string words,
                           const std::vector<read_call>& calls);

} // namespace brewery
