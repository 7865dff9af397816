#pragma once
/// Writing to a pipe whose reader may be gone.

#include <string_view>
#include <sys/types.h>

namespace brewery::child {

/// write() without the signal that a closed pipe brings: whoever wrote this
/// program's main need not know. errno is write's.
ssize_t write_quietly(int fd, std::string_view bytes);

} // namespace brewery::child
