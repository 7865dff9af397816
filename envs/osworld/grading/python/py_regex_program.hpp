#pragma once
/// What a regular expression compiles to; private to py_regex*.cpp.

#include "envs/osworld/grading/python/py_regex.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace brewery::osworld {

/// A class of characters: [...] or \d and the like.
struct character_class {
  std::vector<std::pair<char32_t, char32_t>> ranges;
  std::string kinds; ///< of d D w W s S
  bool negated = false;
};

enum class step_kind : std::uint8_t {
  character,
  any,
  one_of,
  split, ///< tries `a`, then `b`
  jump,
  save,       ///< the position, in register `a`
  save_start, ///< likewise, for the check that a loop makes progress
  progress,   ///< fails if the position is still that of register `a`
  begin,      ///< \A
  line_begin,
  end,    ///< \Z
  dollar, ///< the end, or before a final line break
  line_end,
  boundary,
  no_boundary,
  back_reference,
  look, ///< runs `a`..., which ends with `match`; then goes on at `b`
  match,
};

struct regex_step {
  step_kind kind = step_kind::match;
  char32_t character = 0;
  std::size_t a = 0, b = 0;
  bool ignore_case = false;
  bool dot_all = false;
  bool ascii = false;
  bool negated = false;   ///< of `look`
  std::size_t behind = 0; ///< of `look`: how far before; 0 and ahead: none
};

struct py_regex::program {
  std::vector<regex_step> steps;
  std::vector<character_class> classes;
  std::size_t groups = 0;
  std::size_t registers = 0; ///< two for each group, then those of loops
};

/// Error ec::malformed.
result<std::shared_ptr<const py_regex::program>>
compile_regex(std::string_view pattern, regex_flags flags);

} // namespace brewery::osworld
