#include "store/stored_row.hpp"

#include "base/hash.hpp"

#include <zlib.h>

namespace brewery {

namespace {

std::string compressed(std::string_view bytes) {
  auto length = ::compressBound(bytes.size());
  std::string out(length, '\0');
  const int code = ::compress2(reinterpret_cast<Bytef*>(out.data()), &length,
                               reinterpret_cast<const Bytef*>(bytes.data()),
                               bytes.size(), Z_BEST_SPEED);
  // Fails only without memory or with a buffer that is too small.
  BREWERY_ASSERT(code == Z_OK);
  out.resize(length);
  return out;
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

stored_row pack_row(std::uint64_t seq, const event_row& row) {
  stored_row out;
  out.size = static_cast<std::int64_t>(row.payload.size());
  if (row.payload.size() >= compress_from_bytes)
    out.payload = compressed(row.payload);
  if (out.payload.empty() || out.payload.size() >= row.payload.size())
    out.payload = row.payload;
  out.crc = row_checksum(seq, row.kind, row.key, out.size, out.payload);
  return out;
}

result<std::string> unpack_payload(std::string_view stored, std::int64_t size) {
  const auto damaged = error{ec::corrupt, "its payload cannot be unpacked"};
  if (size < 0 || static_cast<std::size_t>(size) > wire::max_message_bytes)
    return damaged;
  const auto bytes = static_cast<std::size_t>(size);
  if (bytes == stored.size()) return std::string{stored};
  std::string out(bytes, '\0');
  auto length = static_cast<uLongf>(bytes);
  const int code = ::uncompress(reinterpret_cast<Bytef*>(out.data()), &length,
                                reinterpret_cast<const Bytef*>(stored.data()),
                                stored.size());
  if (code != Z_OK || length != bytes) return damaged;
  return out;
}

} // namespace brewery
