#pragma once
/// Copies the files of a run from a coordinator into a directory. A transfer
/// that was cut goes on from where it was; no file has its name before all of
/// it is there and its hash is right.

#include "cli/operator/operator_client.hpp"
#include "store/run_files.hpp"

namespace brewery {

struct fetched_run {
  std::size_t files = 0;          ///< all that are there now
  std::uint64_t bytes = 0;        ///< fetched by this call
  std::uint64_t bytes_before = 0; ///< there already, whole or in part
  bool log_in_use = false;        ///< so it was not fetched
};

/// `only`: names of run_part; empty: all. Errors: ec::in_use, another process
/// writes into the directory; ec::already_exists, it holds what is not an older
/// state of this run.
result<fetched_run> fetch_run(const connection_arguments& where,
                              const std::string& run,
                              const std::vector<std::string>& only,
                              const std::filesystem::path& into);

} // namespace brewery
