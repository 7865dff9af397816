#pragma once
/// A tool call as documents write it:
///   `grant_app_permission(app_name="messaging", permission="sms")`
///   `refuel_data(customer_id=<customer_id>, gb_amount=2.0)`
/// An argument is a JSON value or a placeholder <name>, which the reader fills
/// from the case at hand.

#include "envs/environment.hpp"
#include "messages/json.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brewery {

struct call_argument {
  std::string name;
  std::string placeholder; ///< name between < and >; empty: `value` is literal
  json value;
};

struct call_text {
  std::string tool;
  std::vector<call_argument> arguments;
};

std::string to_text(const call_text& call);

/// Parses one call at the start of `text`; `consumed` receives its length.
std::optional<call_text> parse_call(std::string_view text,
                                    std::size_t& consumed);

/// The whole text is one call.
std::optional<call_text> parse_call(std::string_view text);

/// A JSON string at the start of `text` (as documents quote status lines).
std::optional<std::string> parse_quoted(std::string_view text,
                                        std::size_t& consumed);

} // namespace brewery
