#pragma once
/// Reads many insights one after the other without waiting for the memory of
/// each. Hundreds of thousands of them are in no cache, and each is an object
/// that names its texts, whose characters lie elsewhere again: to look at one
/// text of an insight may take three times a hundred nanoseconds, which is most
/// of what reading it costs. Pure.

#include "messages/insight.hpp"

#include <cstddef>
#include <string_view>

namespace brewery {

inline constexpr std::size_t cache_line_bytes = 64;

inline void prefetch(const void* memory, std::size_t bytes) {
  const auto* at = static_cast<const char*>(memory);
  for (std::size_t i = 0; i < bytes; i += cache_line_bytes)
    __builtin_prefetch(at + i);
}

/// Calls `f(i)` for each number below `count`, in order. `at(i)` gives the
/// insight that it reads, `text(insight)` the text of it that it reads.
template <class At, class Text, class F>
void read_ahead(std::size_t count, At at, Text text, F f) {
  constexpr std::size_t objects_ahead = 24, texts_ahead = 16, bytes_ahead = 8;
  for (std::size_t i = 0; i < count; ++i) {
    if (count - i > objects_ahead)
      prefetch(&at(i + objects_ahead), sizeof(insight));
    if (count - i > texts_ahead)
      __builtin_prefetch(&text(at(i + texts_ahead)).get());
    if (count - i > bytes_ahead) {
      const std::string_view soon = text(at(i + bytes_ahead));
      prefetch(soon.data(), soon.size());
    }
    f(i);
  }
}

} // namespace brewery
