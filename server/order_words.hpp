#pragma once
/// The arguments of an order, which anybody with an operator's key may send,
/// and an answer that several have.

#include "base/result.hpp"
#include "messages/json.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <string>

namespace brewery {

inline std::string word(const std::map<std::string, std::string>& words,
                        const std::string& name) {
  const auto it = words.find(name);
  return it == words.end() ? std::string{} : it->second;
}

/// The answer to an order that has to wait until the run has begun.
inline error is_queued(const std::string& run, const std::string& group) {
  return {ec::in_use,
          fmt::format("run {} is queued: it begins when a run of group {} has "
                      "ended",
                      run, group)};
}

/// A number that need not be given; `out` keeps its value then. The command
/// line has the same limits, but anybody may send an order.
template <class T>
result<void> read_number(const std::map<std::string, std::string>& words,
                         const std::string& name, double least, double most,
                         T& out) {
  const auto text = word(words, name);
  if (text.empty()) return {};
  T read{};
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, read);
  const auto value = static_cast<double>(read);
  if (parsed.ec != std::errc{} || parsed.ptr != end
      || !(value >= least && value <= most))
    return error{ec::invalid_argument,
                 fmt::format("{} = {}: expected a number from {} to {}", name,
                             json_quoted(text), least, most)};
  out = read;
  return {};
}

} // namespace brewery
