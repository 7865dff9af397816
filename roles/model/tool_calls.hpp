#pragma once
/// Converts tools for a model's requests, and the calls in its replies. Pure.

#include "envs/environment.hpp"
#include "messages/model_msgs.hpp"

#include <optional>

namespace brewery {

/// Each with a JSON schema of its arguments. A parameter that an earlier tool
/// has, with the same name, type and description, is described there only.
std::vector<chat_tool> tools_for_model(const std::vector<tool_spec>& tools);

/// "- name(parameter, optional?): what it does", one line per tool.
std::string tools_text(const std::vector<tool_spec>& tools);

/// A call of a reply. `problem` is set if its arguments cannot be parsed; the
/// call is then not made. `raw` is the original text.
struct read_call {
  tool_call call;
  std::optional<error> problem;
  std::string raw;
};

/// Gives each call an id of its own, because servers omit ids or repeat them.
/// `first_id` makes them unique in a conversation.
std::vector<read_call> read_calls(const std::vector<chat_tool_call>& calls,
                                  std::size_t first_id);

/// The assistant's message for the next request. Calls that cannot be parsed
/// are sent without arguments: servers parse arguments again, and some refuse
/// the whole conversation.
chat_message said_by_model(std::string words,
                           const std::vector<read_call>& calls);

} // namespace brewery
