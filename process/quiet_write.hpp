#pragma once
/// Writes to a pipe whose reader may be gone.

#include <string_view>
#include <sys/types.h>

namespace brewery::child {

/// write() without SIGPIPE, so that programs need no handler. errno is write's.
ssize_t write_quietly(int fd, std::string_view bytes);

} // namespace brewery::child
