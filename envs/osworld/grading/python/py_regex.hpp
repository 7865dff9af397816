#pragma once
/// Regular expressions with the syntax and meaning of Python's `re` on text:
/// the rules of tasks are written for it. Backtracking, with a limit of steps;
/// without (?(1)...) and possessive or atomic groups, which are errors.
/// Immutable and thread-safe. Source: Python 3.11, library reference, re.

#include "base/result.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace brewery::osworld {

struct regex_flags {
  bool ignore_case = false; ///< re.I
  bool multi_line = false;  ///< re.M
  bool dot_all = false;     ///< re.S
  bool verbose = false;     ///< re.X
  bool ascii = false;       ///< re.A
};

class py_regex {
public:
  /// Error ec::malformed: what `re.compile` refuses, or what is not supported.
  static result<py_regex> compile(std::string_view pattern,
                                  regex_flags flags = {});

  /// re.search(...) is not None. Error ec::exhausted: it takes too many steps.
  [[nodiscard]] result<bool> search(std::string_view text) const;

  /// re.match: the whole match and its groups (empty if unset), or null.
  [[nodiscard]] result<std::optional<std::vector<std::string>>>
  match(std::string_view text) const;

  /// The whole matches of re.finditer.
  [[nodiscard]] result<std::vector<std::string>>
  find_all(std::string_view text) const;

  struct program;

private:
  explicit py_regex(std::shared_ptr<const program> made)
      : program_(std::move(made)) {}

  std::shared_ptr<const program> program_;
};

} // namespace brewery::osworld
