#pragma once
/// The on-disk form of a row of the event log. Long payloads are compressed
/// (base/compression.hpp; in logs of format 1, by zlib). A CRC-32 covers all
/// fields of the row.

#include "store/event_log.hpp"

namespace brewery {

struct stored_row {
  std::int64_t size = 0; ///< length of the payload before compression
  std::string payload;   ///< compressed if its length differs from `size`
  std::uint32_t crc = 0;
};

/// CRC-32 (as in base/hash.hpp) over seq, size, kind, key and stored payload. A
/// zero byte ends each text.
std::uint32_t row_checksum(std::uint64_t seq, std::string_view kind,
                           std::string_view key, std::int64_t size,
                           std::string_view stored_payload);

/// The length of its payload before compression.
std::size_t payload_size(const event_row& row);

stored_row pack_row(std::uint64_t seq, const event_row& row);

/// Error ec::corrupt: the bytes do not hold a payload of `size` bytes.
result<std::string> unpack_payload(std::string_view stored, std::int64_t size);

} // namespace brewery
