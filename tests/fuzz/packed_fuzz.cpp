/// Any bytes as the result of a job, compressed or not.

#include "tests/fuzz/entry.hpp"
#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  return brewery::fuzz::enter(brewery::fuzz::packed, data, size);
}
