/// Any text as an experience, as a document that becomes one, or as the reply
/// of a model that makes one.

#include "tests/fuzz/entry.hpp"
#include "tests/fuzz/experience_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  return brewery::fuzz::enter(brewery::fuzz::experience_text, data, size);
}
