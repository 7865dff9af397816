#pragma once
/// A directory for one test, and the rows the store's tests write.

#include "base/rng.hpp"
#include "store/event_log.hpp"
#include "tests/fixtures/scratch.hpp"
#include "tests/fixtures/text.hpp"

#include <catch2/catch.hpp>

#include <fstream>
#include <string>

namespace brewery {

/// Row n as every test expects it: of any size up to 4 KiB, of which about half
/// compress well.
inline event_row sample_row(std::uint64_t n) {
  rng draw{rng_key(7, n)};
  std::string payload(draw.below(4096), 'x');
  if (draw.below(2) == 0)
    for (auto& byte : payload)
      byte = static_cast<char>(draw.below(256));
  return {n, draw.below(2) == 0 ? "rollout_result" : "gather_record",
          "job-" + std::to_string(n), payload};
}

inline std::vector<event_row> sample_rows(std::uint64_t first,
                                          std::uint64_t count) {
  std::vector<event_row> rows;
  for (std::uint64_t n = first; n < first + count; ++n)
    rows.push_back(sample_row(n));
  return rows;
}

/// Reads the log and checks that it holds sample rows 1, 2, 3 ...
inline std::uint64_t count_sample_rows(const event_log& log) {
  std::uint64_t rows = 0;
  const auto done = log.for_each([&](const event_row& row) -> result<void> {
    ++rows;
    if (!(row == sample_row(rows))) FAIL("row " << rows << " differs");
    return {};
  });
  if (!done) FAIL(to_string(done.error()));
  return rows;
}

/// The message of a failure, which must be one line of this code.
template <class T>
std::string refusal(const result<T>& outcome, ec code) {
  if (outcome) return "it succeeded";
  CHECK(to_string(outcome.error().code) == to_string(code));
  CHECK(outcome.error().message.find('\n') == std::string::npos);
  return outcome.error().message;
}

} // namespace brewery
