#include "store/row_reading.hpp"

#include "store/stored_row.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

error corrupt_row(const std::filesystem::path& file, std::uint64_t seq,
                  std::string_view what) {
  return {
      ec::corrupt,
      fmt::format("{}: row {}: {}; the {} rows before it are intact; "
                  "restore the file from a copy, or cut it out with `brewery "
                  "log salvage`",
                  file.string(), seq, what, seq - 1)};
}

} // namespace

error no_such_row(const std::filesystem::path& file, std::uint64_t seq) {
  return {ec::not_found, fmt::format("{} has no event {}", file.string(), seq)};
}

error read_failed(const std::filesystem::path& file, std::uint64_t seq,
                  const error& reason) {
  if (reason.code == ec::corrupt) return corrupt_row(file, seq, reason.message);
  return {reason.code, fmt::format("cannot read row {} of {}: {}", seq,
                                   file.string(), reason.message)};
}

/// Checks and returns the current row of a for_each query.
result<event_row> read_row(const statement& row, std::uint64_t expected,
                           const std::filesystem::path& file,
                           std::string_view packed) {
  event_row out;
  out.seq = static_cast<std::uint64_t>(row.integer(0));
  if (out.seq != expected)
    return corrupt_row(file, expected,
                       fmt::format("it is missing (row {} follows)", out.seq));
  out.kind = row.bytes(1);
  out.key = row.bytes(2);
  const auto size = row.integer(3);
  const auto stored = row.bytes(4);
  if (row_checksum(out.seq, out.kind, out.key, size, stored) != row.integer(5))
    return corrupt_row(file, out.seq, "its checksum does not match");
  if (!packed.empty() && out.kind == packed) return out;
  auto payload = unpack_payload(stored, size);
  if (!payload) return corrupt_row(file, out.seq, payload.error().message);
  out.payload = std::move(*payload);
  return out;
}

result<statement> rows_by_number(database& db) {
  return db.prepare("SELECT seq, kind, key, size, payload, crc FROM events "
                    "WHERE seq = ?1");
}

result<event_row> read_numbered(statement& query, std::uint64_t seq,
                                const std::filesystem::path& file) {
  query.bind(1, static_cast<std::int64_t>(seq));
  const auto found = query.step();
  result<event_row> out = no_such_row(file, seq);
  if (!found)
    out = read_failed(file, seq, found.error());
  else if (*found)
    out = read_row(query, seq, file);
  query.reset();
  return out;
}

} // namespace brewery
