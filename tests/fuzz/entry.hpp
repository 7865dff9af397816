#pragma once
/// From libFuzzer's bytes to a target of targets.hpp.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace brewery::fuzz {

/// libFuzzer keeps the bytes when the process aborts.
inline int enter(std::string (*target)(std::string_view),
                 const std::uint8_t* data, std::size_t size) {
  const auto wrong =
      target(std::string_view{reinterpret_cast<const char*>(data), size});
  if (wrong.empty()) return 0;
  std::fprintf(stderr, "fuzz: %s\n", wrong.c_str());
  std::abort();
}

} // namespace brewery::fuzz
