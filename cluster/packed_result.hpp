#pragma once
/// A job's result on its way through the coordinator: the bytes that its worker
/// made go to the log unchanged, and what a search needs is decoded from them
/// once. PURE.

#include "base/result.hpp"
#include "cluster/ledger/job_memo.hpp"

#include <string>

namespace brewery {

struct packed_result {
  job_result brief; ///< without its trajectory
  /// The whole, encoded and compressed if long (base/compression.hpp).
  std::string bytes;
};

/// Encodes and compresses. To be called where the result was made.
packed_result pack(job_result whole);

/// Checks all of the bytes, the trajectory too, so that whatever is journalled
/// can be read back. Error ec::malformed.
result<packed_result> unpack_result(std::string bytes);

} // namespace brewery
