#pragma once
/// Hash functions that are the same on every machine and in every version.

#include <cstdint>
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

/// Builds one unambiguous string to hash from length-prefixed parts: ("ab","c")
/// and ("a","bc") differ.
class hash_input {
public:
  hash_input& add(std::string_view part) {
    buffer_ += std::to_string(part.size());
    buffer_ += ':';
    buffer_ += part;
    return *this;
  }
  hash_input& add(std::uint64_t part) {
    return add(std::string_view{std::to_string(part)});
  }
  [[nodiscard]] std::string content() const { return content_hash(buffer_); }

private:
  std::string buffer_;
};

} // namespace brewery
