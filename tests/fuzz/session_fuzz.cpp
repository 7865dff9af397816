/// Any frames, at any times, at both ends of a session.

#include "tests/fuzz/entry.hpp"
#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  return brewery::fuzz::enter(brewery::fuzz::session, data, size);
}
