#pragma once
/// What readers of a log do with its rows alike. PURE.

#include "messages/wire/codec.hpp"
#include "store/event_log.hpp"

#include <fmt/format.h>

#include <string>

namespace brewery {

/// The search that a key such as "mcts/iteration 3" is about.
inline std::string search_of(const std::string& key) {
  return key.substr(0, key.find('/'));
}

/// A row that is not what an index of the log says.
inline error replaced(const event_row& row) {
  return {ec::corrupt,
          fmt::format("event {} of the log is another than before: another log "
                      "was put in its place",
                      row.seq)};
}

/// The record of a row without its bulk, with the log's place in the error:
/// ec::corrupt.
template <class Record>
result<Record> brief_of(const event_row& row) {
  auto record = wire::decode_brief<Record>(row.payload);
  if (!record)
    return error{ec::corrupt, fmt::format("event {} of the log: {}", row.seq,
                                          record.error().message)};
  return record;
}

} // namespace brewery
