#include "base/error.hpp"

#include <cstdio>
#include <cstdlib>

namespace brewery {

std::string_view to_string(ec code) {
  switch (code) {
  case ec::ok:
    return "ok";
  case ec::invalid_argument:
    return "invalid argument";
  case ec::invalid_config:
    return "invalid configuration";
  case ec::not_found:
    return "not found";
  case ec::malformed:
    return "malformed";
  case ec::version_mismatch:
    return "version mismatch";
  case ec::already_exists:
    return "already exists";
  case ec::in_use:
    return "in use";
  case ec::io:
    return "input/output error";
  case ec::disk_full:
    return "disk full";
  case ec::corrupt:
    return "corrupt";
  case ec::cancelled:
    return "cancelled";
  case ec::timeout:
    return "timeout";
  case ec::environment:
    return "environment error";
  case ec::exhausted:
    return "exhausted";
  case ec::rate_limited:
    return "rate limited";
  case ec::context_too_long:
    return "context too long";
  case ec::unauthorized:
    return "unauthorized";
  case ec::refused_content:
    return "content refused";
  case ec::over_budget:
    return "over budget";
  case ec::internal:
    return "internal error";
  }
  return "unknown error";
}

std::string to_string(const error& err) {
  return std::string{to_string(err.code)} + ": " + err.message;
}

void assertion_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "brewery: broken invariant `%s` at %s:%d\n", expression,
               file, line);
  std::abort();
}

} // namespace brewery
