#pragma once
/// `events.ack`: the number of the last acknowledged row of the event log (20
/// digits and a newline). It is written without a sync after each commit of the
/// log. It survives a killed process; after a power cut it can be too low, but
/// never too high. So a log that ends before this number has lost rows. Owned
/// by the event log's writer.

#include "base/file.hpp"

#include <cstdint>

namespace brewery {

class ack_file {
public:
  /// Creates the file if it is missing. Its only block is allocated here, so a
  /// disk that fills up later does no harm.
  static result<ack_file> open(const std::filesystem::path& directory);

  /// Returns no result: after a failed write, the number is only lower.
  void acknowledge(std::uint64_t seq);

  /// 0 if the file is missing. Error ec::corrupt: the content is not a number.
  static result<std::uint64_t> read(const std::filesystem::path& directory);

private:
  explicit ack_file(file_descriptor file) : file_(std::move(file)) {}
  file_descriptor file_;
};

} // namespace brewery
