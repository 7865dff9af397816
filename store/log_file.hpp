#pragma once
/// Lines of a log on disk, bounded: the oldest of `files_max` files is dropped
/// when the newest is full. Thread-safe.

#include "base/file.hpp"

#include <functional>
#include <mutex>
#include <vector>

namespace brewery {

class log_file {
public:
  /// `path` is the newest file; older ones are `path.1`, `path.2` ...
  explicit log_file(std::filesystem::path path,
                    std::uint64_t bytes_max = std::uint64_t{8} << 20,
                    std::size_t files_max = 4);

  /// A line that cannot be written is lost: a log stops no work.
  void append(const std::string& line);

  /// The last `count` lines that `matches`, oldest first, of those that were
  /// there at the call. Holds up nobody who appends.
  [[nodiscard]] std::vector<std::string>
  last(std::size_t count,
       const std::function<bool(const std::string&)>& matches) const;

private:
  struct opened_part {
    file_descriptor file;
    std::size_t bytes = 0;
  };
  [[nodiscard]] std::vector<opened_part> parts() const; ///< newest first
  [[nodiscard]] std::filesystem::path older(std::size_t number) const;
  void open();
  [[nodiscard]] bool is_there() const;
  void rotate();

  std::filesystem::path path_;
  std::uint64_t bytes_max_;
  std::size_t files_max_;
  mutable std::mutex mutex_;
  file_descriptor file_;    ///< guarded by mutex_
  std::uint64_t bytes_ = 0; ///< guarded by mutex_
};

} // namespace brewery
