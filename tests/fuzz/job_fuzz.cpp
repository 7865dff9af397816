/// Any bytes as any struct: what frames carry inside, events of a log, entries
/// of a spool.

#include "tests/fuzz/entry.hpp"
#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  return brewery::fuzz::enter(brewery::fuzz::job, data, size);
}
