#pragma once
/// Reads one Python call with literal arguments, as models write actions:
///   agent.click("the File menu", 1, "left")
///   click(start_box='(100,200)')
/// It is read, never run: names, operators and nested calls are refused. Pure;
/// of limited length and depth.

#include "base/result.hpp"
#include "messages/json.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace brewery::desktop {

struct python_call {
  std::string name; ///< dotted: "agent.click"
  std::vector<json> arguments;
  /// By keyword. Lists and tuples are arrays, dicts are objects.
  json named = json::object();

  /// The argument with this place and name; null if it is not given.
  [[nodiscard]] const json* find(std::size_t place,
                                 const std::string& key) const;
};

struct call_reading {
  /// A quote ends a string only where an argument can end, for models that
  /// write type(content='I'm here').
  bool loose_quotes = false;
};

/// Reads the call at the start of `text` and sets `consumed` to its length.
/// Error ec::malformed: says what, and at which byte.
result<python_call> read_python_call(std::string_view text,
                                     std::size_t& consumed,
                                     call_reading how = {});

/// Text that is exactly one call.
result<python_call> read_python_call(std::string_view text,
                                     call_reading how = {});

} // namespace brewery::desktop
