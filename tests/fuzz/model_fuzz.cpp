/// Any bytes as what a model server sends, or a model says.

#include "tests/fuzz/entry.hpp"
#include "tests/fuzz/model_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  return brewery::fuzz::enter(brewery::fuzz::model, data, size);
}
