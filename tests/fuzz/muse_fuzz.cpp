/// Any text as a document of a memory, or as the reply of a model to MUSE.

#include "tests/fuzz/entry.hpp"
#include "tests/fuzz/muse_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  return brewery::fuzz::enter(brewery::fuzz::muse_text, data, size);
}
