#pragma once
/// A regular expression as a tree; private to py_regex*.cpp.

#include "envs/osworld/grading/python/py_regex_characters.hpp"

namespace brewery::osworld {

/// A part of a pattern; `step` holds what a leaf compiles to.
struct pattern_node {
  enum class form : std::uint8_t {
    leaf,
    sequence,
    choice,
    repeat,
    group,
    look
  };
  form is = form::sequence;
  regex_step step{};
  std::vector<pattern_node> parts{};
  std::size_t least = 0, most = 0; ///< of `repeat`
  bool lazy = false;
  std::size_t number = 0; ///< of `group`; 0: captures nothing
  bool ahead = true, negated = false;
};
using node_form = pattern_node::form;

struct pattern_tree {
  pattern_node root;
  std::vector<character_class> classes; ///< that leaves name by their index
  std::size_t groups = 0;
};

/// Width in characters, if it is the same for every match.
std::optional<std::size_t> width_of(const pattern_node& node);

/// Error ec::malformed.
result<pattern_tree> parse_regex(std::string_view pattern, regex_flags flags);

} // namespace brewery::osworld
