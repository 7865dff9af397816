#pragma once
/// The files of a run that others may fetch: listed with their hashes, read in
/// pieces. Nothing else of the machine can be named.

#include "store/run_directory.hpp"

#include <array>
#include <cstdint>

namespace brewery {

/// Part of what a run leaves behind.
enum class run_part : std::uint8_t {
  documents, ///< kb/, strategies/
  report,    ///< texts and figures beside it
  log,       ///< the event log and the replies of models
};
inline constexpr std::array run_part_names{"documents", "report", "log"};

struct run_file {
  std::string name; ///< relative to the run's directory, with '/'
  run_part part = run_part::report;
  std::uint64_t size = 0;
  std::string hash; ///< SHA-256
  bool operator==(const run_file&) const = default;
};

struct run_files {
  std::vector<run_file> files; ///< by name
  /// A process writes the log: it cannot be copied now and is not listed.
  bool log_in_use = false;
};

/// Whether the name stays below a directory and is none of the files that
/// belong to one machine: locks, files being written, hidden files.
bool is_name_of_run_file(std::string_view name);

/// Reads every file once, for its hash, a block at a time. Symbolic links are
/// left out. Error ec::invalid_argument: there are more than 100,000 files.
result<run_files> list_run_files(const run_directory& run);

/// At most `count` bytes from `offset`; less only at the end of the file.
/// Error ec::invalid_argument: the name is not that of a file of the run.
result<std::string> read_run_file(const run_directory& run,
                                  const std::string& name, std::uint64_t offset,
                                  std::size_t count);

} // namespace brewery
