#pragma once
/// The number of the last acknowledged row, kept beside the log in `events.ack`
/// (20 digits and a newline). Written without a sync after the log's own: it
/// survives the process, and after a power cut it is at most behind. So a log
/// that ends before it has lost rows.

#include "base/file.hpp"

#include <cstdint>

namespace brewery {

class ack_file {
public:
  /// Makes it if it is missing; its one block is allocated here, so that a full
  /// disk later does not matter.
  static result<ack_file> open(const std::filesystem::path& directory);

  /// Failure is harmless, the bound is only lower, hence no result.
  void acknowledge(std::uint64_t seq);

  /// 0 when there is no such file; ec::corrupt when it is not a number.
  static result<std::uint64_t> read(const std::filesystem::path& directory);

private:
  explicit ack_file(file_descriptor file) : file_(std::move(file)) {}
  file_descriptor file_;
};

} // namespace brewery
