#pragma once
/// The options of the learner MUSE (arXiv:2510.08002). config/schema_muse.cpp
/// describes each field and its range.

#include <cstdint>
#include <string>
#include <vector>

namespace brewery {

/// `[muse]`.
struct muse_options {
  std::uint32_t iterations = 3; ///< over the train tasks, in their order
  /// Tasks that are attempted with the same memory before it is merged. 1 is
  /// the paper: one after the other.
  std::uint32_t batch = 1;
  std::uint32_t actions_per_try = 20; ///< N, tool calls
  std::uint32_t actions = 160;        ///< of an attempt, in all
  /// Changing calls that an attempt without a language model may try.
  std::uint32_t explore = 30;
  bool verify = true; ///< false: what was done without an error counts as done
  /// Which of "strategic", "procedural" and "tool" an attempt is given.
  std::vector<std::string> stores{"strategic", "procedural", "tool"};
  /// Whether lessons may be drawn from grades of train tasks: "train", "never".
  std::string grades = "train";
  std::string memory{}; ///< a directory to begin with; empty: nothing

  bool operator==(const muse_options&) const = default;
};

} // namespace brewery
