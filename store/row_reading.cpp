#include "store/row_reading.hpp"

#include "store/stored_row.hpp"

#include <fmt/format.h>

namespace brewery {

namespace {

error corrupt_row(const row_place& place, std::string_view what) {
  const auto before =
      place.after_intact
          ? fmt::format("; the {} rows before it are intact", place.seq - 1)
          : std::string{};
  return {ec::corrupt, fmt::format("{}: row {}: {}{}{}", place.file.string(),
                                   place.seq, what, before, place.if_damaged)};
}

} // namespace

error no_such_row(const std::filesystem::path& file, std::uint64_t seq) {
  return {ec::not_found, fmt::format("{} has no event {}", file.string(), seq)};
}

error read_failed(const row_place& place, const error& reason) {
  if (reason.code == ec::corrupt) return corrupt_row(place, reason.message);
  return {reason.code, fmt::format("cannot read row {} of {}: {}", place.seq,
                                   place.file.string(), reason.message)};
}

result<event_row> read_row(const statement& row, const row_place& place,
                           std::string_view packed) {
  event_row out;
  out.seq = static_cast<std::uint64_t>(row.integer(0));
  if (out.seq != place.seq)
    return corrupt_row(place,
                       fmt::format("it is missing (row {} follows)", out.seq));
  out.kind = row.bytes(1);
  out.key = row.bytes(2);
  const auto size = row.integer(3);
  const auto stored = row.bytes(4);
  if (row_checksum(out.seq, out.kind, out.key, size, stored) != row.integer(5))
    return corrupt_row(place, "its checksum does not match");
  if (!packed.empty() && out.kind == packed) return out;
  auto payload = unpack_payload(stored, size);
  if (!payload) return corrupt_row(place, payload.error().message);
  out.payload = std::move(*payload);
  return out;
}

result<statement> rows_by_number(database& db) {
  return db.prepare("SELECT seq, kind, key, size, payload, crc FROM events "
                    "WHERE seq = ?1");
}

result<event_row> read_numbered(statement& query, const row_place& place) {
  query.bind(1, static_cast<std::int64_t>(place.seq));
  const auto found = query.step();
  result<event_row> out = no_such_row(place.file, place.seq);
  if (!found)
    out = read_failed(place, found.error());
  else if (*found)
    out = read_row(query, place);
  query.reset();
  return out;
}

} // namespace brewery
