#pragma once
/// The only argument of benches in virtual time: how often to repeat.

#include "base/text.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace brewery::bench {

/// `usual` if there is no argument. Ends the program with a line about any
/// other than a number from 1 on.
inline std::uint64_t repetitions(int argc, char** argv, std::uint64_t usual) {
  if (argc == 1) return usual;
  const std::string_view word = argv[1];
  const auto out = whole_number<std::uint64_t>(word).value_or(0);
  if (argc == 2 && out > 0) return out;
  fmt::print(stderr, "usage: {} [REPETITIONS, {} if not given], not '{}'\n",
             argv[0], usual, word);
  std::exit(2);
}

} // namespace brewery::bench
