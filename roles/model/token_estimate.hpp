#pragma once
/// How long a text is for a model, without its tokenizer: four bytes a token,
/// which is near what English prose has.

#include <cstddef>

namespace brewery {

inline constexpr std::size_t bytes_per_token = 4;

constexpr std::size_t estimated_tokens(std::size_t bytes) {
  return (bytes + bytes_per_token - 1) / bytes_per_token;
}

} // namespace brewery
