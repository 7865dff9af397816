/// Any line as a reply of an environment's child process.

#include "tests/fuzz/entry.hpp"
#include "tests/fuzz/external_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  return brewery::fuzz::enter(brewery::fuzz::external, data, size);
}
