#pragma once
/// Hash functions that are the same on every machine and in every version.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace brewery {

/// SHA-256 as 64 lower-case hex digits.
std::string sha256_hex(std::string_view bytes);

/// The first 32 hex digits of SHA-256: content hash of documents, jobs,
/// insights.
std::string content_hash(std::string_view bytes);

/// 64-bit FNV-1a with a SplitMix finaliser: for buckets and seeds, not content.
std::uint64_t hash64(std::string_view bytes, std::uint64_t seed = 0);

/// CRC-32 (IEEE) of stored records. `before` is the CRC of the preceding bytes.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

/// The content hash of one unambiguous text of length-prefixed parts:
/// ("ab","c") and ("a","bc") differ. Of a long text only the end is in memory.
class hash_input {
public:
  hash_input();
  hash_input(const hash_input&) = delete;
  hash_input& operator=(const hash_input&) = delete;
  ~hash_input();

  hash_input& add(std::string_view part) {
    buffer_ += std::to_string(part.size());
    buffer_ += ':';
    buffer_ += part;
    if (buffer_.size() >= most_bytes) digest();
    return *this;
  }
  hash_input& add(std::uint64_t part) {
    return add(std::string_view{std::to_string(part)});
  }
  [[nodiscard]] std::string content() const;

private:
  static constexpr std::size_t most_bytes = 32'768;
  struct state; // of a text that was longer

  void digest();

  std::string buffer_;
  std::unique_ptr<state> before_;
};

} // namespace brewery
