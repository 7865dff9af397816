#pragma once
/// What memories beside BREW are made of: attempts as a role has recorded them.
/// Values; whoever writes a memory owns them. PURE.

#include <string>
#include <vector>

namespace brewery {

/// A call that changed what a look shows.
struct recorded_change {
  std::vector<std::string> before; ///< LOOK and a line that went, one or more
  std::string call;
  std::string after;    ///< LOOK and the line that came; empty: none did
  std::string sentence; ///< says what to do; opaque here
  bool kept = false;    ///< it lasted to the end of a solved attempt
  bool operator==(const recorded_change&) const = default;
};

/// Lines but for `solved`; every list may be empty.
struct recorded_attempt {
  std::string told; ///< what the task said, or a summary
  bool solved = false;
  std::vector<std::string> keywords; ///< empty: the memory finds them
  std::vector<std::string> tags;
  std::vector<std::string> context;
  std::vector<std::string> sentences; ///< what is to be learned; opaque here
  std::vector<std::string> seen;      ///< LOOK and line, as it was seen first
  std::vector<std::string> ended;     ///< the same as it was seen last
  std::vector<recorded_change> changes;
  bool operator==(const recorded_attempt&) const = default;
};

} // namespace brewery
