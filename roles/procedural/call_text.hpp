#pragma once
/// A tool call as written in documents:
///   `grant_app_permission(app_name="messaging", permission="sms")`
///   `refuel_data(customer_id=<customer_id>, gb_amount=2.0)`
/// An argument is a JSON value or a placeholder <name>, which the agent fills
/// from the current task.

#include "envs/environment.hpp"
#include "messages/json.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

struct call_argument {
  std::string name;
  std::string placeholder; ///< name between < and >; empty: `value` is used
  json value;
};

struct call_text {
  std::string tool;
  std::vector<call_argument> arguments;
};

std::string to_text(const call_text& call);

/// Parses one call at the start of `text`. Sets `consumed` to its length.
std::optional<call_text> parse_call(std::string_view text,
                                    std::size_t& consumed);

/// Parses a text that is exactly one call.
std::optional<call_text> parse_call(std::string_view text);

/// Parses a JSON string at the start of `text` (documents quote status lines).
std::optional<std::string> parse_quoted(std::string_view text,
                                        std::size_t& consumed);

} // namespace brewery
