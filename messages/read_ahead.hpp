#pragma once
/// Reads many insights one after the other without waiting for the memory of
/// each. Hundreds of thousands of them are in no cache, and each is an object
/// whose texts lie elsewhere: to look at one text of an insight may take two
/// times a hundred nanoseconds, which is most of what reading it costs. Pure.

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

/// Of the object; its texts may be asked for once that is here.
inline void prefetch(const insight& item) {
  prefetch(&item, sizeof item);
}

inline void prefetch(std::string_view text) {
  prefetch(text.data(), text.size());
}

/// Calls `f(i)` for each number below `count`, in order. `at(i)` gives the
/// insight that it reads, `ask(insight)` prefetches what it reads of it.
template <class At, class Ask, class F>
void read_ahead(std::size_t count, At at, Ask ask, F f) {
  constexpr std::size_t objects_ahead = 16, texts_ahead = 8;
  for (std::size_t i = 0; i < count; ++i) {
    if (count - i > objects_ahead) prefetch(at(i + objects_ahead));
    if (count - i > texts_ahead) ask(at(i + texts_ahead));
    f(i);
  }
}

} // namespace brewery
