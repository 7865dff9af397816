/// Any text as the reply of a model to a role.

#include "tests/fuzz/entry.hpp"
#include "tests/fuzz/role_reply_target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  return brewery::fuzz::enter(brewery::fuzz::role_reply, data, size);
}
