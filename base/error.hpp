#pragma once
/// Errors as values. Expected failures are returned as `error` inside
/// `result<T>`. Programmer errors end the process through BREWERY_ASSERT.
/// Exceptions of third-party code are caught at the port that calls it.

#include <cstdint>
#include <string>
#include <string_view>

namespace brewery {

/// The numbers are stable: they are sent and stored in the event log.
enum class ec : std::uint8_t {
  ok = 0,
  invalid_argument = 1,  ///< a caller's value is outside its range
  invalid_config = 2,    ///< the configuration cannot be used
  not_found = 3,         ///< a named thing does not exist
  malformed = 4,         ///< bytes or text do not follow their format
  version_mismatch = 5,  ///< written by another version of format or data
  already_exists = 6,    ///< refusing to overwrite
  in_use = 7,            ///< another process owns it
  io = 8,                ///< the operating system refused
  disk_full = 9,         ///< no space left; nothing acknowledged was lost
  corrupt = 10,          ///< stored data fails its own check
  cancelled = 11,        ///< the user asked to stop
  timeout = 12,          ///< no answer within the configured time
  environment = 13,      ///< the environment broke, not the agent
  exhausted = 14,        ///< a retry or step budget is used up
  internal = 15,         ///< a bug of ours, reported instead of hidden
  rate_limited = 16,     ///< a server rate limit outlasted the retries
  context_too_long = 17, ///< a prompt does not fit the model
  unauthorized = 18,     ///< a server refused the key
  refused_content = 19,  ///< a server's content filter stepped in
  over_budget = 20,      ///< the next call would cost more than is left
};

std::string_view to_string(ec code);

/// `message` is one line: what failed, where, with which value, what to do.
struct error {
  ec code = ec::internal;
  std::string message;
};

/// As shown to users: "malformed: tasks.json: ...".
std::string to_string(const error& err);

[[noreturn]] void assertion_failed(const char* expression, const char* file,
                                   int line);

} // namespace brewery

/// Active in release builds: a broken invariant must not reach a user's data.
#define BREWERY_ASSERT(expression)                                             \
  ((expression)                                                                \
       ? void(0)                                                               \
       : ::brewery::assertion_failed(#expression, __FILE__, __LINE__))
