#pragma once
/// Text from a child process, made fit for one line of a message or a log.

#include <string>
#include <string_view>

namespace brewery::child {

/// Control characters become spaces, what is no UTF-8 becomes U+FFFD; cut after
/// about `bytes_max`, with "..." then.
std::string shown_text(std::string_view text, std::size_t bytes_max);

} // namespace brewery::child
