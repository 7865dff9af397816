#include "store/stored_row.hpp"

#include "base/compression.hpp"
#include "base/hash.hpp"

#include <zlib.h>

namespace brewery {

namespace {

/// As logs of format 1 store payloads.
bool inflate(std::string_view stored, std::string& out) {
  auto length = static_cast<uLongf>(out.size());
  const int code = ::uncompress(reinterpret_cast<Bytef*>(out.data()), &length,
                                reinterpret_cast<const Bytef*>(stored.data()),
                                stored.size());
  return code == Z_OK && length == out.size();
}

} // namespace

std::uint32_t row_checksum(std::uint64_t seq, std::string_view kind,
                           std::string_view key, std::int64_t size,
                           std::string_view stored_payload) {
  constexpr std::string_view end{"\0", 1};
  const auto numbers = std::to_string(seq) + ' ' + std::to_string(size);
  std::uint32_t crc = 0;
  for (const auto part : {std::string_view{numbers}, kind, key})
    crc = crc32(end, crc32(part, crc));
  return crc32(stored_payload, crc);
}

std::size_t payload_size(const event_row& row) {
  return row.compressed ? content_size(row.payload) : row.payload.size();
}

stored_row pack_row(std::uint64_t seq, const event_row& row) {
  stored_row out;
  out.size = static_cast<std::int64_t>(payload_size(row));
  BREWERY_ASSERT(out.size > 0 || !row.compressed);
  out.payload = row.compressed ? row.payload : compress(row.payload);
  out.crc = row_checksum(seq, row.kind, row.key, out.size, out.payload);
  return out;
}

result<std::string> unpack_payload(std::string_view stored, std::int64_t size) {
  const auto damaged = error{ec::corrupt, "its payload cannot be unpacked"};
  if (size < 0 || static_cast<std::size_t>(size) > wire::max_message_bytes)
    return damaged;
  const auto bytes = static_cast<std::size_t>(size);
  if (bytes == stored.size()) return std::string{stored};
  if (is_compressed(stored)) {
    auto content = decompress(stored, bytes);
    if (!content || content->size() != bytes) return damaged;
    return content;
  }
  std::string out(bytes, '\0');
  if (!inflate(stored, out)) return damaged;
  return out;
}

} // namespace brewery
