/// Any calls of a shop's tools, and any expressions.

#include "tests/fuzz/entry.hpp"
#include "tests/fuzz/tool_arguments_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  return brewery::fuzz::enter(brewery::fuzz::tool_arguments, data, size);
}
