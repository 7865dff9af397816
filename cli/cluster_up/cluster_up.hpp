#pragma once
/// `brewery cluster up`: what the command line says, and one pass, which brings
/// an array to the number that it should have now.

#include "cli/cluster_up/array_control.hpp"
#include "cli/operator/connection.hpp"

#include <nlohmann/json.hpp>

#include <set>

namespace brewery {

struct cluster_up_arguments {
  connection_arguments connection; ///< of an operator
  std::string name = "workers";
  std::string engine;        ///< empty: that of the array there is
  std::uint32_t workers = 0; ///< with `most`: at least
  std::uint32_t most = 0;    ///< 0: `workers`, whatever is queued
  bool once = false;
  std::vector<std::string> hosts, options, worker_words;
  std::string program, directory; ///< empty: of this process
  std::string deployment; ///< empty: the stored one, else `brewery-worker`
  bool json = false;
};

/// The array to have: the stored one, if there is one, with what the arguments
/// say. Errors, all ec::invalid_argument: something is missing, or the array is
/// on another engine.
result<worker_array> array_of(const cluster_up_arguments& arguments,
                              const std::optional<worker_array>& stored);

struct up_pass {
  std::string engine;
  std::uint32_t wanted = 0, were = 0;
  array_change change;
};

/// Error ec::cancelled: `must_exist`, and it does not (`cluster down`).
result<up_pass> bring_up(const cluster_up_arguments& arguments,
                         bool must_exist);

/// Ids of the array's workers that the coordinator's list has; `only_busy`:
/// that have jobs. Not for Kubernetes, where ids are nobody's.
std::set<std::uint32_t> ids_in_list(const worker_array& array,
                                    const nlohmann::ordered_json& workers,
                                    bool only_busy = false);

} // namespace brewery
