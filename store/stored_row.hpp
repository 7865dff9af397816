#pragma once
/// What a row of the event log looks like on disk: long payloads compressed
/// (zlib, fastest level), a CRC-32 over everything the row says.

#include "store/event_log.hpp"

namespace brewery {

/// Shorter payloads do not shrink enough to be worth a call to zlib.
inline constexpr std::size_t compress_from_bytes = 512;

struct stored_row {
  std::int64_t size = 0; ///< of the payload before compression
  std::string payload;   ///< compressed when its length is not `size`
  std::uint32_t crc = 0;
};

/// CRC-32 (as base/hash.hpp) over seq, size, kind, key and stored payload, the
/// texts ended by a zero byte.
std::uint32_t row_checksum(std::uint64_t seq, std::string_view kind,
                           std::string_view key, std::int64_t size,
                           std::string_view stored_payload);

stored_row pack_row(std::uint64_t seq, const event_row& row);

/// ec::corrupt when the bytes do not hold `size` bytes of payload.
result<std::string> unpack_payload(std::string_view stored, std::int64_t size);

} // namespace brewery
